import type { Context, Finding } from "./check.ts";
import type { OlmOperator } from "./olm-operator.ts";
import type { Release } from "./release.ts";
import type { Resource } from "./resource.ts";
import type { Recommendation } from "./route.ts";
import type { CheckSubject, UpdateStage } from "./halves.ts";
import type { Version } from "./version.ts";

/** What few checks declare. */
export type SpecialSpec = {
  /** Set if the check is not about the cluster that is read: it runs only for such a subject. */
  readonly subject?: CheckSubject;
  /** Of a hosted cluster, what of it has to be ready; by default the control plane. */
  readonly stage?: UpdateStage;
  /** Why the check runs only if --only names it, such as rights that should not be granted by default. */
  readonly onRequest?: string;
  /**
   * Set if the check repeats in other words what others may have found: it is judged after them, leaves out what they reported, and knows
   * whether their notices came (`SpecialContext`).
   */
  readonly judgedLast?: true;
  /** Set if the check knows a part of what an update changes ahead: its findings on a later update then count already. */
  readonly isKnownAhead?: true;
  readonly followedKinds?: FollowedKinds;
  /** How many findings of a risk a report names, if not as many as of any check; the texts count all. */
  readonly mostFindings?: number;
  /** Set if objects in files show by themselves what the check finds: its lists alone decide, and the target. */
  readonly onManifests?: true;
  /** The update service's risks that the check covers in this update; by default all that its risks name as `published`. */
  covers?(context: Context): readonly CoveredFault[];
};

/** Kinds that a check reads because the target names them: their groups for the shipped ClusterRole, and the exact list. */
export type FollowedKinds = {
  readonly groups: readonly string[];
  readonly select: (release: Release) => readonly Resource[];
};

/** What few checks are told. */
export type SpecialContext = {
  /** The version that the cluster runs, if the update starts from a later one: a step of a plan. */
  readonly running?: Version;
  /** What the update service says of this update, if the target was looked up there. */
  readonly recommendation?: Recommendation;
  /** Whether a hosted cluster is judged by its management cluster and by itself. */
  readonly hasBothHalves?: boolean;
  /** Whether the checks that installed operators bring are among those that run. */
  readonly runsOperatorChecks?: boolean;
  /** The names of others for faults that the checks of this cycle cover in this update. */
  readonly coveredRisks: readonly CoveredRisk[];
  /** What the other checks found, for one that is `judgedLast`. A check that did not run, or could not look, has found nothing. */
  readonly reported: readonly Finding[];
};

/** What few checks answer. */
export type SpecialJudgement = {
  /** The update service's names for what the notices are about, of those that the check covers without a risk. */
  readonly noticedRisks?: readonly string[];
  /** All operators that OLM installed, of a check that looks at each of them. */
  readonly operators?: readonly OlmOperator[];
};

/** A fault by the update service's name, and the risk that the check reports if it concerns the cluster; without it, the check reports a notice. */
export type CoveredFault = { readonly name: string; readonly risk?: string };

/** A risk of another source that a check covers. */
export type CoveredRisk = CoveredFault & {
  /** `published`: of the update service; `operator`: of the running cluster-version operator (`liftedAs`). */
  readonly source: "published" | "operator";
  readonly check: string;
  /** Whether that notice came, for a check that is judged last; absent if the other check could not look. */
  readonly hasNotice?: boolean;
};

export function withSpecial(context: Context, more: Partial<SpecialContext>): Context {
  return { ...context, special: { ...context.special, ...more } };
}
