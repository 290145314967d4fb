import type { PreflightDocument, DocumentRisk } from "../../model/document.ts";
import { compareText, isDifferent } from "../../model/json.ts";
import type { CycleResult, CycleFailure, Report, ReportRisk } from "../../model/report.ts";
import { isEndedByUpdate } from "../../model/report.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import { isComplete } from "../../model/unseen.ts";
import { type UnfittedRisk, fitToBudget, MAX_MESSAGE, shorten } from "./budget.ts";
import { buildDocumentCheck } from "./document-checks.ts";
import { toVisibleText } from "../../model/visible-text.ts";
import { formatTime } from "../../model/time.ts";
import { parseVersion } from "../../model/version.ts";

/** Facts of one run of the process, the same for all of its cycles. */
export type RunFacts = {
  readonly preflightID: string;
  readonly targetVersion?: string;
  readonly runnerVersion: string;
  /** The time between two cycles; 0 for a single cycle, whose document has no validUntil. */
  readonly intervalSeconds: number;
  readonly image?: string;
  readonly digest?: string;
  /** Whether incomplete checks are reported as risks. */
  readonly hasUnknownRisks: boolean;
};

export type DocumentInput = {
  readonly result: CycleResult | "running";
  readonly run: RunFacts;
  /** The previous document, if it was valid. */
  readonly previous?: PreflightDocument;
};

/**
 * The document after a cycle, or before the first. Only a completed cycle has new results: if `running` or `failed`, versions, times and
 * risks are those of the last completed cycle, and there are no outcomes of checks, so that none reads as clear. After an update has begun,
 * they are of no cluster any longer.
 */
export function buildDocument({ result, run, previous }: DocumentInput): PreflightDocument {
  if (result !== "running" && result.kind === "completed") return buildCompletedDocument(result.report, run, previous);
  const identity = getUpdateIdentity(result, run);
  const isEnded = result !== "running" && isEndedByUpdate(result.failure);
  const carriedOver = isEnded ? undefined : carryOver(previous, identity);
  return {
    format: "preflight-v1-json",
    preflightID: run.preflightID,
    targetVersion: carriedOver?.targetVersion ?? identity.targetVersion,
    executionStatus: result === "running" ? "running" : "failed",
    risks: carriedOver ? selectRetainedRisks(carriedOver, run) : [],
    sourceVersion: carriedOver?.sourceVersion ?? identity.sourceVersion,
    ...buildPayload(carriedOver?.targetImage ?? run.image, carriedOver?.targetDigest ?? run.digest),
    complete: false,
    observedAt: carriedOver?.observedAt,
    validUntil: carriedOver?.validUntil,
    ...(result === "running" ? {} : { failure: buildFailure(result.failure) }),
    runner: { version: run.runnerVersion },
  };
}

function buildCompletedDocument(
  report: Report,
  run: RunFacts,
  previous: PreflightDocument | undefined,
): PreflightDocument {
  const sourceVersion = report.source.text;
  const targetVersion = report.target.text;
  const appliesSince = getAppliesTimes(carryOver(previous, { sourceVersion, targetVersion }));
  const reported = selectReportedRisks(report, run.hasUnknownRisks);
  const checks = report.checks.toSorted((a, b) => compareText(a.id, b.id));
  return {
    format: "preflight-v1-json",
    preflightID: run.preflightID,
    targetVersion,
    executionStatus: "completed",
    risks: fitToBudget(buildRiskTexts(reported)).map((riskText) => buildDocumentRisk(riskText, report, appliesSince)),
    ...buildClusterId(report.clusterId),
    sourceVersion,
    ...buildPayload(report.image ?? run.image, report.digest),
    complete: isComplete(report),
    observedAt: formatTime(report.observedAt),
    ...buildValidity(report.observedAt, run.intervalSeconds),
    checks: checks.map((check) => buildDocumentCheck(check, reported)),
    runner: { version: run.runnerVersion },
  };
}

function getUpdateIdentity(result: DocumentInput["result"], run: RunFacts): UpdateIdentity {
  const given = parseVersionText(run.targetVersion);
  if (result === "running" || result.kind === "completed") return { targetVersion: given, targetImage: run.image };
  const targetVersion = result.target?.text ?? given;
  return { sourceVersion: result.source?.text, targetVersion, targetImage: run.image };
}

function selectRetainedRisks(
  carriedOver: CarriedOverResult,
  { hasUnknownRisks }: RunFacts,
): CarriedOverResult["risks"] {
  return carriedOver.risks.filter(({ conditions }) => hasUnknownRisks || conditions?.[0].reason !== "PreflightPartial");
}

function buildFailure({ reason, message }: CycleFailure): CycleFailure {
  return { reason, message: shorten(toVisibleText(redactText(message)), MAX_MESSAGE) || reason };
}

const VALID_INTERVALS = 3;

function buildValidity(observedAt: Date, intervalSeconds: number): { readonly validUntil?: string } {
  if (intervalSeconds <= 0) return {};
  return { validUntil: formatTime(new Date(observedAt.getTime() + VALID_INTERVALS * intervalSeconds * 1_000)) };
}

/** Leaves out an id that an administrator wrote in another form. */
function buildClusterId(clusterID: string | undefined): Pick<PreflightDocument, "clusterID"> {
  return clusterID !== undefined && /^[0-9A-Za-z-]{1,64}$/.test(clusterID) ? { clusterID } : {};
}

/** Leaves out a pull spec or digest that is malformed, which would make the document invalid. */
function buildPayload(
  image: string | undefined,
  digest: string | undefined,
): Pick<PreflightDocument, "targetImage" | "targetDigest"> {
  return {
    ...(image !== undefined && /^\S+$/.test(image) ? { targetImage: image } : {}),
    ...(digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest) ? { targetDigest: digest } : {}),
  };
}

/** The name of one run of the process: its start and its target, or "unknown" if that could not be read. */
export function buildPreflightId(start: Date, targetVersion?: string): string {
  return `${formatTime(start)}-preflight-${parseVersionText(targetVersion) ?? "unknown"}`;
}

/** The text if it is a version: anything else that a user or a payload gives stays out of the document. */
function parseVersionText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseVersion(text)?.text;
}

export const VALIDATION_MESSAGE = "A check of the target release found this on the cluster.";
export const PARTIAL_MESSAGE = "A check of the target release could not be completed.";

/** The report's risks that are reported: those of what was not seen can be turned off. */
export function selectReportedRisks({ risks }: Pick<Report, "risks">, hasUnknownRisks = true): readonly ReportRisk[] {
  return risks.filter(({ unknown }) => hasUnknownRisks || !unknown);
}

/** The texts of a report's risks, sorted by name, each name once. */
export function buildRiskTexts(risks: readonly ReportRisk[]): readonly UnfittedRisk[] {
  const byName = new Map(risks.toReversed().map((risk) => [risk.name, risk]));
  return [...byName.values()].toSorted((a, b) => compareText(a.name, b.name)).map(buildRiskText);
}

function buildRiskText({ name, unknown, message, remediation, url }: ReportRisk): UnfittedRisk {
  return { name, unknown, message: toVisibleText(message), remediation: toVisibleText(remediation), url };
}

/** `appliesSince` has the time since which each risk has applied; any other has applied since this report's reads. */
export function buildDocumentRisk(
  riskText: UnfittedRisk,
  report: Report,
  appliesSince: ReadonlyMap<string, string>,
): DocumentRisk {
  return {
    name: riskText.name,
    message: riskText.message,
    url: riskText.url,
    targetVersion: report.target.text,
    matchingRules: [{ type: "Always" }],
    conditions: [
      {
        type: "Applies",
        status: "True",
        reason: riskText.unknown ? "PreflightPartial" : "PreflightValidation",
        message: riskText.unknown ? PARTIAL_MESSAGE : VALIDATION_MESSAGE,
        lastTransitionTime: getEarlier(appliesSince.get(riskText.name), formatTime(report.observedAt)),
      },
    ],
  };
}

/** If the clock was set back, the earlier time must not be in the future. Both have the same fixed form, so text order is time order. */
function getEarlier(appliesSince: string | undefined, now: string): string {
  return appliesSince !== undefined && appliesSince < now ? appliesSince : now;
}

/** The result of the last completed cycle for one source and target, as in a document. */
type CarriedOverResult = Required<Pick<PreflightDocument, "sourceVersion" | "targetVersion" | "observedAt">> &
  Pick<PreflightDocument, "targetImage" | "targetDigest" | "validUntil" | "risks">;

/** Source and target, as far as they are known now. */
type UpdateIdentity = {
  readonly sourceVersion?: string | undefined;
  readonly targetVersion?: string | undefined;
  readonly targetImage?: string | undefined;
};

/**
 * The result in the previous document, unless that is known to be for another source or target. A version that is unknown now does not
 * differ from any: an outage must not clear a risk. Only a completed cycle sets `observedAt`, so a document without it has no result.
 */
function carryOver(previous: PreflightDocument | undefined, identity: UpdateIdentity): CarriedOverResult | undefined {
  if (previous?.sourceVersion === undefined || previous.targetVersion === undefined) return undefined;
  const { sourceVersion, targetVersion, observedAt, validUntil, targetImage, targetDigest, risks } = previous;
  if (observedAt === undefined) return undefined;
  if (isDifferent(identity.sourceVersion, sourceVersion) || isDifferent(identity.targetVersion, targetVersion))
    return undefined;
  if (identity.targetVersion === undefined && isDifferent(identity.targetImage, targetImage)) return undefined;
  return { sourceVersion, targetVersion, observedAt, risks, targetImage, targetDigest, validUntil };
}

/** The time since which each risk has applied, by name. */
export function getAppliesTimes(
  carriedOver: Pick<CarriedOverResult, "risks"> | undefined,
): ReadonlyMap<string, string> {
  const risks = carriedOver?.risks ?? [];
  return new Map(
    risks.flatMap(({ name, conditions }) => (conditions ? [[name, conditions[0].lastTransitionTime]] : [])),
  );
}
