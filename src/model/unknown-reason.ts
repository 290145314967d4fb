import type { ReadFailureReason } from "./reader.ts";

/** Why a part of the target release can't be used. */
type ReleaseReason =
  | "Absent"
  | "DuplicateManifest"
  | "FeatureGatesUnknown"
  | "InvalidAnnotation"
  | "InvalidManifest"
  | "InvalidYaml"
  | "NoTargetCrds"
  | "NoTargetFolder"
  | "NotAFile"
  | "OutsideFolder"
  | "TooLarge"
  | "UnknownFeatureSet"
  | "Unreadable"
  | "UnrenderedTemplate";

/** Why a check can't judge what was read. */
type JudgementReason =
  | "CheckFailed"
  | "CheckInvalid"
  | "CostLimit"
  | "DefinitionNotJudged"
  | "DigestMismatch"
  | "LimitUnknown"
  | "NotFound"
  | "NotRead"
  | "NotReported"
  | "NotServed"
  | "NotUnderstood"
  | "OutOfMemory"
  | "PlatformNotCovered"
  | "PreflightTooOld"
  | "ReadNotAllowed"
  | "ReleaseTooOld"
  | "RolloutIncomplete"
  | "RuleNotEvaluated"
  | "SignatureNotVerified"
  | "StaleStatus"
  | "TargetUnknown"
  | "TooManyObjects";

/** Why nobody looked. Each has a risk of its own, which says what to do. */
export type UncheckedReason = "LeftOut" | "MinorsBetween" | "NothingChecked";

/** Why something is not known. Part of the document: a reason is never renamed. The runner has a remedy for each. */
export type UnknownReason = ReadFailureReason | ReleaseReason | JudgementReason | UncheckedReason;

/** Ends the message of a refusal that the rights which "preflight rbac" prints don't remove. */
const UNGRANTED = '"preflight rbac" grants lists of the target\'s own kinds alone';

export function formatUngranted(message: string): string {
  return `${message}; ${UNGRANTED}`;
}

type Refusal = { readonly reason: UnknownReason; readonly message: string };

export function isUngranted({ reason, message }: Refusal): boolean {
  return reason === "Forbidden" && message.endsWith(UNGRANTED);
}
