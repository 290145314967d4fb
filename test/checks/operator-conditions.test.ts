import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Unresolved,
  keepRefusal,
  keepSubscription,
  keepUnresolvedExtension,
  judgeOperators,
} from "../../src/checks/operator-conditions/check.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const METADATA = { namespace: "shop", name: "a.v1" };
const at = (time: string) => ({ lastTransitionTime: `2026-03-01T${time}Z` });

function buildCondition(status: string, more: JsonObject = {}): JsonObject {
  return { type: "Upgradeable", status, reason: "Why", message: 'It is "odd"', ...more };
}

test("an override decides before the operator's own condition, and refuses unless it is True", () => {
  const build = (
    overrides: readonly JsonObject[],
    conditions: readonly JsonObject[],
    copied: readonly JsonObject[] = [],
  ) => keepRefusal({ metadata: METADATA, spec: { overrides, conditions }, status: { conditions: copied } });
  const [yes, no, unknown, odd] = ["True", "False", "Unknown", "Maybe"].map((status) => [buildCondition(status)]);
  const other = [buildCondition("False", { type: "Other" })];
  assert.ok(yes && no && unknown && odd);
  const table: readonly (readonly [kept: ReturnType<typeof build>, expected: string])[] = [
    [build([], []), ""],
    [build(other, other, other), ""],
    [build([], yes), ""],
    [build([], unknown), ""],
    [build([], no), "refusal spec.conditions"],
    [build([], [], no), "refusal status.conditions"],
    [build([], yes, no), ""],
    [build(yes, no, no), ""],
    [build(no, yes), "refusal spec.overrides"],
    [build(unknown, yes), "refusal spec.overrides"],
    [build(odd, yes), "unclear spec.overrides"],
    [build([], odd), "unclear spec.conditions"],
  ];
  for (const [kept, expected] of table) {
    assert.equal(kept === undefined ? "" : `${kept.kind} ${kept.path}`, expected);
    if (kept?.kind === "refusal") assert.equal(kept.isOverridden, expected.endsWith("overrides"));
  }
});

test("an operator's refusal counts after half an hour, and an override at once", () => {
  const judge = (
    conditions: JsonObject,
    path: "conditions" | "overrides" = "conditions",
    pending: readonly string[] = [],
  ) => {
    const refusal = keepRefusal({ kind: "OperatorCondition", metadata: METADATA, spec: { [path]: [conditions] } });
    const updates = pending.map((one) => {
      const [namespace = "", installedCsv = ""] = one.split("/");
      const update = { nextCsv: "a.v2", isWaitingForApproval: false, installPlan: "" };
      return { namespace, name: "s", package: "a", installedCsv, ...update };
    });
    const operators = { conditions: refusal === undefined ? [] : [refusal], pending: updates, unresolved: [] };
    const { findings = [], notices = [], unknowns = [] } = judgeOperators(operators, NOW);
    return [...findings, ...unknowns]
      .map(({ message }) => message)
      .concat(notices)
      .join();
  };
  const refuses = "The operator reports that it must not be updated now";
  const brief =
    "Operators have reported for less than half an hour that they must not be updated: OperatorCondition shop/a.v1. If this lasts, it becomes a risk.";
  const table: readonly (readonly [text: string, expected: string])[] = [
    [judge(buildCondition("False", at("11:30:00"))), `${refuses} (Why: "It is 'odd'").`],
    [judge(buildCondition("False", at("11:30:01"))), brief],
    [judge(buildCondition("False")), `${refuses} (Why: "It is 'odd'").`],
    [judge(buildCondition("False", { message: "" })), `${refuses} (Why).`],
    [judge(buildCondition("False", { reason: "" })), `${refuses} ("It is 'odd'").`],
    [judge(buildCondition("False", { reason: "", message: "" })), `${refuses}.`],
    [
      judge(buildCondition("False", at("11:59:00")), "overrides"),
      `An administrator's override forbids updates of the operator now (Why: "It is 'odd'").`,
    ],
    [
      judge(buildCondition("False", { message: "" }), "conditions", ["shop/a.v1"]),
      `${refuses} (Why). OLM holds back its update to a.v2.`,
    ],
    [judge(buildCondition("False", { message: "" }), "conditions", ["shop/b.v1", "other/a.v1"]), `${refuses} (Why).`],
    [
      judge(buildCondition("a".repeat(41))),
      `the status of Upgradeable is "${"a".repeat(40)}", which is not a valid status`,
    ],
  ];
  for (const [text, expected] of table) assert.equal(text, expected);
});

test("tells an installed operator whose updates OLM can't determine", () => {
  const build = (conditions: readonly JsonObject[], installedCSV = "a.v1") =>
    keepSubscription({ metadata: METADATA, status: { installedCSV, conditions } })?.unresolved?.type;
  const [failed, unhealthy] = ["ResolutionFailed", "CatalogSourcesUnhealthy"].map((type) =>
    buildCondition("True", { type }),
  );
  assert.ok(failed && unhealthy);
  assert.equal(build([failed]), "ResolutionFailed");
  assert.equal(build([failed, unhealthy]), "CatalogSourcesUnhealthy");
  assert.equal(build([failed], ""), undefined);
  assert.equal(build([{ ...failed, status: "False" }]), undefined);
  assert.equal(build([{ ...failed, type: "Other" }]), undefined);
  const extension = (installed: string, reason: string) =>
    keepUnresolvedExtension({
      metadata: { name: "a" },
      status: {
        conditions: [
          { type: "Installed", status: installed },
          { type: "Progressing", status: "True", reason },
        ],
      },
    })?.reason;
  assert.deepEqual(
    [
      extension("True", "Retrying"),
      extension("True", "Blocked"),
      extension("True", "Succeeded"),
      extension("False", "Blocked"),
    ],
    ["Retrying", "Blocked", undefined, undefined],
  );
});

test("an unresolved update counts after half an hour, and one that waits for approval is noticed", () => {
  const object = { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription", namespace: "shop", name: "a" };
  const judge = (since: string, reason = "Why") => {
    const unresolved: Unresolved = { object, type: "ResolutionFailed", reason, message: "", since };
    return judgeOperators({ conditions: [], pending: [], unresolved: [unresolved] }, NOW).findings ?? [];
  };
  assert.equal(judge("2026-03-01T11:30:01Z").length, 0);
  for (const since of ["2026-03-01T11:30:00Z", ""]) assert.equal(judge(since).length, 1);
  const [finding] = judge("");
  assert.equal(
    finding?.message,
    "Its condition ResolutionFailed says that OLM can't determine or install its updates (Why).",
  );
  assert.deepEqual([finding.path, finding.detail], ["status.conditions[ResolutionFailed]", { reason: "Why" }]);
  assert.equal(judge("", "")[0]?.detail, undefined);
  const pending = [true, false].map((isWaitingForApproval, i) => {
    const installedCsv = "a.v1";
    const update = { nextCsv: "a.v2", isWaitingForApproval, installPlan: "" };
    return { namespace: "shop", name: `s${i}`, package: "a", installedCsv, ...update };
  });
  const { notices = [] } = judgeOperators({ conditions: [], pending, unresolved: [] }, NOW);
  assert.match(notices.join(), /^Updates of operators wait for approval: Subscription shop\/s0 \(to a\.v2\)\. /);
});
