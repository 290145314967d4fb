import type { Check, Context, Finding, RiskText, Unknown } from "../../model/check.ts";
import { type Commands, getFixKind, buildObjectCommand } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import type { CheckReport, Coverage, Outcome, Report, ReportRisk } from "../../model/report.ts";
import { type CheckAcceptance, collectUnseen, hasLapsed } from "../../model/unseen.ts";
import type { ListedRisk } from "../facts/openshift-facts.ts";
import type { OwnerIndex } from "../gather/gathering.ts";
import { type CheckVerdict, limitOutcome } from "../judge/judge.ts";
import type { ReadyUpdate, LeftOutCheck } from "../updates/update.ts";
import { redactOutcome, redactVerification } from "./redact-report.ts";
import { buildRisks, buildUnseenRisks, findHalfPlace } from "./risks.ts";
import type { HalfPlace } from "../../model/halves.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isVisibleLine, toLine } from "../../model/visible-text.ts";
import { type CheckOrigin, attribute } from "../../model/check-origin.ts";
import { isSetByHostedCluster } from "../../model/infrastructure.ts";
import { formatTime } from "../../model/time.ts";
import { findNotApplicableReason } from "../updates/applicable-checks.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { CONDITIONAL_UPDATE_RISK, getOperatorRiskName } from "../../model/cluster-version-risks.ts";

/** What a report says of one check. */
export type CheckResult = {
  readonly report: CheckReport;
  readonly risks: readonly ReportRisk[];
  /** The names of others that its notices are about, if it could look at everything. */
  readonly noticedRisks?: readonly string[];
};

/** What a report needs of its update. */
type ReportedUpdate = {
  readonly context: Context;
  readonly owners?: Pick<OwnerIndex, "find">;
  /** Those of the operator's risks that are not to be reported again. */
  readonly listedRisks?: readonly ListedRisk[];
};

export function buildCheckResult(
  check: Check,
  { outcome, judged, noticedRisks, operators }: CheckVerdict,
  { context, owners, listedRisks = [] }: ReportedUpdate,
): CheckResult {
  const { id, name, title, origin, special } = check;
  const reported = omitOperatorRisks(
    check,
    outcome,
    listedRisks.filter(({ version }) => version === context.target.text),
  );
  const { outcome: limited, omittedFindings } = limitOutcome(check, reported);
  const place = findHalfPlace(check, context);
  return {
    report: {
      id,
      name,
      title,
      origin,
      subject: special?.subject,
      judged,
      operators,
      outcome: redactOutcome(
        attributeOutcome(
          addOwners(
            addHalf(addCommands(check, limited, context), place),
            place.half === "management" ? undefined : owners,
          ),
          origin,
        ),
      ),
      omittedFindings,
      ...place,
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
    isHosted: context.isHosted || undefined,
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

/** Of others, notices say whose they are, and no text begins a line of its own. */
function attributeOutcome(outcome: Outcome, origin: CheckOrigin | undefined): Outcome {
  if (origin === undefined) return outcome;
  if (outcome.kind === "notApplicable") return { ...outcome, reason: toLine(outcome.reason) };
  const notices = outcome.notices.map((notice) => attribute(notice, origin));
  if (outcome.kind === "clear") return { ...outcome, notices };
  const findings = outcome.findings.map((one) => ({ ...one, message: toLine(one.message) }));
  if (outcome.kind === "risk") return { ...outcome, notices, findings };
  const unknowns = outcome.unknowns.map((one) => ({
    ...one,
    where: toLine(one.where),
    message: toLine(one.message),
  }));
  return { ...outcome, notices, findings, unknowns };
}

/** Adds to each finding the commands that show the fault and those that remove it. */
export function addCommands(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const findings = outcome.findings.map((finding) => ({ ...finding, ...buildCommands(check, finding, context) }));
  return { ...outcome, findings };
}

function addHalf(outcome: Outcome, { half }: HalfPlace): Outcome {
  if (half === undefined || (outcome.kind !== "risk" && outcome.kind !== "unknown")) return outcome;
  const findings = outcome.findings.map((finding) => ({ ...finding, half }));
  if (outcome.kind === "risk") return { ...outcome, findings };
  return { ...outcome, findings, unknowns: outcome.unknowns.map((unknown) => ({ ...unknown, half })) };
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
  // The API server would refuse the commands; the risk says where the change is made.
  if (risk.fix === undefined || (context.isHosted && isSetByHostedCluster(finding.object))) return {};
  const fix = risk.fix(finding, context);
  return fix.length > 0 && fix.every(isVisibleLine) ? { fix, fixKind: getFixKind(risk.fixKind, finding) } : {};
}

/** An archive may hold what no API server serves, such as a kind that a command would take for an option. */
function isServable({ apiVersion, kind, name }: ObjectRef): boolean {
  return /^[\w./-]*$/.test(apiVersion) && /^\w+$/.test(kind) && !name.startsWith("-");
}

/** The report of a check that was left out: unknown, unless it does not apply anyway. An acceptance counts until its last day. */
export function reportLeftOut({ check, accepted, ...leftOut }: LeftOutCheck, context: Context): CheckReport {
  const { id, name, title, origin } = check;
  const common = { id, name, title, origin, ...findHalfPlace(check, context) };
  const reason = findNotApplicableReason(check, context);
  if (reason !== undefined) return { ...common, outcome: { kind: "notApplicable", reason } };
  const holding = accepted === undefined || hasLapsed(accepted, formatTime(context.now)) ? undefined : accepted;
  const unknowns = [buildUnknown(leftOut, holding)];
  return {
    ...common,
    outcome: { kind: "unknown", unknowns, findings: [], notices: [] },
    leftOut: { accepted: holding, clearAt: leftOut.clearAt },
  };
}

function buildUnknown(
  { by, why = "was left out" }: Omit<LeftOutCheck, "check">,
  accepted: CheckAcceptance | undefined,
): Unknown {
  const until = accepted?.until === undefined ? "" : ` until ${accepted.until}`;
  const message =
    accepted === undefined
      ? `the check ${why}`
      : `the check was left out, which is accepted${until}: ${accepted.reason}`;
  return { reason: "LeftOut", where: by, message };
}

/** The outcome without the findings that ClusterVersion shows as risks of this update; a notice says where. `listed`: those of the target. */
function omitOperatorRisks(check: Check, outcome: Outcome, listed: readonly ListedRisk[]): Outcome {
  if (listed.length === 0 || (outcome.kind !== "risk" && outcome.kind !== "unknown")) return outcome;
  const shown = new Map(
    outcome.findings.flatMap((finding) => {
      const risk = findListedRisk(check, finding, listed);
      return risk ? [[finding, risk] as const] : [];
    }),
  );
  if (shown.size === 0) return outcome;
  const findings = outcome.findings.filter((finding) => !shown.has(finding));
  const notices = [...outcome.notices, ...buildOmissionNotices(shown)].toSorted(compareText);
  return outcome.kind === "risk" && findings.length === 0
    ? { kind: "clear", notices }
    : { ...outcome, findings, notices };
}

function findListedRisk(check: Check, finding: Finding, listed: readonly ListedRisk[]): ListedRisk | undefined {
  const liftedAs = check.risks.find(({ name }) => name === finding.risk)?.knownAs?.liftedAs;
  const name = liftedAs === undefined ? undefined : getOperatorRiskName(liftedAs, finding);
  // A finding that is the listed risk itself needs no object in common with its alert.
  const isItself = liftedAs === CONDITIONAL_UPDATE_RISK;
  return listed.find((risk) => risk.name === name && (isItself || isAbout(risk, finding)));
}

/** An alert for objects names them as "Namespace=demo, PodDisruptionBudget=web."; another object's alert proves nothing. */
function isAbout({ about }: ListedRisk, { object }: Finding): boolean {
  if (!/\bNamespace=\S*, \w+=/.test(about)) return true;
  return about.includes(`Namespace=${object.namespace ?? ""}, ${object.kind}=${object.name}.`);
}

function buildOmissionNotices(shown: ReadonlyMap<Finding, ListedRisk>): readonly string[] {
  return [...Map.groupBy(shown, ([{ risk }]) => risk)].map(([risk, group]) => {
    const [count, verb, pronoun] =
      group.length === 1 ? ["1 finding", "is", "it"] : [`${group.length} findings`, "are", "them"];
    return `${count} of ${risk} ${verb} omitted: the cluster-version operator reports ${pronoun} itself (${formatPlace(group.map(([, listed]) => listed))}).`;
  });
}

function formatPlace(listed: readonly ListedRisk[]): string {
  const names = sortNames(listed.map(({ name }) => name));
  const what = names.length === 1 ? "risk" : "risks";
  return `ClusterVersion version, status.conditionalUpdates of ${listed[0]?.version ?? ""}, ${what} ${joinNames(names)}`;
}
