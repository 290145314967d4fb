import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findRepeatedTypeNames } from "./support/type-names.ts";

const ROOT = join(import.meta.dirname, "..");

test("a type's name means one thing in the whole tree", () => {
  const sources = globSync(["src/**/*.ts", "tools/**/*.ts"], { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), "utf8"),
  }));
  assert.ok(sources.length > 0);
  assert.deepEqual(findRepeatedTypeNames(sources), []);
});

const MODEL = { path: "src/model/a.ts", text: "export type A = string;\ntype Own = A;\n" };

test("names both places of a repeated name", () => {
  for (const [path, text, faults] of [
    ["src/lift/a.ts", "export type A = { b: B };", ["A is declared in src/lift/a.ts and in src/model/a.ts"]],
    [
      "tools/a.ts",
      "/** One. */\nexport class A extends Error {}",
      ["A is declared in src/model/a.ts and in tools/a.ts"],
    ],
    ["src/cli/a.ts", "interface A {}", ["A is declared in src/model/a.ts and in src/cli/a.ts"]],
    ["src/model/b.ts", "type A = 1;", ["A is declared in src/model/a.ts and in src/model/b.ts"]],
    ["src/cli/a.ts", "type Own = 1;\nexport type B = A;\n// type A = 1;\n", []],
  ] as const)
    assert.deepEqual(findRepeatedTypeNames([MODEL, { path, text }]), faults, text);
});
