import type { Unknown, Finding } from "./check.ts";
import type { Version } from "./version.ts";

export type OutcomeKind = "clear" | "risk" | "unknown" | "notApplicable";

/**
 * What came of one check. Findings may stand beside blind spots: the outcome is then `unknown`, and the findings are risks all the same.
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

/** A risk before it is given times: `unknown` where it says that a check could not look. */
export type ReportRisk = {
  readonly name: string;
  readonly check: string;
  readonly unknown: boolean;
  readonly title: string;
  /** What is wrong, on which objects, and what will happen. */
  readonly description: string;
  readonly remediation: string;
  /** The description and the remediation, as the document says it. */
  readonly message: string;
  readonly url: string;
  /** What the update service calls the same. */
  readonly published?: readonly string[];
};

export type CheckReport = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly outcome: Outcome;
};

/** What was looked at: distinct kinds, objects and bytes read. */
export type Coverage = { readonly kinds: number; readonly objects: number; readonly bytes: number };

/** What one cycle found. Checks are sorted by id, risks by name. */
export type Report = {
  readonly source: Version;
  readonly target: Version;
  /** The folder of CRDs that was judged instead of a release; the target's version is the cluster's own then. */
  readonly crdFolder?: string;
  readonly image?: string;
  readonly digest: string;
  readonly observedAt: Date;
  readonly checks: readonly CheckReport[];
  readonly risks: readonly ReportRisk[];
  readonly coverage: Coverage;
};

/** Why a cycle could not run at all. Part of the document: a reason is never renamed. */
export type CycleFailureReason =
  | "ClusterUnreachable"
  | "Unauthorized"
  | "ClusterVersionUnreadable"
  | "PayloadUnreadable"
  | "InvalidVersion"
  | "UnsupportedVersionSkew"
  | "CycleTimedOut"
  | "KubeconfigUnreadable";

export type CycleFailure = { readonly reason: CycleFailureReason; readonly message: string };

/** How a cycle ended. What was known of source and target by then is kept, so that the last risks can be matched with it. */
export type CycleResult =
  | { readonly kind: "completed"; readonly report: Report }
  | {
      readonly kind: "failed";
      readonly failure: CycleFailure;
      readonly observedAt: Date;
      readonly source?: Version;
      readonly target?: Version;
    };

/** A check reached a verdict unless it is unknown. */
export function isComplete(report: Report): boolean {
  return report.checks.every((check) => check.outcome.kind !== "unknown");
}
