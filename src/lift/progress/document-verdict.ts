import type { PreflightDocument } from "../../model/document.ts";
import type { RetainedResult } from "./retained-result.ts";
import type { UpdateVersions } from "../objects/risk-prefix.ts";
import type { DocumentState } from "./runner-state.ts";

/** Why a document replaces nothing. Part of the conditions: a reason is never renamed. */
export type RejectionReason =
  | "CycleFailed"
  | "DocumentInvalid"
  | "DocumentMissing"
  | "DocumentOlder"
  | "DocumentStale"
  | "DocumentUnreadable"
  | "FirstCycleRunning"
  | "OtherPayload"
  | "OtherSource"
  | "OtherTarget";

/** What a document is good for: its risks replace those before, or everything stays as it is, and why. */
export type DocumentVerdict =
  | { readonly kind: "accepted"; readonly document: PreflightDocument; readonly versions: UpdateVersions }
  | { readonly kind: "rejected"; readonly reason: RejectionReason; readonly message: string };

/** What a document is measured by. */
export type DocumentExpectation = {
  /** The version that the cluster runs now, if it says so. */
  readonly source: string | undefined;
  /** The target's version, where it is known without the document. */
  readonly version: string | undefined;
  /** Its pull spec, where that is known. */
  readonly image: string | undefined;
  readonly now: Date;
};

export function judgeDocument(state: DocumentState, expected: DocumentExpectation): DocumentVerdict {
  switch (state.kind) {
    case "missing":
      return reject("DocumentMissing", "The runner has written no document yet.");
    case "unreadable":
      return reject("DocumentUnreadable", `The document can't be read: ${state.message}`);
    case "invalid":
      return reject("DocumentInvalid", `The document is not valid: ${state.problems.join("; ")}`);
    case "read":
      return rejectForeign(state.document, expected) ?? judgeContent(state.document, expected);
  }
}

/** A document about something else is one that an earlier request left behind. */
function rejectForeign(
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
  // A target that was asked for by its pull spec alone is known by nothing else.
  const isOther = targetImage === undefined ? version === undefined : targetImage !== image;
  if (image !== undefined && isOther)
    return reject("OtherPayload", `The document is about ${targetImage ?? "some payload"}, not about ${image}.`);
  return undefined;
}

function judgeContent(document: PreflightDocument, { source, now }: DocumentExpectation): DocumentVerdict {
  const { executionStatus, validUntil, sourceVersion, targetVersion, failure } = document;
  if (executionStatus === "running") return reject("FirstCycleRunning", "The runner's first cycle has not ended yet.");
  if (executionStatus === "failed")
    return reject("CycleFailed", `The runner could not check: ${failure?.message ?? "it does not say why."}`);
  if (validUntil !== undefined && new Date(validUntil) < now)
    return reject("DocumentStale", `The document was valid until ${validUntil}: the runner has not renewed it.`);
  const from = sourceVersion ?? source;
  if (from === undefined || targetVersion === undefined)
    return reject("DocumentInvalid", "The document does not say which source and target it is about.");
  return { kind: "accepted", document, versions: { source: from, target: targetVersion } };
}

/** A document from before the one that stands: a reader that has gone on must not go back. A time in the future binds nobody. */
export function rejectOlder(
  verdict: DocumentVerdict,
  retained: RetainedResult | undefined,
  now: Date,
): DocumentVerdict {
  if (verdict.kind === "rejected" || retained?.observedAt === undefined) return verdict;
  const { observedAt } = verdict.document;
  const [last, time] = [new Date(retained.observedAt), new Date(observedAt ?? retained.observedAt)];
  if (last > now || !(time < last)) return verdict;
  return reject(
    "DocumentOlder",
    `The document is of ${observedAt}, and one of ${retained.observedAt} was read before.`,
  );
}

function reject(reason: RejectionReason, message: string): DocumentVerdict {
  return { kind: "rejected", reason, message };
}
