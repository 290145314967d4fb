import { formatFixLabel, formatLabel } from "../text/page.ts";
import { formatHalf } from "../../model/halves.ts";
import { nameOrigin } from "../../model/check-origin.ts";
import { type CheckReport, getNotices, type Report } from "../../model/report.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { formatUnknown, isReportedBy, sortUnknowns } from "../document/document-checks.ts";
import { formatTime } from "../../model/time.ts";
import { listAcceptNames } from "../view/lists.ts";
import { type Format, type RiskEntry, formatAcceptances, listRiskEntries } from "../view/view.ts";
import { escapeMarkup } from "../text/html-parts.ts";
import type { Finding } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import { formatCount } from "../../model/text.ts";

type TestCase = { readonly kind: "passed" | "failed" | "incomplete" | "skipped"; readonly lines: readonly string[] };

/**
 * A test suite of the update with a test case for each check, as CI systems read it: a failure is a risk, an error an incomplete check. They
 * show only one of both in a test case, so a check that found risks and could not be completed has two.
 */
export const formatJunit: Format = (view) => {
  const { report } = view;
  const entries = listRiskEntries(view);
  const cases = [
    ...report.checks.flatMap((check) => buildCases(check, entries, report)),
    ...entries.filter(concernsWholeResult).map(buildResultCase),
  ];
  const count = (kind: TestCase["kind"]): number => cases.filter((one) => one.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count("failed")}" errors="${count("incomplete")}" skipped="${count("skipped")}"`;
  const name = escapeMarkup(`preflight ${report.source.text} -> ${report.crdFolder ?? report.target.text}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="0">`,
    `  <testsuite name="${name}" ${counts} time="0" timestamp="${formatTime(report.observedAt).replace("Z", "")}">`,
    ...cases.flatMap(({ lines }) => lines.map((line) => `    ${line}`)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
};

function buildCases(check: CheckReport, entries: readonly RiskEntry[], report: Report): readonly TestCase[] {
  const skipped = findSkippedReason(check);
  if (skipped !== undefined)
    return [{ kind: "skipped", lines: wrapCase(check, [`<skipped message="${escapeMarkup(skipped)}"/>`]) }];
  const own = entries.filter(({ risk }) => isReportedBy(check, risk));
  const failures = own.filter(({ risk, isAccepted }) => !risk.unknown && !isAccepted).flatMap(formatFailure);
  const errors = formatIncomplete(check, own, report);
  const notes = formatNotes(own, getNotices(check.outcome));
  if (failures.length === 0)
    return [{ kind: errors.length === 0 ? "passed" : "incomplete", lines: wrapCase(check, [...errors, ...notes]) }];
  const failed: TestCase = { kind: "failed", lines: wrapCase(check, [...failures, ...notes]) };
  if (errors.length === 0) return [failed];
  const title = `${check.title} (incomplete)`;
  return [failed, { kind: "incomplete", lines: wrapCase({ ...check, title }, errors) }];
}

/** What the check could not see, unless that is accepted. */
function formatIncomplete(
  { id, outcome }: CheckReport,
  own: readonly RiskEntry[],
  { unseen }: Report,
): readonly string[] {
  if (outcome.kind !== "unknown") return [];
  const unknowns = own.filter(({ risk }) => risk.unknown);
  if (unknowns.length > 0 && unknowns.every(({ isAccepted }) => isAccepted)) return [];
  const places = sortUnknowns(outcome.unknowns).map(formatUnknown);
  return [formatError(places.join("; "), listAcceptNames(unseen.filter(({ check }) => check === id)))];
}

/** Why a check has no verdict, and needs none: it does not apply, or was left out for an accepted reason. */
function findSkippedReason({ outcome, leftOut }: CheckReport): string | undefined {
  if (outcome.kind === "notApplicable") return outcome.reason;
  if (outcome.kind !== "unknown" || leftOut?.accepted === undefined) return undefined;
  return outcome.unknowns.map(formatUnknown).join("; ");
}

/** What no check reports, such as minors between: a test case of its own. What was left out is told in the cases of its checks. */
function concernsWholeResult({ risk }: RiskEntry): boolean {
  return risk.check === undefined && risk.name !== UNSEEN_RISKS.leftOut;
}

function buildResultCase(entry: RiskEntry): TestCase {
  const { risk, isAccepted } = entry;
  const check = { id: risk.name, title: risk.title };
  if (isAccepted) return { kind: "passed", lines: wrapCase(check, formatNotes([entry], [])) };
  return { kind: "incomplete", lines: wrapCase(check, [formatError(risk.message, [risk.name])]) };
}

function formatError(message: string, acceptNames: readonly string[]): string {
  return `<error type="Incomplete" message="${escapeMarkup(message)}">Accept as: ${escapeMarkup(acceptNames.join(", "))}</error>`;
}

function wrapCase(
  { id, title, half }: Pick<CheckReport, "id" | "title" | "half">,
  content: readonly string[],
): readonly string[] {
  const attributes = `classname="preflight.${escapeMarkup(id)}" name="${escapeMarkup(`${formatHalf(half)}${title}`)}" time="0"`;
  if (content.length === 0) return [`<testcase ${attributes}/>`];
  return [`<testcase ${attributes}>`, ...content.map((line) => `  ${line}`), "</testcase>"];
}

function formatFailure({ risk, findings }: RiskEntry): readonly string[] {
  const origin = risk.origin && nameOrigin(risk.origin);
  const text = [
    ...formatFindingLines(findings, origin),
    `${formatLabel("Do", undefined, origin)}: ${risk.remediation}`,
    risk.url,
  ].join("\n");
  return [
    `<failure type="${escapeMarkup(risk.name)}" message="${escapeMarkup(risk.description)}">${escapeMarkup(text)}</failure>`,
  ];
}

function formatNotes(own: readonly RiskEntry[], notices: readonly string[]): readonly string[] {
  const accepted = own
    .filter(({ isAccepted }) => isAccepted)
    .map(({ risk, acceptances }) => `${risk.name}: ${formatAcceptances(acceptances, "Accepted")}`);
  const lines = [...accepted, ...notices.map((notice) => `Notice: ${notice}`)];
  return lines.length === 0 ? [] : [`<system-out>${escapeMarkup(lines.join("\n"))}</system-out>`];
}

const MAX_FINDINGS = 50;

/** Each finding with its commands, as plain lines; very many are cut, since -o json has all. */
function formatFindingLines(findings: readonly Finding[], origin: string | undefined): readonly string[] {
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .flatMap(({ object, path, message, see = [], fix = [], fixKind }) => [
      `${formatRef(object)}${path === undefined ? "" : ` ${path}`}: ${message}`,
      ...see.map((command) => `  ${formatLabel("See", undefined, origin)}  ${command}`),
      ...fix.map((command) => `  ${formatFixLabel(fixKind, origin)}  ${command}`),
    ]);
  const more = findings.length - MAX_FINDINGS;
  return more > 0 ? [...lines, `and ${formatCount(more, "more finding")} (all with -o json)`] : lines;
}
