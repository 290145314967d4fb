import type { PreflightDocument } from "../model/document.ts";
import type { Held } from "./held.ts";
import type { Versions } from "./origin.ts";
import type { DocumentState } from "./runner-state.ts";

/** Why a document replaces nothing. Part of the conditions: a reason is never renamed. */
export type KeptReason =
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
export type Reading =
  | { readonly kind: "replaces"; readonly document: PreflightDocument; readonly versions: Versions }
  | { readonly kind: "kept"; readonly reason: KeptReason; readonly message: string };

/** What a document is measured by. */
export type Expected = {
  /** The version that the cluster runs now, if it says so. */
  readonly source: string | undefined;
  /** The target's version, where it is known without the document. */
  readonly version: string | undefined;
  /** Its pull spec, where that is known. */
  readonly image: string | undefined;
  readonly now: Date;
};

export function readingOf(state: DocumentState, expected: Expected): Reading {
  switch (state.kind) {
    case "missing":
      return kept("DocumentMissing", "The runner has written no document yet.");
    case "unreadable":
      return kept("DocumentUnreadable", `The document can't be read: ${state.message}`);
    case "invalid":
      return kept("DocumentInvalid", `The document is not valid: ${state.problems.join("; ")}`);
    case "read":
      return foreign(state.document, expected) ?? ofDocument(state.document, expected);
  }
}

/** A document about something else is one that an earlier request left behind. */
function foreign(document: PreflightDocument, { image, source, version }: Expected): Reading | undefined {
  const { targetVersion, sourceVersion, targetImage } = document;
  if (version !== undefined && targetVersion !== undefined && targetVersion !== version)
    return kept("OtherTarget", `The document is about ${targetVersion}, not about ${version}.`);
  if (source !== undefined && sourceVersion !== undefined && sourceVersion !== source)
    return kept(
      "OtherSource",
      `The document is about an update from ${sourceVersion}, but the cluster runs ${source}.`,
    );
  // A target that was asked for by its pull spec alone is known by nothing else.
  const isOther = targetImage === undefined ? version === undefined : targetImage !== image;
  if (image !== undefined && isOther)
    return kept("OtherPayload", `The document is about ${targetImage ?? "some payload"}, not about ${image}.`);
  return undefined;
}

function ofDocument(document: PreflightDocument, { source, now }: Expected): Reading {
  const { executionStatus, validUntil, sourceVersion, targetVersion, failure } = document;
  if (executionStatus === "running") return kept("FirstCycleRunning", "The runner's first cycle has not ended yet.");
  if (executionStatus === "failed")
    return kept("CycleFailed", `The runner could not check: ${failure?.message ?? "it does not say why."}`);
  if (validUntil !== undefined && new Date(validUntil) < now)
    return kept("DocumentStale", `The document was valid until ${validUntil}: the runner has not renewed it.`);
  const from = sourceVersion ?? source;
  if (from === undefined || targetVersion === undefined)
    return kept("DocumentInvalid", "The document does not say which source and target it is about.");
  return { kind: "replaces", document, versions: { source: from, target: targetVersion } };
}

/** A document from before the one that stands: a reader that has gone on must not go back. A time in the future binds nobody. */
export function notOlder(reading: Reading, held: Held | undefined, now: Date): Reading {
  if (reading.kind === "kept" || held?.observedAt === undefined) return reading;
  const { observedAt } = reading.document;
  const [last, time] = [new Date(held.observedAt), new Date(observedAt ?? held.observedAt)];
  if (last > now || !(time < last)) return reading;
  return kept("DocumentOlder", `The document is of ${observedAt}, and one of ${held.observedAt} was read before.`);
}

function kept(reason: KeptReason, message: string): Reading {
  return { kind: "kept", reason, message };
}
