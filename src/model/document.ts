import type { CheckOrigin } from "./check-origin.ts";
import { formatTime, getAge, MAX_AHEAD_MS } from "./time.ts";

/** The types of preflight-v1-json. The schema in schemas/ is authoritative. */
type RiskCondition = {
  readonly type: "Applies";
  readonly status: "True";
  readonly reason: "PreflightValidation" | "PreflightPartial";
  readonly message: string;
  readonly lastTransitionTime: string;
};

export type DocumentRisk = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly targetVersion: string;
  readonly matchingRules: readonly [{ readonly type: "Always" }];
  readonly conditions?: readonly [RiskCondition];
};

/** A risk as another writer may publish it: without a target it is about the document's, and without rules it always applies. */
type WrittenRisk = Omit<DocumentRisk, "targetVersion" | "matchingRules"> &
  Partial<Pick<DocumentRisk, "targetVersion" | "matchingRules">>;

export type DocumentCheck = {
  readonly id: string;
  /** Where a check comes from that the runner itself does not have. */
  readonly origin?: CheckOrigin;
  /** Of such a check: how many objects of each of its lists it judged. */
  readonly judged?: Readonly<Record<string, number>>;
  readonly outcome: "clear" | "risk" | "unknown" | "notApplicable";
  readonly reason?: string;
  readonly message?: string;
  readonly risks?: readonly string[];
  readonly notices?: readonly string[];
  /** Why the check was left out for good; the document is complete without it. */
  readonly accepted?: { readonly reason: string; readonly until?: string };
};

export type PreflightDocument = {
  readonly format: "preflight-v1-json";
  readonly preflightID: string;
  readonly targetVersion?: string;
  readonly executionStatus: "running" | "completed" | "failed";
  readonly risks: readonly DocumentRisk[];
  readonly clusterID?: string;
  readonly sourceVersion?: string;
  readonly targetImage?: string;
  readonly targetDigest?: string;
  readonly complete?: boolean;
  readonly observedAt?: string;
  readonly validUntil?: string;
  readonly checks?: readonly DocumentCheck[];
  readonly failure?: { readonly reason: string; readonly message: string };
  readonly runner?: { readonly version: string };
};

/** A document before its defaults are filled in. */
export type WrittenDocument = Omit<PreflightDocument, "risks"> & { readonly risks: readonly WrittenRisk[] };

/** The last risk of a list that can't hold all of them: it counts the others. */
export const FURTHER_RISKS = "PreflightFurtherRisks";
export const FURTHER_RISKS_URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

/** What says when a result was observed. */
type Timed = { readonly observedAt?: string | undefined; readonly preflightID?: string | undefined };

/** A document of the enhancement's own form has no observedAt, but its ID begins with the time when its runner started. */
export function getResultTime({ observedAt, preflightID = "" }: Timed): string {
  return observedAt ?? preflightID.slice(0, 20);
}

/** Whether a result's time is so far ahead that it tells nothing of the result's age. */
export function isInFuture(result: Timed, now: Date): boolean {
  return (getAge(getResultTime(result), now) ?? 0) < -MAX_AHEAD_MS;
}

/** Why nothing relies on a result of the future; undefined if it is none. */
export function describeFuture(result: Timed, now: Date): string | undefined {
  if (!isInFuture(result, now)) return undefined;
  return `The result is dated ${getResultTime(result)}, and this clock says ${formatTime(now)}, so nothing relies on it. ${CHECK_CLOCKS}`;
}

/** Who is wrong, the writer or the reader, can't be told from one of them. */
export const CHECK_CLOCKS =
  "Check the clocks of the machine that wrote it and of this one, then run the preflight again.";

/** Without `complete`, what a result does not name may never have been looked for. */
export const COMPLETENESS_NOT_STATED = "The result does not say whether every check could complete.";
