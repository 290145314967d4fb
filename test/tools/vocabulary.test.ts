import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import test from "node:test";

test("every identifier in docs/design/vocabulary.md exists in src", () => {
  const text = readFileSync("docs/design/vocabulary.md", "utf8");
  const identifiers = new Set([...text.matchAll(/`([A-Za-z]{3,})`/g)].flatMap(([, name]) => name ?? []));
  const words = new Set(
    globSync("src/**/*.ts").flatMap((file) => readFileSync(file, "utf8").match(/[A-Za-z0-9]{3,}/g) ?? []),
  );
  assert.ok(identifiers.size > 40, `only ${identifiers.size} identifiers were found`);
  assert.deepEqual([...identifiers].filter((name) => !words.has(name)).toSorted(), []);
});
