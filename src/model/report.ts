import type { CheckAcceptance, Unseen } from "./unseen.ts";
import type { Effect, Finding, LeadTime, Unknown } from "./check.ts";
import type { CheckSubject, HalfPlace } from "./halves.ts";
import { compareText } from "./json.ts";
import type { OlmOperator } from "./olm-operator.ts";
import type { ImageVerification } from "./release.ts";
import type { CheckOrigin } from "./check-origin.ts";
import type { MinorsBetween } from "./route.ts";
import type { Version } from "./version.ts";

export type OutcomeKind = "clear" | "risk" | "unknown" | "notApplicable";

/**
 * The outcome of one check. An `unknown` outcome may have findings too, which are reported as risks.
 */
export type Outcome =
  | { readonly kind: "clear"; readonly notices: readonly string[] }
  | { readonly kind: "risk"; readonly findings: readonly Finding[]; readonly notices: readonly string[] }
  | {
      readonly kind: "unknown";
      readonly unknowns: readonly Unknown[];
      readonly findings: readonly Finding[];
      readonly notices: readonly string[];
    }
  | { readonly kind: "notApplicable"; readonly reason: string };

export function findingsOf(outcome: Outcome): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}

export function getNotices(outcome: Outcome): readonly string[] {
  return outcome.kind === "notApplicable" ? [] : [...new Set(outcome.notices)].toSorted(compareText);
}

export function isNotApplicable({ outcome }: CheckReport): boolean {
  return outcome.kind === "notApplicable";
}

/** A risk before times are added. `unknown`: it reports something that was not seen, such as by an incomplete check. */
export type ReportRisk = {
  readonly name: string;
  /** Absent if it concerns the whole result. */
  readonly check?: string;
  /** Of a check that this build does not have. */
  readonly origin?: CheckOrigin;
  readonly unknown: boolean;
  /** What it does to the update, and how long its remedy takes; absent if it reports an incomplete check. */
  readonly effect?: Effect;
  readonly leadTime?: LeadTime;
  readonly title: string;
  /** What is wrong with which objects, and what will happen. */
  readonly description: string;
  readonly remediation: string;
  /** The description and the remediation: the text in the document. */
  readonly message: string;
  readonly url: string;
  /** The update service's names for the same risk. */
  readonly published?: readonly string[];
} & HalfPlace;

export type CheckReport = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Absent if this build has the check. */
  readonly origin?: CheckOrigin;
  /** Absent if it is about the cluster that is read. */
  readonly subject?: CheckSubject;
  /** Of a check that this build does not have: how many objects of each of its lists it judged. */
  readonly judged?: Readonly<Record<string, number>>;
  /** The operators that OLM installed, of the check that looks at them; absent if it could not see all. */
  readonly operators?: readonly OlmOperator[];
  readonly outcome: Outcome;
  /** How many findings are left out of the outcome, because there are very many. */
  readonly omittedFindings?: number;
  /**
   * Set if the user left the check out, with --only, --skip or --recheck. `accepted`: that is accepted for a reason that still holds;
   * `clearAt`: when an earlier result found nothing by it, RFC 3339.
   */
  readonly leftOut?: { readonly accepted?: CheckAcceptance; readonly clearAt?: string };
} & HalfPlace;

/** The number of distinct kinds, objects and bytes that were read. */
export type Coverage = { readonly kinds: number; readonly objects: number; readonly bytes: number };

/** The result of a completed cycle. Checks are sorted by id, risks by name. */
export type Report = {
  /** The cluster's id of its own; Kubernetes without OpenShift has none. */
  readonly clusterId?: string;
  readonly source: Version;
  readonly target: Version;
  /** Set if its control plane runs in another cluster. */
  readonly isHosted?: true;
  /** Set if the way to the target may be several updates, of which only the last was checked. */
  readonly minorsBetween?: MinorsBetween;
  /** The folder of CRDs that was checked instead of a release; the target's version is then the cluster's own. */
  readonly crdFolder?: string;
  readonly image?: string;
  readonly imageVerification?: ImageVerification;
  readonly digest: string;
  readonly observedAt: Date;
  /** By their ids, as the risks are by their names: formats print both as they stand here. */
  readonly checks: readonly CheckReport[];
  readonly risks: readonly ReportRisk[];
  /** What was not seen, and why: as long as it stands here and is not accepted, the result is not clear. */
  readonly unseen: readonly Unseen[];
  readonly coverage: Coverage;
};

/** Why a cycle failed. Part of the document: a reason is never renamed. */
export type CycleFailureReason =
  | "ClusterUnreachable"
  | "Unauthorized"
  | "ClusterVersionUnreadable"
  | "PayloadUnreadable"
  | "InvalidVersion"
  /** Only of a fleet, where each cluster finds its own release. */
  | "TargetNotOffered"
  | "UnsupportedVersionSkew"
  | "CycleTimedOut"
  | "KubeconfigUnreadable"
  | "OutOfMemory"
  | "RunnerCrashed"
  | UpdateEndReason;

/** Why a runner has nothing to check: its results are no longer about this cluster. */
type UpdateEndReason = "UpdateInProgress" | "TargetReached";

export type CycleFailure = {
  readonly reason: CycleFailureReason;
  readonly message: string;
  /** The release image, if that is what can't be read. */
  readonly image?: string;
};

/** Whether an update has ended the preflight. That is no fault, and nothing of an earlier result holds any longer. */
export function isEndedByUpdate({ reason }: CycleFailure): boolean {
  return reason === "UpdateInProgress" || reason === "TargetReached";
}

/** How a cycle ended. A failed one names source and target if they were known, so that the previous document can be matched with it. */
export type CycleResult =
  | { readonly kind: "completed"; readonly report: Report }
  | {
      readonly kind: "failed";
      readonly failure: CycleFailure;
      readonly observedAt: Date;
      readonly source?: Version;
      readonly target?: Version;
    };
