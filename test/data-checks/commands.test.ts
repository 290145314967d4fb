import { strict as assert } from "node:assert";
import { test } from "node:test";
import { judgeCluster } from "../support/data-checks/judge-check.ts";

const NODES = `cluster:
  /api/v1/nodes:
    - {apiVersion: v1, kind: Node, metadata: {name: a}}
    - {apiVersion: v1, kind: Node, metadata: {name: b, labels: {size: "2"}}}
`;

test("a command sees an empty detail as an empty text, and the finding does not have it", async () => {
  const { findings = [] } = await judgeCluster(
    `reads: {nodes: {list: v1/nodes}}
risks:
- name: SampleBroken
  effect: broken
  title: It breaks
  url: https://example.com
  message: "\${objects} breaks with \${target.version}."
  remediation: Label it.
  findings:
  - forEach: nodes.items
    message: It is there.
    detail: {size: '\${object.metadata.?labels.?size.orValue("")}'}
  fixKind: safe
  fix:
  - {when: detail.size == "", run: "oc label node \${object.metadata.name} size=1"}`,
    NODES,
  );
  assert.deepEqual(
    findings.map(({ detail, fix }) => [detail, fix]),
    [
      [undefined, ["oc label node a size=1"]],
      [{ size: "2" }, undefined],
    ],
  );
});
