import type { PreflightDocument } from "../model/document.ts";
import { byText } from "../model/json.ts";
import { type CycleResult, type Failure, isComplete, type Report, type ReportRisk } from "../model/report.ts";
import { fitBudget, MAX_MESSAGE } from "./budget.ts";
import { documentCheck } from "./document-checks.ts";
import { documentRisk, notesOf } from "./document-risks.ts";
import { firstSeen, type Held, heldFrom, type Known } from "./held.ts";
import { plainLines } from "./plain.ts";
import { shorten } from "./shorten.ts";
import { knownVersion, timeText } from "./times.ts";

/** What holds for one run of the process, whatever its cycles find. */
export type RunFacts = {
  readonly preflightID: string;
  readonly targetVersion?: string;
  readonly runnerVersion: string;
  /** Between two cycles; 0 where there is only one, whose document then says of no time until which it is valid. */
  readonly intervalSeconds: number;
  readonly image?: string;
  readonly digest?: string;
  /** Does a check that could not look get a risk of its own? */
  readonly reportUnknownAsRisk: boolean;
};

export type DocumentInput = {
  readonly result: CycleResult | "running";
  readonly run: RunFacts;
  /** The last document, if there was a valid one. */
  readonly previous?: PreflightDocument;
};

/**
 * The document after a cycle, or before the first. Only a completed cycle says anything new: with `running` and `failed`
 * everything about results (versions, times, risks) is that of the last completed cycle, and no check's outcome is told,
 * so that nothing says clear.
 */
export function toDocument({ result, run, previous }: DocumentInput): PreflightDocument {
  if (result !== "running" && result.kind === "completed") return completed(result.report, run, previous);
  const known = knownOf(result, run);
  const held = heldFrom(previous, known);
  return {
    format: "preflight-v1-json",
    preflightID: run.preflightID,
    ...targetOf(held?.targetVersion ?? known.targetVersion),
    executionStatus: result === "running" ? "running" : "failed",
    risks: held ? heldRisks(held, run) : [],
    ...sourceOf(held?.sourceVersion ?? known.sourceVersion),
    ...payloadOf(held?.targetImage ?? run.image, held?.targetDigest ?? run.digest),
    complete: false,
    ...timesOf(held),
    ...(result === "running" ? {} : { failure: failureOf(result.failure) }),
    runner: { version: run.runnerVersion },
  };
}

/** Document text: two spaces of indentation, a line break at the end. */
export function renderDocument(document: PreflightDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function completed(report: Report, run: RunFacts, previous: PreflightDocument | undefined): PreflightDocument {
  const [sourceVersion, targetVersion] = [report.source.text, report.target.text];
  const seen = firstSeen(heldFrom(previous, { sourceVersion, targetVersion }));
  const reported = reportedRisks(report, run);
  const checks = report.checks.toSorted((a, b) => byText(a.id, b.id));
  return {
    format: "preflight-v1-json",
    preflightID: run.preflightID,
    targetVersion,
    executionStatus: "completed",
    risks: fitBudget(notesOf(reported)).map((note) => documentRisk(note, report, seen)),
    sourceVersion,
    ...payloadOf(report.image ?? run.image, report.digest),
    complete: isComplete(report),
    observedAt: timeText(report.observedAt),
    ...validity(report.observedAt, run.intervalSeconds),
    checks: checks.map((check) => documentCheck(check, reported)),
    runner: { version: run.runnerVersion },
  };
}

function reportedRisks(report: Report, { reportUnknownAsRisk }: RunFacts): readonly ReportRisk[] {
  return report.risks.filter(({ unknown }) => reportUnknownAsRisk || !unknown);
}

function knownOf(result: DocumentInput["result"], run: RunFacts): Known {
  const given = knownVersion(run.targetVersion);
  if (result === "running" || result.kind === "completed") return { targetVersion: given, targetImage: run.image };
  const targetVersion = result.target?.text ?? given;
  return { sourceVersion: result.source?.text, targetVersion, targetImage: run.image };
}

function heldRisks(held: Held, { reportUnknownAsRisk }: RunFacts): Held["risks"] {
  return held.risks.filter(({ conditions }) => reportUnknownAsRisk || conditions?.[0].reason !== "PreflightPartial");
}

function failureOf({ reason, message }: Failure): Failure {
  return { reason, message: shorten(plainLines(message), MAX_MESSAGE) || reason };
}

const INTERVALS = 3;

function validity(observedAt: Date, intervalSeconds: number): { readonly validUntil?: string } {
  if (intervalSeconds <= 0) return {};
  return { validUntil: timeText(new Date(observedAt.getTime() + INTERVALS * intervalSeconds * 1_000)) };
}

function timesOf(held: Held | undefined): { readonly observedAt?: string; readonly validUntil?: string } {
  if (!held) return {};
  const { observedAt, validUntil } = held;
  return { observedAt, ...(validUntil === undefined ? {} : { validUntil }) };
}

function targetOf(targetVersion: string | undefined): { readonly targetVersion?: string } {
  return targetVersion === undefined ? {} : { targetVersion };
}

function sourceOf(sourceVersion: string | undefined): { readonly sourceVersion?: string } {
  return sourceVersion === undefined ? {} : { sourceVersion };
}

/** A pull spec or a digest only in its own form: what was given in its place must not make the document invalid. */
function payloadOf(
  image: string | undefined,
  digest: string | undefined,
): Pick<PreflightDocument, "targetImage" | "targetDigest"> {
  return {
    ...(image !== undefined && /^\S+$/.test(image) ? { targetImage: image } : {}),
    ...(digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest) ? { targetDigest: digest } : {}),
  };
}
