import { strict as assert } from "node:assert";
import { test } from "node:test";
import { compileText, judgeCluster, writeCheck } from "../support/data-checks/judge-check.ts";

const SPEC = `reads: {nodes: {list: v1/nodes}}
risks:
  - name: NodeOld
    effect: broken
    title: A node is old
    url: https://example.com
    message: '\${objects} \${plural(objectCount, "is", "are")} old: \${objectCount}.'
    remediation: Renew it.
    findings:
      - {forEach: nodes.items, when: 'object.metadata.name != "c"', message: It is old.}
      - {forEach: nodes.items, when: 'object.metadata.name == "a"', path: spec.taints, message: It is very old.}`;

async function describeNodes(names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const nodes = names.map((name) => `{apiVersion: v1, kind: Node, metadata: {name: ${name}}}`);
  const { risks } = await judgeCluster(SPEC, `cluster:\n  /api/v1/nodes: [${nodes.join(", ")}]`);
  return (risks ?? []).map(({ message }) => message);
}

test("a verb follows the number of objects, of which one may have several findings", async () => {
  assert.deepEqual(await describeNodes(["a", "c"]), ["Node a is old: 1. Renew it."]);
  assert.deepEqual(await describeNodes(["a", "b", "c", "d"]), ["Node a, Node b and Node d are old: 3. Renew it."]);
});

test("a remediation, which is also told before anything is found, knows no objects", async () => {
  const { faults } = await compileText(writeCheck(SPEC.replace("Renew it.", "'Renew ${objects}.'")));
  assert.match(faults.join("\n"), /remediation: the name objects is not declared/);
});
