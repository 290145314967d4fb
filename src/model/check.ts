import type { Reads, ReadResults } from "./read.ts";
import type { Release } from "./release.ts";
import type { ObjectRef, Resource } from "./resource.ts";
import type { UpdateKind, Version } from "./version.ts";

/** What a check may know besides what it read. */
export type Context = {
  /** OpenShift's versions, or Kubernetes' where `platform` says so. */
  readonly source: Version;
  readonly target: Version;
  readonly platform: Platform;
  /** The minors of Kubernetes 1 that source and target run. */
  readonly kubernetes: { readonly source: number; readonly target: number };
  readonly update: UpdateKind;
  readonly release: Release;
  /** When the cycle's reads began: for ages and ends of validity, never for texts. */
  readonly now: Date;
  /** Ids of the checks that run in this cycle: what one of them judges in full, others leave to it. */
  readonly checks: readonly string[];
};

export type Platform = "openshift" | "kubernetes";

/** One thing wrong with one object. `message` is a sentence that stands without the object's name. */
export type Finding = {
  readonly risk: string;
  readonly object: ObjectRef;
  readonly path?: string;
  readonly message: string;
  /** More for machines, beside the message in `-o json`; the check's README says what it can be. */
  readonly detail?: Readonly<Record<string, string>>;
};

/** What a check could not look at, and why: `reason` is a CamelCase word, `where` an object, a kind or a file. */
export type Unknown = {
  readonly reason: string;
  readonly where: string;
  readonly message: string;
  /** The object that it is about, where it is one: `-o json` tells it among the findings too. */
  readonly at?: Pick<Finding, "object" | "path" | "detail">;
};

/** What `evaluate` concludes; nothing but findings is needed. */
export type Judgement = {
  readonly findings?: readonly Finding[];
  readonly notices?: readonly string[];
  readonly unknowns?: readonly Unknown[];
  /** Followed reads without which the same would be said: such a one that failed is no blind spot. */
  readonly irrelevantReads?: readonly string[];
  /** Said instead of the rest: the check does not concern this cluster. */
  readonly notApplicable?: string;
};

/** What is told of a risk, whatever objects it hits. */
export type RiskText = {
  /** PascalCase, states the fault; never renamed or reused once released, since administrators accept risks by it. */
  readonly name: string;
  readonly title: string;
  /** A public page, https. */
  readonly url: string;
  /** One sentence: what is wrong with the objects, named as `objects` ("Node cluster and 2 more"), and what will happen. */
  readonly describe: (objects: string, context: Context, findings: readonly Finding[]) => string;
  /** What to do, in a sentence. */
  readonly remediation: string;
  /** The same for one update, if it depends on the source and the target; `remediation` is then the general form. */
  readonly remediate?: (context: Context) => string;
  /**
   * Under which name the running cluster-version operator lifts the same by itself, whatever later minor the target is of: an alert's,
   * or a name of the family Upgradeable (src/model/lifted.ts). Such a risk is left to it in the cluster.
   */
  readonly liftedAs?: string;
  /** What the update service calls the same. */
  readonly published?: readonly string[];
};

/**
 * When a check speaks. `crosses`: source < minor <= target on the line of minors. `updates`: for the listed kinds of update.
 * `leavesMinor`: whenever the cluster-version operator asks whether the cluster may go on to another minor, from 4.23 to 5.0 too.
 * A check whose findings are bound to ranges of full versions lists all kinds that its ranges can meet.
 */
export type Applicability =
  | { readonly kind: "crosses"; readonly minor: string }
  | { readonly kind: "updates"; readonly kinds: readonly UpdateKind[] }
  | { readonly kind: "leavesMinor" };

/** Kinds that a check reads only because the target names them: their groups for the shipped ClusterRole, and the exact list. */
export type FollowedKinds = {
  readonly groups: readonly string[];
  readonly select: (release: Release) => readonly Resource[];
};

export type CheckSpec<R extends Reads = Reads, F extends Reads = Reads> = {
  readonly id: string;
  /** PascalCase; `<name>Unknown` is the risk that says that this check could not look. */
  readonly name: string;
  readonly title: string;
  readonly risks: readonly RiskText[];
  readonly applies: Applicability;
  /** Does the verdict follow from the target's manifests? A payload that can't be read whole then makes it unknown. */
  readonly needsManifests: boolean;
  /** Does it say something of Kubernetes without OpenShift too? */
  readonly portable?: true;
  /** Why the check runs only where --only names it, such as rights that nobody should give unasked. */
  readonly onRequest?: string;
  readonly reads: () => R;
  readonly followedKinds?: FollowedKinds;
  /** The reads that `follow` may ask for, where they are known without a target: for the rights. */
  readonly mayRead?: () => Reads;
  /** More reads, which follow from the first ones; one that fails is a blind spot of its own, and absent from `followed`. */
  follow?(values: ReadResults<R>, context: Context): F;
  /** Pure and synchronous. Called only where all of `reads` succeeded. */
  evaluate(values: ReadResults<R>, context: Context, followed: Partial<ReadResults<F>>): Judgement;
};

/** A check as the registry holds it. */
export type Check = CheckSpec;

/** Gives a check its types: a field that `reads` doesn't keep is then a compile error in `evaluate`. */
export function defineCheck<R extends Reads, F extends Reads = Readonly<Record<string, never>>>(
  check: CheckSpec<R, F>,
): CheckSpec<R, F> {
  return check;
}

/** The risk that says that a check could not look. */
export function getUnknownRiskName(check: Pick<Check, "name">): string {
  return `${check.name}Unknown`;
}
