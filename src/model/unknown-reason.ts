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
  | "ReadNotAllowed"
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
