import { strict as assert } from "node:assert";
import { test } from "node:test";
import { loadChecks } from "../../../src/data-checks/load.ts";

/** What applies, and what is said of it: "severity place [marked] message (hint)". */
const ROWS: readonly (readonly string[])[] = [
  ['{crosses: "4.21"}'],
  ['{crosses: "4.21", platforms: [openshift, kubernetes]}'],
  ['{kubernetes: {crosses: "1.35"}}'],
  ['{openshift: {crosses: "4.22"}}'],
  ['{kubernetes: {crosses: "1.35"}, openshift: {crosses: "4.21"}}'],
  ['{kubernetes: {crosses: "1.35"}, platforms: [openshift]}'],
  ['{crosses: "4.21", platforms: [kubernetes]}'],
  ['{crosses: "5.3"}'],
  [
    '{crosses: "1.35"}',
    'error spec.applies.crosses [1.35] it must be a minor of OpenShift, such as "4.21" (write kubernetes: {crosses: "1.35"})',
  ],
  [
    '{openshift: {crosses: "1.35"}}',
    'error spec.applies.openshift.crosses [1.35] it must be a minor of OpenShift, such as "4.21" (write kubernetes: {crosses: "1.35"})',
  ],
  [
    '{kubernetes: {crosses: "4.22"}}',
    'error spec.applies.kubernetes.crosses [4.22] it must be a minor of Kubernetes, such as "1.35" (write openshift: {crosses: "4.22"})',
  ],
  [
    '{crosses: "v4.21"}',
    'error spec.applies.crosses [v4.21] it must be a minor of OpenShift, such as "4.21" (did you mean "4.21"?)',
  ],
  [
    '{crosses: "4.21.3"}',
    'error spec.applies.crosses [4.21.3] it must be a minor of OpenShift, such as "4.21" (did you mean "4.21"?)',
  ],
  ["{crosses: 4.21}", "error spec.applies.crosses [4.21] it must be a text (put it in quotes)"],
  [
    '{kubernetes: {minor: "1.35"}}',
    "error spec.applies.kubernetes [kubernetes] the field crosses is missing",
    "error spec.applies.kubernetes.minor [minor] minor is not a field here (the fields are crosses)",
  ],
  ["{kubernetes: {}}", "error spec.applies.kubernetes [kubernetes] the field crosses is missing"],
  ['{kubernetes: "1.35"}', "error spec.applies.kubernetes [1.35] it must be a map"],
  [
    '{crosses: "4.24"}',
    'error spec.applies.crosses [4.24] OpenShift 4.24 does not exist: the last minor of 4 is 4.23 (did you mean "5.1"?)',
  ],
  [
    '{kubernetes: {crosses: "1.350"}}',
    'error spec.applies.kubernetes.crosses [1.350] Kubernetes 1.350 does not exist (did you mean "1.35"?)',
  ],
  [
    '{crosses: "4.21", knownUpTo: "3.11"}',
    'error spec.applies.knownUpTo [3.11] OpenShift 3.11 does not exist (write one that there is, as in "4.21" or "1.35")',
  ],
  [
    '{crosses: "4.21", kubernetes: {crosses: "1.35"}}',
    'error spec.applies.crosses [crosses] this is the minor of OpenShift, and kubernetes stands beside it (write openshift: {crosses: "4.21"})',
  ],
  [
    '{updates: [patch], kubernetes: {crosses: "1.35"}}',
    "error spec.applies.updates [updates] only one of crosses, updates and leavesMinor says which updates it applies to (leave out the others)",
  ],
  [
    '{kubernetes: {crosses: "1.35"}, openshift: {crosses: "4.22"}, platforms: [openshift]}',
    "error spec.applies.kubernetes [kubernetes] the check does not apply on Kubernetes (add kubernetes to platforms, or leave it out)",
  ],
  [
    '{crosses: "4.21", knownUpTo: "4.20"}',
    'error spec.applies.knownUpTo [4.20] it ends before 4.21, which updates have to cross: each of them would be unknown (write "4.21", or a later minor)',
  ],
  ['{crosses: "4.21", knownUpTo: "4.21"}'],
  [
    '{kubernetes: {crosses: "1.35"}, knownUpTo: "1.34"}',
    'error spec.applies.knownUpTo [1.34] it ends before 1.35, which updates have to cross: each of them would be unknown (write "1.35", or a later minor)',
  ],
  [
    '{kubernetes: {crosses: "1.35"}, knownUpTo: "4.21"}',
    'error spec.applies.knownUpTo [4.21] it ends before 4.22, which updates have to cross: each of them would be unknown (write "4.22", or a later minor)',
  ],
  ['{crosses: "4.21", knownUpTo: "1.36"}'],
  [
    '{kubernetes: {crosses: "1.40"}}',
    'warning spec.applies.kubernetes [kubernetes] this preflight does not know that release, and takes OpenShift 5.4 for the same (add openshift: {crosses: "5.4"})',
  ],
  ['{kubernetes: {crosses: "1.40"}, platforms: [kubernetes]}'],
  [
    '{crosses: "5.4", platforms: [openshift, kubernetes]}',
    'warning spec.applies.crosses [crosses] this preflight does not know that release, and takes Kubernetes 1.40 for the same (add kubernetes: {crosses: "1.40"})',
  ],
  ['{kubernetes: {crosses: "1.40"}, openshift: {crosses: "5.4"}}'],
  [
    '{updates: [minor], knownUpTo: "5.2", versions: [{first: 4.20.3, last: 4.20.1}]}',
    "error spec.applies.versions[0].last [4.20.1] 4.20.3 comes after it, so the range is empty (exchange first and last)",
  ],
  [
    '{updates: [minor], knownUpTo: "5.2", versions: [{first: 4.20.3, last: 4.20.9, fixedIn: 4.20.8}]}',
    "error spec.applies.versions[0].fixedIn [4.20.8] it is one of the affected versions (give the first version after last)",
  ],
  [
    '{updates: [minor], knownUpTo: "5.2", versions: [{first: 4.20.3, last: 4.20.9, fixedIn: 4.20.10, sources: [{from: 4.19.5, before: 4.19.1}]}]}',
    "error spec.applies.versions[0].sources[0].before [4.19.1] 4.19.5 comes after it, so the range is empty (exchange from and before)",
  ],
  [
    '{updates: [minor], knownUpTo: "5.2", versions: [{first: 1.34.0, last: 1.34.2}]}',
    "error spec.applies.versions[0].first [1.34.0] 1.34.0 is a version of Kubernetes, on which the check does not apply (write platforms: [kubernetes])",
  ],
  ['{updates: [minor], knownUpTo: "1.36", platforms: [kubernetes], versions: [{first: 1.34.0, last: 1.34.2}]}'],
  [
    '{updates: [minor], knownUpTo: "5.2", versions: [{first: 4.20.3, last: 1.34.2}]}',
    "error spec.applies.versions[0].last [1.34.2] 1.34.2 is not a version of OpenShift, as 4.20.3 is (give each platform a range)",
  ],
];

function writeCheck(applies: string): string {
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: sample}
spec:
  title: The sample is sound
  applies: ${applies}
  reads:
    nodes: {list: v1/nodes}
  notices:
    - {when: nodes.items.size() > 3, message: There are many.}
`;
}

async function judge(applies: string): Promise<readonly string[]> {
  const { faults } = await loadChecks([{ name: "check.yaml", text: writeCheck(applies) }], { kind: "site" }, new Set());
  return faults.map(({ severity, place, message, hint, column, length, lineText }) => {
    const marked = lineText.slice(column - 1, column - 1 + length);
    return `${severity} ${place} [${marked}] ${message}${hint === undefined ? "" : ` (${hint})`}`;
  });
}

test(`what applies is judged where it stands: ${ROWS.length} forms`, async () => {
  for (const [applies = "", ...said] of ROWS)
    assert.deepEqual([applies, ...(await judge(applies))], [applies, ...said]);
});
