import { strict as assert } from "node:assert";
import { test } from "node:test";
import { loadChecks } from "../../src/data-checks/load.ts";
import { type Check, type Context, buildContext } from "../../src/model/check.ts";
import { findNotApplicableReason } from "../../src/runner/updates/applicable-checks.ts";
import { release, version } from "../support/fixtures.ts";

async function loadCheck(applies: string, when = "true"): Promise<Check> {
  const text = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: sample}
spec:
  title: The sample is sound
  applies: ${applies}
  notices:
    - {when: '${when}', message: It is so.}
`;
  const { checks, faults } = await loadChecks([{ name: "check.yaml", text }], { kind: "site" }, new Set());
  assert.deepEqual(
    faults.filter(({ severity }) => severity === "error").map(({ message }) => message),
    [],
  );
  return checks[0] ?? assert.fail("no check");
}

/** An update, whose platform its versions tell. */
function buildUpdate(update: string): Context {
  const [from = "", to = ""] = update.split(" to ");
  const platform = from.startsWith("1.") ? "kubernetes" : "openshift";
  return buildContext(version(from), release(to), new Date(0), platform);
}

const UPDATES = [
  "4.20.1 to 4.21.2",
  "4.21.1 to 4.22.2",
  "4.22.1 to 5.0.2",
  "4.21.1 to 4.21.2",
  "1.33.1 to 1.34.2",
  "1.34.1 to 1.35.2",
  "1.35.1 to 1.36.2",
];

/** What applies, and the updates to which it does. */
const APPLIES: readonly (readonly string[])[] = [
  ['{crosses: "4.22"}', "4.21.1 to 4.22.2"],
  ['{openshift: {crosses: "4.22"}}', "4.21.1 to 4.22.2"],
  ['{crosses: "4.22", platforms: [openshift, kubernetes]}', "4.21.1 to 4.22.2", "1.34.1 to 1.35.2"],
  ['{openshift: {crosses: "4.22"}, platforms: [kubernetes]}', "1.34.1 to 1.35.2"],
  ['{kubernetes: {crosses: "1.35"}}', "4.21.1 to 4.22.2", "1.34.1 to 1.35.2"],
  ['{kubernetes: {crosses: "1.36"}}', "4.22.1 to 5.0.2", "1.35.1 to 1.36.2"],
  ['{kubernetes: {crosses: "1.35"}, platforms: [openshift]}', "4.21.1 to 4.22.2"],
  ['{kubernetes: {crosses: "1.35"}, platforms: [kubernetes]}', "1.34.1 to 1.35.2"],
  ['{kubernetes: {crosses: "1.36"}, openshift: {crosses: "4.21"}}', "4.20.1 to 4.21.2", "1.35.1 to 1.36.2"],
  ['{kubernetes: {crosses: "1.12"}}'],
];

for (const [applies = "", ...expected] of APPLIES)
  test(`applies: ${applies} is about ${expected.join(" and ") || "no update"}`, async () => {
    const check = await loadCheck(applies);
    assert.deepEqual(
      UPDATES.filter((update) => findNotApplicableReason(check, buildUpdate(update)) === undefined),
      expected,
    );
  });

const ANYWHERE = "{updates: [patch, minor], platforms: [openshift, kubernetes]}";
const KUBERNETES = "{updates: [patch, minor], platforms: [kubernetes]}";
const OPENSHIFT = "{updates: [patch, minor]}";

/** A condition of a check, and the updates for which it is true. */
const CONDITIONS: readonly (readonly [applies: string, when: string, ...updates: string[]])[] = [
  [ANYWHERE, 'crosses("4.22")', "4.21.1 to 4.22.2", "1.34.1 to 1.35.2"],
  [ANYWHERE, 'crosses("1.35")', "4.21.1 to 4.22.2", "1.34.1 to 1.35.2"],
  [
    ANYWHERE,
    'target.openshift >= minor("4.22")',
    "4.21.1 to 4.22.2",
    "4.22.1 to 5.0.2",
    "1.34.1 to 1.35.2",
    "1.35.1 to 1.36.2",
  ],
  [
    ANYWHERE,
    'target.ordinal >= minor("4.22")',
    "4.21.1 to 4.22.2",
    "4.22.1 to 5.0.2",
    "1.34.1 to 1.35.2",
    "1.35.1 to 1.36.2",
  ],
  [
    ANYWHERE,
    'target.kubernetes >= minor("1.35")',
    "4.21.1 to 4.22.2",
    "4.22.1 to 5.0.2",
    "1.34.1 to 1.35.2",
    "1.35.1 to 1.36.2",
  ],
  [ANYWHERE, "target.kubernetes >= 36", "4.22.1 to 5.0.2", "1.35.1 to 1.36.2"],
  [ANYWHERE, 'target.openshift == minor("4.23")', "4.22.1 to 5.0.2", "1.35.1 to 1.36.2"],
  [ANYWHERE, "source.openshift == target.openshift", "4.21.1 to 4.21.2"],
  [OPENSHIFT, 'source.ordinal < minor("4.21")', "4.20.1 to 4.21.2"],
  // In a check for Kubernetes alone, `ordinal` has always counted the minors of Kubernetes.
  [KUBERNETES, 'target.ordinal >= minor("1.36")', "1.35.1 to 1.36.2"],
  [KUBERNETES, 'target.openshift >= minor("5.0")', "1.35.1 to 1.36.2"],
];

for (const [applies, when, ...expected] of CONDITIONS)
  test(`${when} is true for ${expected.join(" and ")}`, async () => {
    const check = await loadCheck(applies, when);
    const isNoticed = (update: string): boolean => {
      const context = buildUpdate(update);
      if (findNotApplicableReason(check, context) !== undefined) return false;
      const { notices = [], unknowns = [] } = check.evaluate({}, context, {});
      assert.deepEqual(unknowns, []);
      return notices.length > 0;
    };
    assert.deepEqual(UPDATES.filter(isNoticed), expected);
  });
