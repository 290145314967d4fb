import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadChecks } from "../../../src/data-checks/load.ts";
import { SEEN, writeCheck } from "../../support/data-checks/judge-check.ts";

async function lint(spec: string, mark = "onManifests: true\n", applies = "}"): Promise<readonly string[]> {
  const text = writeCheck(`${mark}${spec}`).replace("rollback]}", `rollback]${applies}`);
  const { faults } = await loadChecks([{ name: "check.yaml", text }], { kind: "site" }, new Set());
  for (const { hint, message } of faults)
    if (message.endsWith("so the check can't have onManifests"))
      assert.match(hint ?? "", /onManifests|check of its own/);
  return faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const SUFFIX = ", so the check can't have onManifests";
const READS = "reads:\n  pods: {list: v1/pods}\n";
const RULES = `${SEEN}\n  - {forEach: pods.items, when: has(object.spec.hostNetwork), message: It is seen.}`;

/** What is added to a sound check, or stands in place of its rules, and where it is refused. */
const REFUSED: readonly (readonly [what: string, spec: string, ...faults: readonly string[]])[] = [
  [
    "a single object",
    `${READS}  map: {get: v1/configmaps, name: a/b}\n${RULES} # \n  - {forEach: pods.items, when: map.hasValue(), message: It is seen.}`,
    "10:16 an object that is not in the files may be in the cluster",
  ],
  [
    "manifests of the target",
    `${READS}  next: {list: v1/configmaps, of: target}\n${RULES}\n  - {forEach: next.items, message: It is seen.}`,
    "10:37 the target's manifests are not in the files",
  ],
  [
    "a read that another one decides on",
    `${READS}  maps: {list: v1/configmaps, when: pods.items.size() > 0}\n${RULES}\n  - {forEach: maps.items, message: It is seen.}`,
    "10:39 files are read whatever else is in them",
  ],
  [
    "the status",
    `${READS}${SEEN}\n  - {forEach: pods.items, when: object.?status.?phase.orValue("") == "Failed", message: It is seen.}`,
    "9:5 its objects have no status in files",
  ],
  [
    "a fact of the cluster",
    `${READS}${RULES}\n  - {forEach: pods.items, when: cluster.platform == "AWS", message: It is seen.}`,
    "19:35 files show no facts of the cluster",
  ],
  [
    "the version that the cluster runs, in a variable",
    `${READS}variables:\n  - {name: isOld, expression: source.openshift < minor("4.20")}\n${RULES}\n  - {forEach: pods.items, when: isOld, message: It is seen.}`,
    "11:33 files don't show what the cluster runs",
  ],
  [
    "the kind of update",
    `${READS}${RULES}\nnotApplicable:\n  - {when: update.kind == "patch", reason: Patch updates don't matter.}`,
    "20:14 files don't show what the cluster runs",
  ],
  [
    "what an update crosses",
    `${READS}${RULES}\n  - {forEach: pods.items, when: crosses("4.20"), message: It is seen.}`,
    "19:35 files don't show what the cluster runs",
  ],
  [
    "what the API server serves",
    `${READS}${RULES}\n  - {forEach: pods.items, when: "!served.pods", message: It is seen.}`,
    "19:36 files don't show what the API server serves",
  ],
  [
    "a remedy for the cluster's version",
    `${READS}${RULES.replace("Look away.", "Look away from ${source.version} before the update.")}`,
    "16:18 files don't show what the cluster runs",
  ],
  [
    "an absence",
    `${READS}${SEEN}\n  - {when: pods.items.size() == 0, object: '{"apiVersion": "v1", "kind": "Namespace", "name": "a"}', message: It is seen.}`,
    "18:8 what is absent from files may be in the cluster",
  ],
  [
    "an absence for each item of a list that nothing read",
    `${READS}${SEEN}\n  - {forEach: '["a"]', when: pods.items.size() == 0, object: '{"apiVersion": "v1", "kind": "Namespace", "name": object}', message: It is seen.}`,
    "18:18 what is absent from files may be in the cluster",
  ],
  [
    "an unknown of an absence",
    `${READS}${RULES}\nunknowns:\n  - {when: pods.items.size() == 0, where: it, message: nothing is there}`,
    "20:8 what is absent from files may be in the cluster",
  ],
  [
    "a notice",
    `${READS}${RULES}\nnotices:\n  - {when: pods.items.size() > 5, message: There are many.}`,
    "20:8 a notice has no place in a file",
  ],
];

describe("a check with onManifests is refused for", () => {
  for (const [what, spec, ...faults] of REFUSED)
    test(what, async () => {
      const found = await lint(spec);
      assert.deepEqual(
        found,
        faults.map((fault) => fault + SUFFIX),
      );
      const plain = await lint(spec, "");
      assert.deepEqual(plain, []);
    });
});

describe("a check with onManifests is refused for what it applies to:", () => {
  for (const [applies, fault] of [
    ["subject: HostedCluster", "6:57 files show no hosted cluster"],
    [
      'knownUpTo: "4.21", versions: [{first: 4.20.1, last: 4.20.4, sources: [{before: 4.20.0}]}]',
      "6:108 files don't show what the cluster runs",
    ],
  ] as const)
    test(applies, async () => {
      const found = await lint(READS + RULES, "onManifests: true\n", `, ${applies}}`);
      assert.deepEqual(found, [fault + SUFFIX]);
    });
});

describe("a check with onManifests may use", () => {
  test("lists, the target, the time, and names of its own that hide those of the cluster", async () => {
    const spec = `reads:
  source: {list: v1/pods, index: {byNode: "object.spec.?nodeName.orValue('')"}}
variables:
  - {name: named, expression: 'source.items.filter(pod, has(pod.spec.hostNetwork))'}
${SEEN}
  - forEach: named
    when: target.kubernetes >= minor("1.34") && now > timestamp("2026-01-01T00:00:00Z")
    message: It is seen in \${target.version}.`;
    assert.deepEqual(await lint(spec), ["9:5 source hides what preflight calls so"]);
  });
  test("no other value than true", async () => {
    const [fault = ""] = await lint(READS + RULES, "onManifests: false\n");
    assert.match(fault, /^7:16 /);
  });
});
