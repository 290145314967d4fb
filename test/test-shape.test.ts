import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findPairs, findTestFaults } from "./support/test-shape.ts";

const ROOT = join(import.meta.dirname, "..");
const LINE = "  test('a', () => {});\n";

test("every group of tests can be seen whole, and every helper is in test/support", () => {
  const files = globSync("test/**/*.ts", { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), "utf8"),
  }));
  assert.ok(files.length > 0);
  assert.deepEqual(findTestFaults(files), []);
});

const FAULTS: readonly [path: string, text: string, fault: RegExp][] = [
  ["test/a/b.test.ts", `describe("a", () => {\n${LINE.repeat(199)}});\n`, /^test\/a\/b\.test\.ts:1 .* 201 lines/],
  [
    "test/a/b.test.ts",
    `\nsuite.skip("a", async () => {\n${LINE.repeat(199)}});\n`,
    /^test\/a\/b\.test\.ts:2 .* 201 lines/,
  ],
  ["test/a/helper.ts", "export const a = 1;\n", /^test\/a\/helper\.ts is no test/],
  ["test/a/b.test.ts", 'import { a } from "./c.test.ts";\n', /imports test\/a\/c\.test\.ts/],
  ["test/support/a.ts", 'import { a } from "../a/helper.ts";\n', /imports test\/a\/helper\.ts/],
];

for (const [path, text, fault] of FAULTS) {
  test(`${text.trim().split("\n")[0]} of ${text.split("\n").length - 1} lines in ${path} is found`, () => {
    const found = findTestFaults([{ path, text }]);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", fault);
  });
}

test("a group that fits, and helpers in their place, are left alone", () => {
  const text = `import { a } from "../support/a.ts";\nimport { b } from "../../src/b.ts";\ndescribe("a", () => {\n${LINE.repeat(198)}});\n`;
  assert.deepEqual(findTestFaults([{ path: "test/a/b.test.ts", text }]), []);
});

test("two names are two declarations", () => {
  const files = globSync("{src,test,tools,verify}/**/*.ts", { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), "utf8"),
  }));
  assert.ok(files.length > 1000);
  assert.deepEqual(findPairs(files), []);
  const text = "\nconst [a, b]: string[] = [c, d];\nconst [e] = [f, g].map(h);\nconst [i, ...k] = [...l, m];\n";
  assert.deepEqual(findPairs([{ path: "src/a.ts", text }]), [
    "src/a.ts:2 declares several names by one list: write a declaration for each",
  ]);
});
