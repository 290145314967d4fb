import type { Effect, Finding } from "../../model/check.ts";
import { formatOrigin, nameOrigin } from "../../model/check-origin.ts";
import { formatOwner } from "../../model/owner.ts";
import { type CheckReport, getNotices, isNotApplicable, type Report } from "../../model/report.ts";
import { formatRef } from "../../model/resource.ts";
import { MAX_NAMED } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { selectOpenUnseen, type Unseen } from "../../model/unseen.ts";
import { formatJsonText, toLine } from "../../model/visible-text.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { formatFixLabel, formatLabel } from "../text/page.ts";
import { decide, formatClusterOrigin, formatUpdate } from "../view/decision.ts";
import { collectUnknownCauses, describeBroughtCheck, sortUnseen } from "../view/lists.ts";
import { findMissingRights } from "../view/unknown-section.ts";
import {
  type Format,
  formatAcceptances,
  formatLeadTime,
  getEffect,
  getEffectHeadings,
  listRiskEntries,
  type RiskEntry,
  type View,
} from "../view/view.ts";
import {
  buildOperatorStatus,
  buildSummary,
  type FindingComponent,
  type ReadinessDecision,
  type ReadinessRow,
  type RowStatus,
} from "./readiness-components.ts";

/**
 * For the page of OpenShift's console that shows what an agent of the cluster-version operator found before an update;
 * schemas/ota-analysis-v1alpha1.schema.json describes it.
 */
export const formatReadiness: Format = (view) => formatJsonText({ analysisData: buildComponents(view) });

function buildComponents(view: View): readonly object[] {
  const { report } = view;
  // What was not seen shows, also where it is no risk of the document.
  const entries = listRiskEntries({ ...view, hasUnknownRisks: true });
  const decision = decideReadiness(entries, view);
  const rows = [
    ...report.checks.flatMap((check) => buildCheckRow(check, entries, view)),
    ...report.unseen.flatMap((one) => (one.check === undefined ? buildUnseenRow(one, view) : [])),
  ];
  return [
    buildSummary(decision, [buildUpdateRow(decision, view), ...sortRows(rows)]),
    ...entries.map((entry) => buildEntryFinding(entry, report)),
    ...report.checks.flatMap(buildNoticeFindings),
    ...buildOperatorStatus(report.checks.flatMap(({ operators }) => operators ?? [])),
  ];
}

/** Nothing is recommended where something was found or not seen, also if that is accepted: the reader may not be who accepted it. */
function decideReadiness(entries: readonly RiskEntry[], { report, accepted }: View): ReadinessDecision {
  if (entries.some((entry) => getSeverity(entry) === "blocker")) return "block";
  if (selectOpenUnseen(report, accepted).length > 0) return "escalate";
  return entries.length > 0 || report.unseen.length > 0 ? "caution" : "recommend";
}

const SEVERITIES: Readonly<Record<Effect, "blocker" | "warning">> = {
  refused: "blocker",
  notRecommended: "warning",
  stuck: "blocker",
  broken: "warning",
};

function getSeverity({ risk, isAccepted }: RiskEntry): FindingComponent["severity"] {
  if (isAccepted) return "info";
  return risk.unknown ? "warning" : SEVERITIES[getEffect(risk)];
}

const STATUSES: Readonly<Record<ReadinessDecision, RowStatus>> = {
  recommend: "pass",
  caution: "warn",
  block: "fail",
  escalate: "error",
};

/** What the result is about: the page has no other place for it. */
function buildUpdateRow(decision: ReadinessDecision, view: View): ReadinessRow {
  const { report, document } = view;
  const read = `Read at ${formatTime(report.observedAt)} by preflight ${document.runner?.version ?? "of unknown version"}`;
  const sentences = [decide(report, view).words, read, ...formatClusterOrigin(report, view)];
  return { name: formatUpdate(report), status: STATUSES[decision], detail: `${sentences.join(". ")}.` };
}

function buildCheckRow(
  check: CheckReport,
  entries: readonly RiskEntry[],
  { report, accepted }: View,
): readonly ReadinessRow[] {
  if (isNotApplicable(check)) return [];
  const found = entries.filter(({ risk }) => risk.check === check.id && !risk.unknown);
  const unseen = sortUnseen(report.unseen).filter((one) => one.check === check.id);
  const open = selectOpenUnseen({ unseen }, accepted);
  const brought = describeBroughtCheck(check);
  const texts = [
    ...found.map(({ risk, isAccepted }) => `${risk.name}${isAccepted ? " (accepted)" : ""}`),
    ...summarizeUnseen(unseen),
    ...(brought === undefined ? [] : [brought]),
  ];
  const isClear = found.length + unseen.length === 0;
  return [
    {
      name: check.id,
      status: getRowStatus(found, open, isClear),
      detail: [...(isClear ? [check.title] : []), ...texts].join("; "),
    },
  ];
}

/** The page keeps the order: what needs work comes first. */
function sortRows(rows: readonly ReadinessRow[]): readonly ReadinessRow[] {
  const order: readonly RowStatus[] = ["fail", "error", "warn", "pass"];
  return rows.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
}

function getRowStatus(found: readonly RiskEntry[], open: readonly Unseen[], isClear: boolean): RowStatus {
  if (found.some((entry) => getSeverity(entry) === "blocker")) return "fail";
  if (open.length > 0) return "error";
  return isClear ? "pass" : "warn";
}

function summarizeUnseen(unseen: readonly Unseen[]): readonly string[] {
  const more = unseen.length - MAX_NAMED;
  return [
    ...unseen.slice(0, MAX_NAMED).map(({ unknown }) => formatUnknown(unknown)),
    ...(more > 0 ? [`and ${more} more (all with -o json)`] : []),
  ];
}

function buildUnseenRow(unseen: Unseen, { report, accepted }: View): ReadinessRow {
  const isOpen = selectOpenUnseen(report, accepted).includes(unseen);
  return { name: unseen.risk, status: isOpen ? "error" : "warn", detail: formatUnknown(unseen.unknown) };
}

/** The page draws each finding as a box, and a cluster may have thousands of objects. */
const MAX_RESOURCES = 20;

function buildEntryFinding(entry: RiskEntry, report: Report): FindingComponent {
  const { risk, findings, isAccepted } = entry;
  const resources = risk.unknown
    ? sortUnseen(report.unseen).flatMap((one) => (one.risk === risk.name ? formatUnknown(one.unknown) : []))
    : findings.map((finding) => `${formatOrigin(risk.origin)}${formatAffected(finding)}`);
  const more = resources.length - MAX_RESOURCES;
  const shown = [
    ...resources.slice(0, MAX_RESOURCES),
    ...(more > 0 ? [`and ${more} more (all with -o json)`] : []),
  ].map(toLine);
  return {
    type: "ota_finding",
    severity: getSeverity(entry),
    check: risk.check ?? risk.name,
    detail: formatDetail(entry, report),
    affectedResources: shown.length === 0 ? undefined : shown,
    prerequisite: isAccepted ? undefined : formatPrerequisite(entry, report),
    verifyCommand: isOwn(entry) ? joinCommands(listSeeCommands(entry)) : undefined,
  };
}

function formatAffected({ object, path, message, owners = [] }: Finding): string {
  const place = path === undefined ? "" : ` (${path})`;
  const whose = owners.length === 0 ? "" : ` [${owners.map(formatOwner).join("; ")}]`;
  return `${formatRef(object)}${place}${whose}${message === "" ? "" : `: ${message}`}`;
}

/** The page prints it as one paragraph, under the severity and the check. */
function formatDetail({ risk, isAccepted, acceptances }: RiskEntry, report: Report): string {
  const { name, description, published = [], url } = risk;
  const effect = risk.unknown ? [] : [`${getEffectHeadings(report)[getEffect(risk)]}.`];
  const takes = formatLeadTime(risk);
  return [
    ...(isAccepted ? [formatAcceptances(acceptances, "Accepted.")] : []),
    `${name}: ${description}`,
    ...effect,
    ...(takes === undefined ? [] : [`The remedy ${takes}.`]),
    ...(published.length === 0 ? [] : [`The update service calls it ${published.join(", ")}.`]),
    url,
  ].join(" ");
}

function formatPrerequisite(entry: RiskEntry, report: Report): string {
  const { risk, findings } = entry;
  if (risk.unknown) return [risk.remediation, ...formatGrants(risk.check, report), `Accept as ${risk.name}.`].join(" ");
  const origin = risk.origin && nameOrigin(risk.origin);
  const fixes = findings.slice(0, MAX_NAMED).filter(({ fix = [] }) => fix.length > 0);
  const fix = joinCommands(fixes.map((one) => (one.fix ?? []).join(" && ")));
  // The page has no room to say whose a command is.
  const see = isOwn(entry) ? undefined : joinCommands(listSeeCommands(entry));
  return [
    risk.remediation,
    ...(fix === undefined ? [] : [`${formatFixLabel(fixes[0]?.fixKind, origin)}: ${fix}`]),
    ...(see === undefined ? [] : [`${formatLabel("See", undefined, origin)}: ${see}`]),
  ].join(" ");
}

/** Whether this build wrote the commands. */
function isOwn({ risk }: RiskEntry): boolean {
  return formatOrigin(risk.origin) === "";
}

function listSeeCommands({ findings }: RiskEntry): readonly string[] {
  return findings.slice(0, MAX_NAMED).flatMap(({ see = [] }) => see);
}

function formatGrants(check: string | undefined, report: Report): readonly string[] {
  const causes = collectUnknownCauses(report).filter(({ checks }) => check !== undefined && checks.includes(check));
  return findMissingRights(causes, report).users.map(({ command }) => `An administrator grants them with: ${command}.`);
}

/** In one line, since the page keeps no line breaks; each command once. */
function joinCommands(commands: readonly string[]): string | undefined {
  return commands.length === 0 ? undefined : [...new Set(commands)].join("; ");
}

function buildNoticeFindings({ id, outcome }: CheckReport): readonly FindingComponent[] {
  return getNotices(outcome).map((detail) => ({ type: "ota_finding", severity: "info", check: id, detail }));
}
