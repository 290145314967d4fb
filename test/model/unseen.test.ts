import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckReport, Outcome } from "../../src/model/report.ts";
import type { MinorsBetween } from "../../src/model/route.ts";
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

function collect(
  checks: readonly CheckReport[],
  source = "4.18.1",
  target = "4.19.1",
  minorsBetween?: MinorsBetween,
): readonly Unseen[] {
  return collectUnseen({ checks, source: version(source), target: version(target), minorsBetween });
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
    collect([none], "4.18.1", "4.20.1", { names: ["4.19"] }).map(({ risk }) => risk),
    ["PreflightMinorsBetween"],
  );
});

test("an update that passes minors is one update, unless it is said to be several", () => {
  assert.deepEqual(collect([check("A", CLEAR)], "5.0.8", "5.2.2"), []);
});

test("the releases of several updates were not seen, and whether there are several may not be known", () => {
  const expected = (message: string): readonly Unseen[] => {
    const unknown = { reason: "MinorsBetween", where: "the releases on the way", message } as const;
    return [{ risk: "PreflightMinorsBetween", unknown }];
  };
  const end = "several updates, and only the last release was checked.";
  const offer = "The update service does not offer it to this cluster as one.";
  assert.deepEqual(
    collect([check("A", CLEAR)], "4.18.1", "4.20.1", { names: ["4.19"] }),
    expected(
      `4.19 lies between 4.18.1 and 4.20.1: this is ${end} ${offer} "preflight plan --to 4.20.1" checks each of them`,
    ),
  );
  assert.match(
    collect([], "4.18.1", "4.20.1", { names: ["4.19"], channel: "eus-4.18" })[0]?.unknown.message ?? "",
    /offer it to this cluster as one in the channel eus-4\.18\. "preflight plan/,
  );
  assert.deepEqual(
    collect([], "4.18.1", "4.21.1", { names: ["4.19", "4.20"], unknown: "it is down" }),
    expected(
      `4.19 and 4.20 lie between 4.18.1 and 4.21.1: this may be ${end} Whether the update service offers it as one is not known: it is down. "preflight plan --to 4.21.1" checks each of them`,
    ),
  );
  assert.deepEqual(
    collect([], "1.33.1", "1.35.1", { names: ["1.34"] }),
    expected(
      `1.34 lies between 1.33.1 and 1.35.1: this is ${end} Check each minor with --target-version once the cluster runs the one before it`,
    ),
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
