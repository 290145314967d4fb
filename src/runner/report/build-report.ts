import type { Check, Context, Finding, RiskText } from "../../model/check.ts";
import { type Commands, getFixKind } from "../../model/fix-kind.ts";
import { compareText } from "../../model/json.ts";
import type { CheckReport, Coverage, Outcome, Report, ReportRisk } from "../../model/report.ts";
import { collectUnseen } from "../../model/unseen.ts";
import type { ListedRisk } from "../facts/listed-risks.ts";
import type { OwnerIndex } from "../gather/owner-index.ts";
import type { CheckVerdict } from "../judge/judge.ts";
import { limitOutcome } from "../judge/limit-outcome.ts";
import type { ReadyUpdate } from "../updates/prepare-update.ts";
import { reportLeftOut } from "./left-out.ts";
import { omitOperatorRisks } from "./operator-risks.ts";
import { redactOutcome, redactVerification } from "./redact-report.ts";
import { buildRisks } from "./risks.ts";
import { buildUnseenRisks } from "./unseen-risks.ts";
import { buildObjectCommand } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isVisibleLine } from "../../model/visible-text.ts";

/** What a report says of one check. */
export type CheckResult = {
  readonly report: CheckReport;
  readonly risks: readonly ReportRisk[];
  /** The names of others that its notices are about, if it could look at everything. */
  readonly noticedRisks?: readonly string[];
};

/** What a report needs of its update. */
export type ReportedUpdate = {
  readonly context: Context;
  readonly owners?: Pick<OwnerIndex, "find">;
  /** Those of the operator's risks that are not to be reported again. */
  readonly listedRisks?: readonly ListedRisk[];
};

export function buildCheckResult(
  check: Check,
  { outcome, judged, noticedRisks }: CheckVerdict,
  { context, owners, listedRisks = [] }: ReportedUpdate,
): CheckResult {
  const { id, name, title, origin } = check;
  const reported = omitOperatorRisks(
    check,
    outcome,
    listedRisks.filter(({ version }) => version === context.target.text),
  );
  const { outcome: limited, omittedFindings } = limitOutcome(check, reported);
  return {
    report: {
      id,
      name,
      title,
      origin,
      judged,
      outcome: redactOutcome(addOwners(addCommands(check, limited, context), owners)),
      omittedFindings,
    },
    risks: buildRisks(check, reported, context),
    noticedRisks,
  };
}

/** The report about one update: the results of the checks that were judged, and why the others were not. */
export function buildReport(
  { context, minorsBetween, notApplicable, leftOut }: ReadyUpdate,
  judged: readonly CheckResult[],
  cluster: { readonly coverage: Coverage; readonly clusterId: string | undefined },
): Report {
  const { source, target, release, now } = context;
  const others = [...notApplicable].map(([check, reason]) =>
    buildCheckResult(check, { outcome: { kind: "notApplicable", reason } }, { context }),
  );
  const notRun = leftOut.map((check) => reportLeftOut(check, context));
  const checks = [...[...judged, ...others].map(({ report }) => report), ...notRun];
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  const unseen = collectUnseen({ checks: sorted, source, target, minorsBetween });
  const risks = [...judged.flatMap((result) => result.risks), ...buildUnseenRisks(unseen, context)];
  return {
    source,
    target,
    minorsBetween,
    crdFolder: release.crdFolder,
    image: release.image,
    imageVerification: redactVerification(release.imageVerification),
    clusterId: cluster.clusterId,
    digest: release.digest,
    observedAt: now,
    checks: sorted,
    risks: risks.toSorted((a, b) => compareText(a.name, b.name)),
    unseen,
    coverage: cluster.coverage,
  };
}

/** Adds to each finding the commands that show the fault and those that remove it. */
export function addCommands(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const findings = outcome.findings.map((finding) => ({ ...finding, ...buildCommands(check, finding, context) }));
  return { ...outcome, findings };
}

/** Adds to each finding, and to each object that could not be checked, whom it belongs to. */
function addOwners(outcome: Outcome, owners: Pick<OwnerIndex, "find"> | undefined): Outcome {
  if (owners === undefined || (outcome.kind !== "risk" && outcome.kind !== "unknown")) return outcome;
  const add = <T extends Pick<Finding, "object" | "owners">>(one: T): T => {
    const found = owners.find(one.object);
    return found.length === 0 ? one : { ...one, owners: found };
  };
  const findings = outcome.findings.map(add);
  if (outcome.kind === "risk") return { ...outcome, findings };
  const unknowns = outcome.unknowns.map((unknown) => ({
    ...unknown,
    at: unknown.at && add(unknown.at),
  }));
  return { ...outcome, findings, unknowns };
}

/**
 * Only what can be written exactly: an output shows a hidden character as text, with which a command would name something else. Steps that
 * remove a fault are offered together or not at all.
 */
function buildCommands(check: Check, finding: Finding, context: Context): Partial<Commands> {
  if (!isServable(finding.object)) return {};
  const risk = check.risks.find(({ name }) => name === finding.risk);
  const all = risk?.see?.(finding, context) ?? [buildObjectCommand(context.platform, "get", finding.object)];
  const see = all.filter(isVisibleLine);
  return { ...(see.length > 0 ? { see } : {}), ...(risk === undefined ? {} : buildFix(risk, finding, context)) };
}

function buildFix(risk: RiskText, finding: Finding, context: Context): Partial<Commands> {
  if (risk.fix === undefined) return {};
  const fix = risk.fix(finding, context);
  return fix.length > 0 && fix.every(isVisibleLine) ? { fix, fixKind: getFixKind(risk.fixKind, finding) } : {};
}

/** An archive may hold what no API server serves, such as a kind that a command would take for an option. */
function isServable({ apiVersion, kind, name }: ObjectRef): boolean {
  return /^[\w./-]*$/.test(apiVersion) && /^\w+$/.test(kind) && !name.startsWith("-");
}
