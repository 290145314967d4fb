import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeAcceptances, selectAcceptedNames } from "../../../src/format/view/acceptances.ts";
import type { Acceptance } from "../../../src/model/unseen.ts";
import { check, createUnknown, finding, report, risk } from "../../../verify/pages/sample.ts";

const BUDGETS = ["a", "b"].map((name) =>
  finding("Blocked", { object: { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace: "shop", name } }),
);
const FOUND = report({
  checks: [
    check("drain", { kind: "risk", findings: BUDGETS, notices: [] }),
    check("sample", { kind: "unknown", unknowns: [createUnknown("nodes")], findings: [], notices: [] }),
  ],
  risks: [risk("Blocked", { check: "drain" }), risk("SampleUnknown")],
});

/** The report was observed on 2026-03-01. */
const STATES: readonly (readonly [string, readonly Acceptance[], readonly string[], readonly string[]])[] = [
  ["a flag accepts the whole risk", [{ risk: "Blocked" }], ["accepted"], ["Blocked"]],
  ["the last day counts", [{ risk: "Blocked", until: "2026-03-01" }], ["accepted"], ["Blocked"]],
  ["the day after counts no more", [{ risk: "Blocked", until: "2026-02-28" }], ["lapsed"], []],
  ["a risk that was not found", [{ risk: "Other" }], ["unmatched"], []],
  ["objects cover only themselves", [{ risk: "Blocked", objects: ["PodDisruptionBudget shop/a"] }], ["exceeded"], []],
  [
    "entries of one risk add up",
    [
      { risk: "Blocked", objects: ["PodDisruptionBudget shop/a"] },
      { risk: "Blocked", objects: ["PodDisruptionBudget shop/b"] },
    ],
    ["accepted", "accepted"],
    ["Blocked"],
  ],
  [
    "a lapsed entry adds nothing",
    [
      { risk: "Blocked", objects: ["PodDisruptionBudget shop/a"] },
      { risk: "Blocked", objects: ["PodDisruptionBudget shop/b"], until: "2026-02-28" },
    ],
    ["exceeded", "lapsed"],
    [],
  ],
  [
    "an entry for objects that are gone",
    [{ risk: "Blocked", objects: ["PodDisruptionBudget shop/z"] }],
    ["unmatched"],
    [],
  ],
  ["an incomplete check", [{ risk: "SampleUnknown", objects: ["nodes"] }], ["accepted"], ["SampleUnknown"]],
  ["an incomplete check of more", [{ risk: "SampleUnknown", objects: ["pods"] }], ["unmatched"], []],
];
for (const [title, acceptances, states, names] of STATES)
  test(title, () => {
    const judged = judgeAcceptances(acceptances, FOUND);
    assert.deepEqual(
      judged.map(({ state }) => state.kind),
      states,
    );
    assert.deepEqual([...selectAcceptedNames(judged)], names);
  });

test("an entry that names OpenShift's configuration of nodes as it was called before still holds", () => {
  const of = report({
    checks: [check("cgroup", { kind: "risk", findings: [finding("Old")], notices: [] })],
    risks: [risk("Old", { check: "cgroup" })],
  });
  for (const object of ["Node cluster", "nodes.config.openshift.io cluster"])
    assert.deepEqual(selectAcceptedNames(judgeAcceptances([{ risk: "Old", objects: [object] }], of)), new Set(["Old"]));
});

test("an entry that is exceeded names the other objects", () => {
  const [judged] = judgeAcceptances([{ risk: "Blocked", objects: ["PodDisruptionBudget shop/a"] }], FOUND);
  assert.deepEqual(judged?.state, { kind: "exceeded", objects: ["PodDisruptionBudget shop/b"] });
});

test("findings beyond the limit are never accepted by object", () => {
  const [first] = FOUND.checks;
  assert.ok(first);
  const limited = { ...FOUND, checks: [{ ...first, omittedFindings: 5 }] };
  const objects = ["PodDisruptionBudget shop/a", "PodDisruptionBudget shop/b"];
  const [judged] = judgeAcceptances([{ risk: "Blocked", objects }], limited);
  assert.equal(judged?.state.kind, "exceeded");
});
