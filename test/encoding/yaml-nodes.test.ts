import assert from "node:assert/strict";
import { test } from "node:test";
import { findOffset, getLine, getText, parseNodes } from "../../src/encoding/yaml-nodes.ts";

const YAML = `# a comment
kind: A
spec:
  list:
    - name: x
    - {name: y,
       value: 1}
  text: |
    not: a key
---
{"kind": "B",
 "spec": {
   "a.b": 1}}
`;

test("finds the line of the deepest key that exists", () => {
  const [first, second] = parseNodes(YAML) ?? [];
  assert.ok(first && second);
  for (const [node, path, line] of [
    [first, [], 2],
    [first, ["spec"], 3],
    [first, ["spec", "list", "1", "value"], 7],
    [first, ["spec", "list", "1", "none"], 6],
    [first, ["spec", "text", "not"], 8],
    [second, ["spec", "a.b"], 13],
  ] as const)
    assert.equal(getLine(YAML, findOffset(node, path)), line, path.join());
  assert.equal(getText(first, "spec", "list", "0", "name"), "x");
  assert.equal(getText(first, "spec"), undefined);
});

test("has no nodes of what is not YAML", () => assert.equal(parseNodes("a: ["), undefined));
