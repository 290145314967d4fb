import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckReport, Outcome } from "../../src/model/report.ts";
import {
  type Unseen,
  collectUnseen,
  isComplete,
  isUnknownRiskName,
  isUnseenRiskName,
  selectOpenUnseen,
} from "../../src/model/unseen.ts";
import { version } from "../support/fixtures.ts";

const FORBIDDEN = { reason: "Forbidden", where: "v1/nodes", message: "no right" } as const;
const TIMED_OUT = { reason: "TimedOut", where: "v1/pods", message: "too late" } as const;
const NOT_APPLICABLE: Outcome = { kind: "notApplicable", reason: "No." };
const CLEAR: Outcome = { kind: "clear", notices: [] };
const UNKNOWN: Outcome = { kind: "unknown", unknowns: [FORBIDDEN, TIMED_OUT], findings: [], notices: [] };

function check(id: string, outcome: Outcome, more: Partial<CheckReport> = {}): CheckReport {
  return { id, name: `Name${id}`, title: id, outcome, ...more };
}

function collect(checks: readonly CheckReport[], source = "4.18.1", target = "4.19.1"): readonly Unseen[] {
  return collectUnseen({ checks, source: version(source), target: version(target) });
}

test("a name ends so if its risk is of something unknown, or is one of three", () => {
  const names = ["NodesUnknown", "UnknownNodes", "PreflightChecksLeftOut", "PreflightMinorsBetween", "Preflight"];
  assert.deepEqual(names.filter(isUnknownRiskName), ["NodesUnknown"]);
  const unseen = ["NodesUnknown", "PreflightChecksLeftOut", "PreflightMinorsBetween"];
  assert.deepEqual(names.filter(isUnseenRiskName), unseen);
  assert.equal(isUnseenRiskName("PreflightNothingChecked"), true);
});

test("each unknown of a check was not seen, under the name of its risk", () => {
  const accepted = { check: "B", reason: "no nodes" };
  const checks = [
    check("A", UNKNOWN),
    check("B", UNKNOWN, { leftOut: { accepted } }),
    check("C", { ...UNKNOWN, unknowns: [FORBIDDEN] }, { leftOut: {} }),
    check("D", CLEAR),
  ];
  const leftOut = "PreflightChecksLeftOut";
  assert.deepEqual(collect(checks), [
    { check: "A", risk: "NameAUnknown", unknown: FORBIDDEN },
    { check: "A", risk: "NameAUnknown", unknown: TIMED_OUT },
    { check: "B", risk: leftOut, unknown: FORBIDDEN, accepted },
    { check: "B", risk: leftOut, unknown: TIMED_OUT, accepted },
    { check: "C", risk: leftOut, unknown: FORBIDDEN },
  ]);
});

test("a result for which no check applies saw nothing", () => {
  const message = "none of the checks applies to it";
  const nothing = { reason: "NothingChecked", where: "the update", message } as const;
  const none = check("A", NOT_APPLICABLE);
  for (const checks of [[none], [none, none]])
    assert.deepEqual(collect(checks), [{ risk: "PreflightNothingChecked", unknown: nothing }]);
  assert.deepEqual(collect([none, check("B", CLEAR)]), []);
  assert.deepEqual(collect([]), []);
  assert.deepEqual(
    collect([none], "4.18.1", "4.20.1").map(({ risk }) => risk),
    ["PreflightMinorsBetween"],
  );
});

test("minors that an update passes were not seen", () => {
  const expected = (text: string): readonly Unseen[] => {
    const unknown = { reason: "MinorsBetween", where: "the releases on the way", message: text } as const;
    return [{ risk: "PreflightMinorsBetween", unknown }];
  };
  const [end, way] = ["this is several updates, and only the last release was checked.", "checks each of them"];
  const kubernetes = "Check each minor with --target-version once the cluster runs the one before it";
  assert.deepEqual(
    collect([check("A", CLEAR)], "4.18.1", "4.20.1"),
    expected(`4.19 lies between 4.18.1 and 4.20.1: ${end} "preflight plan --to 4.20.1" ${way}`),
  );
  assert.deepEqual(
    collect([], "4.18.1", "4.21.1"),
    expected(`4.19 and 4.20 lie between 4.18.1 and 4.21.1: ${end} "preflight plan --to 4.21.1" ${way}`),
  );
  assert.deepEqual(
    collect([], "1.33.1", "1.35.1"),
    expected(`1.34 lies between 1.33.1 and 1.35.1: ${end} ${kubernetes}`),
  );
});

test("a result is complete if all that was not seen is accepted with a reason, and risks may be accepted by name", () => {
  const open = (risk: string): Unseen => ({ risk, unknown: FORBIDDEN });
  const accepted: Unseen = { ...open("A"), accepted: { check: "a", reason: "no nodes" } };
  const lists = [[], [accepted], [open("B")], [accepted, open("B")]];
  assert.deepEqual(
    lists.map((unseen) => isComplete({ unseen })),
    [true, true, false, false],
  );
  const unseen = [accepted, open("B"), open("C")];
  assert.deepEqual(selectOpenUnseen({ unseen }, new Set(["B"])), [open("C")]);
  assert.deepEqual(selectOpenUnseen({ unseen }, new Set(["A"])), [open("B"), open("C")]);
});
