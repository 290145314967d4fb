import assert from "node:assert/strict";
import { test } from "node:test";
import { getExitCode } from "../../../src/cli/session/result.ts";
import { type Decision, decide } from "../../../src/format/view/decision.ts";
import type { Report } from "../../../src/model/report.ts";
import { check, report, reportOf, risk, version } from "../../../verify/pages/sample.ts";

const PATCH = { target: version("4.18.9") };
const CODES: Readonly<Record<Decision["kind"], number>> = { risk: 3, incomplete: 4, clear: 0 };

const CASES: readonly (readonly [name: string, Report, accepted: readonly string[], words: RegExp])[] = [
  ["a risk", reportOf([risk("A")], PATCH), [], /^Don't update yet$/],
  ["a risk beside an incomplete check", reportOf([risk("A"), risk("SampleUnknown")], PATCH), [], /^Don't update/],
  ["an accepted risk", reportOf([risk("A")], PATCH), ["A"], /^Only accepted risks were found$/],
  ["an incomplete check", reportOf([risk("SampleUnknown")], PATCH), [], /could not be completed$/],
  [
    "an accepted incomplete check",
    reportOf([risk("SampleUnknown")], PATCH),
    ["SampleUnknown"],
    /^No risk was found, and what was not seen is accepted$/,
  ],
  [
    "an accepted risk of several updates",
    reportOf([risk("A")]),
    ["A"],
    /^Not decided: only the last release was checked/,
  ],
  ["no risk", report({ ...PATCH, checks: [check("a", { kind: "clear", notices: [] })] }), [], /^No risk was found$/],
  [
    "no check that applies",
    report({ ...PATCH, checks: [check("a", { kind: "notApplicable", reason: "It is old." })] }),
    [],
    /^Not decided: nothing was checked$/,
  ],
];
for (const [name, of, accepted, words] of CASES)
  test(`the decision on ${name} is what the exit code says`, () => {
    const names = new Set(accepted);
    const decision = decide(of, { accepted: names });
    assert.match(decision.words, words);
    assert.equal(CODES[decision.kind], getExitCode([decision.kind], "incomplete"));
  });
