import assert from "node:assert/strict";
import { parseDocuments } from "../../../src/encoding/yaml.ts";
import { findOffset, getLine, parseNodes } from "../../../src/encoding/yaml-nodes.ts";
import type { FuzzTarget } from "../target.ts";

const LIST = `apiVersion: v1
kind: List
items:
- apiVersion: v1 # comment
  metadata: {name: "a\\u0041", labels: {a: 'b'}}
  data:
    text: |-
      one
        two
    folded: >
      one
      two
    empty:
    list:
    - 1
    - -2.5
    - 0o14
    - true
    -
      - ~
---
&a {b: *a}
`;

/** What was parsed is the same once written as JSON and parsed again. */
export const target: FuzzTarget = {
  seeds: [LIST, '{"a":[1,{"b":null}],"c":"\\n"}', "a: &x [1]\nb: *x\n<<: {c: 1}\n", "%YAML 1.1\n--- !!str a\n...\n"],
  run: (input) => {
    const text = input.toString("utf8");
    const result = parseDocuments(text);
    for (const node of (parseNodes(text) ?? []).slice(-10))
      getLine(text, findOffset(node, ["metadata", "labels", "0"]));
    if (result.kind === "invalid") return;
    const again = parseDocuments(result.documents.map((one) => `---\n${JSON.stringify(one)}\n`).join(""));
    if (again.kind === "documents") assert.equal(JSON.stringify(again), JSON.stringify(result));
  },
};
