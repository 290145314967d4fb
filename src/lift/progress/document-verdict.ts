import type reasons from "../../../conformance/reasons.json";
import { type PreflightDocument, CHECK_CLOCKS, getResultTime, isInFuture } from "../../model/document.ts";
import { formatTime, parseTimestamp } from "../../model/time.ts";
import { isSameImage } from "../objects/payload.ts";
import type { RetainedResult } from "./retained-result.ts";
import type { UpdateVersions } from "../../model/cluster-version-risks.ts";
import type { DocumentState } from "./runner-state.ts";

/** Why a document is rejected. Reasons are API: they are never renamed. */
export type RejectionReason = keyof typeof reasons.rejection;

/** Whether a document's risks replace the retained ones. */
export type DocumentVerdict =
  | { readonly kind: "accepted"; readonly document: PreflightDocument; readonly versions: UpdateVersions }
  | { readonly kind: "rejected"; readonly reason: RejectionReason; readonly message: string };

/** What a document must match. */
export type DocumentExpectation = {
  /** The version that the cluster runs, if ClusterVersion reports it. */
  readonly source: string | undefined;
  /** The target's version, if known without the document. */
  readonly version: string | undefined;
  /** The target's pull spec, if known. */
  readonly image: string | undefined;
  /** When the preflight was requested, if known. */
  readonly requestedAt: Date | undefined;
  readonly now: Date;
};

/** Without the times, with which the message would change in each cycle: `status` shows them. */
const FUTURE = reject(
  "DocumentInFuture",
  `The document is from more than five minutes ahead of the controller's clock, so nothing relies on it. ${CHECK_CLOCKS}`,
);
const NO_DOCUMENT = reject("DocumentMissing", "The runner has not written a document yet.");

export function judgeDocument(state: DocumentState, expected: DocumentExpectation): DocumentVerdict {
  switch (state.kind) {
    case "missing":
      return NO_DOCUMENT;
    case "unreadable":
      return reject("DocumentUnreadable", `The document can't be read: ${state.message}`);
    case "invalid":
      return reject("DocumentInvalid", `The document is not valid: ${state.problems.join("; ")}`);
    case "read":
      return (
        rejectForeign(state.document, expected) ??
        rejectEarlier(state.document, expected) ??
        judgeContent(state.document, expected)
      );
  }
}

/** A document about another update that an earlier request left behind counts as none. Another runner writes one that is newer. */
function rejectForeign(document: PreflightDocument, expected: DocumentExpectation): DocumentVerdict | undefined {
  const verdict = rejectOther(document, expected);
  return verdict !== undefined && isEarlier(document, expected) ? NO_DOCUMENT : verdict;
}

function rejectOther(
  document: PreflightDocument,
  { image, source, version }: DocumentExpectation,
): DocumentVerdict | undefined {
  const { targetVersion, sourceVersion, targetImage } = document;
  if (version !== undefined && targetVersion !== undefined && targetVersion !== version)
    return reject("OtherTarget", `The document is about ${targetVersion}, not about ${version}.`);
  if (source !== undefined && sourceVersion !== undefined && sourceVersion !== source)
    return reject(
      "OtherSource",
      `The document is about an update from ${sourceVersion}, but the cluster runs ${source}.`,
    );
  // A target requested by pull spec alone can only be matched by image.
  const isOther = targetImage === undefined ? version === undefined : !isSameImage(targetImage, image);
  if (image !== undefined && isOther)
    return reject("OtherPayload", `The document is about ${targetImage ?? "an unnamed image"}, not about ${image}.`);
  return undefined;
}

/** Rejects a result from before the request, which the cluster may have outdated. */
function rejectEarlier(document: PreflightDocument, expected: DocumentExpectation): DocumentVerdict | undefined {
  const { executionStatus, observedAt } = document;
  const { requestedAt } = expected;
  if (executionStatus !== "completed" || requestedAt === undefined || !isEarlier(document, expected)) return undefined;
  const what = observedAt === undefined ? "The document's runner started" : "The document was observed";
  const when = getResultTime(document);
  return reject("DocumentBeforeRequest", `${what} at ${when}, before this request of ${formatTime(requestedAt)}.`);
}

function isEarlier(document: PreflightDocument, { requestedAt }: DocumentExpectation): boolean {
  if (requestedAt === undefined) return false;
  const time = parseTimestamp(getResultTime(document));
  return time === undefined || time < Math.floor(requestedAt.getTime() / 1_000) * 1_000;
}

/** When the last completed result was observed. A time in the future is ignored. */
export function findResultTime(
  verdict: DocumentVerdict,
  retained: RetainedResult | undefined,
  now: Date,
): Date | undefined {
  const time = parseTimestamp(verdict.kind === "accepted" ? getResultTime(verdict.document) : retained?.observedAt);
  return time === undefined || time > now.getTime() ? undefined : new Date(time);
}

function judgeContent(document: PreflightDocument, { source, now }: DocumentExpectation): DocumentVerdict {
  const { executionStatus, validUntil, sourceVersion, targetVersion, failure } = document;
  if (executionStatus === "running") return reject("FirstCycleRunning", "The runner's first cycle is still running.");
  if (executionStatus === "failed")
    return reject(
      "CycleFailed",
      `The runner's last cycle failed: ${failure?.message ?? "the document gives no reason."}`,
    );
  if (isInFuture(document, now)) return FUTURE;
  if (validUntil !== undefined && new Date(validUntil) < now)
    return reject("DocumentStale", `The document expired at ${validUntil}, and the runner has not renewed it.`);
  const from = sourceVersion ?? source;
  if (from === undefined || targetVersion === undefined)
    return reject("DocumentInvalid", "The document names no source or target version.");
  return { kind: "accepted", document, versions: { source: from, target: targetVersion } };
}

/** Rejects a document older than the retained result, so that a reader never goes back. A retained time in the future is ignored. */
export function rejectOlder(
  verdict: DocumentVerdict,
  retained: RetainedResult | undefined,
  now: Date,
): DocumentVerdict {
  if (verdict.kind === "rejected" || retained?.observedAt === undefined) return verdict;
  const { observedAt } = verdict.document;
  const last = new Date(retained.observedAt);
  const time = new Date(observedAt ?? retained.observedAt);
  if (last > now || !(time < last)) return verdict;
  return reject(
    "DocumentOlder",
    `The document was observed at ${observedAt}, before the current result of ${retained.observedAt}.`,
  );
}

function reject(reason: RejectionReason, message: string): DocumentVerdict {
  return { kind: "rejected", reason, message };
}
