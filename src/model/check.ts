import type { FindingFile } from "./finding-file.ts";
import type { Half } from "./halves.ts";
import { compareText } from "./json.ts";
import type { Owner } from "./owner.ts";
import type { NoReads, OptionalReads, Reads, ReadResults } from "./read.ts";
import type { Release } from "./release.ts";
import { compareRefs, type ObjectRef } from "./resource.ts";
import type { SpecialContext, SpecialJudgement, SpecialSpec } from "./special-check.ts";
import type { CheckOrigin } from "./check-origin.ts";
import type { Commands, OptionalFix } from "./commands.ts";
import type { UnknownReason } from "./unknown-reason.ts";
import {
  type Platform,
  type UpdateKind,
  type Version,
  getKubernetesMinor,
  getUpdateKind,
  parseMinor,
} from "./version.ts";

/** Context that a check receives besides its reads. */
export type Context = {
  /** Versions of OpenShift or of Kubernetes, by `platform`. */
  readonly source: Version;
  readonly target: Version;
  readonly platform: Platform;
  /** Whether the control plane runs in another cluster, from which the cluster and its nodes are updated. */
  readonly isHosted: boolean;
  /** Why nobody knows that; `isHosted` is then false. */
  readonly unknownTopology?: Unknown;
  /** The minors of Kubernetes 1 that source and target run. */
  readonly kubernetes: { readonly source: number; readonly target: number };
  readonly update: UpdateKind;
  readonly release: Release;
  /** When the cycle began: for ages and expiry, never for texts. */
  readonly now: Date;
  /** Ids of the checks that run in this cycle: a general check leaves objects to the specific check, if that one runs. */
  readonly checks: readonly string[];
  /** What few checks are told. */
  readonly special: SpecialContext;
};

/** One fault on one object. `message` is a sentence that does not need the object's name. Checks leave out `owners`. */
export type Finding = {
  readonly risk: string;
  readonly object: ObjectRef;
  readonly path?: string;
  readonly message: string;
  /** Details for machines, beside the message in `-o json`; the check's README lists them. */
  readonly detail?: Readonly<Record<string, string>>;
  readonly owners?: readonly Owner[];
  /** Set if files were given: those that define the object. */
  readonly files?: readonly FindingFile[];
  /** Set if both halves of a hosted cluster are judged: where the object is. */
  readonly half?: Half;
} & Partial<Commands>;

/** Something that could not be checked, and why: `where` is an object, a kind or a file. */
export type Unknown = {
  readonly reason: UnknownReason;
  readonly where: string;
  readonly message: string;
  /** The object, if it is about one: `-o json` lists it among the findings too. */
  readonly at?: Pick<Finding, "object" | "path" | "detail" | "owners">;
} & Pick<Finding, "half">;

/** The result of `evaluate`; every field is optional. */
export type Judgement = {
  readonly findings?: readonly Finding[];
  readonly notices?: readonly string[];
  readonly unknowns?: readonly Unknown[];
  /** Followed reads that can't change the verdict: if one fails, it isn't reported. */
  readonly irrelevantReads?: readonly string[];
  /** Why the check does not apply to this cluster. Replaces the rest. */
  readonly notApplicable?: string;
  /** What few checks answer. */
  readonly special?: SpecialJudgement;
};

/**
 * What a risk does to the update, in the order of work. `refused`: it does not start; `notRecommended`: only with --allow-not-recommended;
 * `stuck`: it can't finish; `broken`: it finishes, and something no longer works.
 */
export const EFFECTS = ["refused", "notRecommended", "stuck", "broken"] as const;
export type Effect = (typeof EFFECTS)[number];

/** How long the remedy usually takes, by default minutes. What takes longest has to begin first. */
export const LEAD_TIMES = ["days", "hours", "minutes"] as const;
export type LeadTime = (typeof LEAD_TIMES)[number];

/** The texts of a risk, independent of the objects that it affects. */
export type RiskText = {
  /** PascalCase, states the fault; never renamed or reused once released, since administrators accept risks by name. */
  readonly name: string;
  readonly effect: Effect;
  readonly leadTime?: LeadTime;
  readonly title: string;
  /** A public page, https. */
  readonly url: string;
  /** One sentence: what is wrong with `objects` ("Node cluster and 2 more"), and what will happen. */
  readonly describe: (objects: string, context: Context, findings: readonly Finding[]) => string;
  /** What to do, in one sentence; as a function if it depends on the update, which is absent for the general form. */
  readonly remediation: string | ((context?: Context, findings?: readonly Finding[]) => string);
  /** The general form of the remedy where the control plane is hosted, if it is another one. */
  readonly getHostedRemedy?: () => string;
  /** The commands that show the fault on a finding's object; by default the one that prints the object. */
  readonly see?: (finding: Finding, context: Context) => readonly string[];
  /** A finding for `explain`, which shows its commands: with `<placeholders>` where objects differ. By default on OpenShift. */
  readonly example?: Pick<Finding, "object" | "path" | "detail"> & { readonly platform?: Platform };
  readonly knownAs?: KnownAs;
} & OptionalFix<Finding, Context>;

/** What others say of the same fault. */
export type KnownAs = {
  /**
   * The name under which the running cluster-version operator reports the same risk itself for any later minor: an alert's name, or one of
   * the Upgradeable family (cluster-version-risks.ts). With `--lifted leave`, findings that ClusterVersion shows under it for the update are omitted.
   */
  readonly liftedAs?: string;
  /** The update service's names for the same risk. */
  readonly published?: readonly string[];
  /** The releases that have the fault, if they are known: "4.14.0 to 4.14.5 (fixed in 4.14.6)". */
  readonly affected?: readonly string[];
};

/**
 * When a check applies. `crosses`: source < minor <= target by minor ordinal; on Kubernetes by the minor that `minor` contains, unless
 * `kubernetes` (1.x) is another one. `updates`: for the listed kinds of update.
 * `leavesMinor`: whenever the cluster-version operator evaluates Upgradeable, which includes 4.23 to 5.0.
 * A check whose findings depend on ranges of full versions lists every kind of update that its ranges include.
 */
export type Applicability =
  | { readonly kind: "crosses"; readonly minor: string; readonly kubernetes?: number }
  | { readonly kind: "updates"; readonly kinds: readonly UpdateKind[] }
  | { readonly kind: "leavesMinor" };

export type CheckSpec<R extends Reads = Reads, F extends OptionalReads = OptionalReads> = {
  readonly id: string;
  /** PascalCase; `<name>Unknown` is the risk that reports an incomplete check. By default the id in that case. */
  readonly name?: string;
  readonly title: string;
  readonly risks: readonly RiskText[];
  readonly applies: Applicability;
  /** By default OpenShift alone. */
  readonly platforms?: readonly Platform[];
  /**
   * What decides beside the cluster. `manifests`: those of the target, so that a problem of the payload makes the verdict unknown. `table`:
   * what the check knows of each release, so that the verdict is unknown for a minor after `LAST_KNOWN_RELEASE`.
   */
  readonly basis?: "manifests" | "table";
  /** Set if an update changes what the check judges: why its verdict on a later update shows only once the update before it is done. */
  readonly seenAfterUpdate?: string;
  /** What differs where the control plane is hosted. `notApplicable`: why the check has nothing to look at there. */
  readonly hosted?: { readonly notApplicable?: string; readonly seenAfterUpdate?: string };
  /** What few checks declare. */
  readonly special?: SpecialSpec;
  readonly reads: () => R;
  /** The reads that `follow` may return, as far as they are known without a target: for the ClusterRole, and so that a cycle lists each kind once. */
  readonly mayRead?: () => Reads;
  /** More reads, planned from the first ones; one that fails is an unknown of its own, and absent from `followed`. */
  follow?(values: ReadResults<R>, context: Context): F;
  /** Pure and synchronous. Called only if all of `reads` succeeded. */
  evaluate(values: ReadResults<R>, context: Context, followed: Partial<ReadResults<F>>): Judgement;
};

/** A check in the registry. */
export type Check<R extends Reads = Reads, F extends OptionalReads = OptionalReads> = CheckSpec<R, F> & {
  readonly name: string;
  /** Absent if this build has the check. */
  readonly origin?: CheckOrigin;
};

/** Types a check: a field that `reads` does not keep is then a compile error in `evaluate`. */
export function defineCheck<R extends Reads, F extends OptionalReads = NoReads>(check: CheckSpec<R, F>): Check<R, F> {
  return { name: buildCheckName(check.id), ...check };
}

/** "my-check" is "MyCheck". */
export function buildCheckName(id: string): string {
  return id.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function isOn(platform: Platform, { platforms = ["openshift"] }: Pick<Check, "platforms">): boolean {
  return platforms.includes(platform);
}

/** The minor of Kubernetes that an update on Kubernetes has to cross, of a check that needs one to be crossed. */
export function findKubernetesBoundary(applies: Applicability): number | undefined {
  if (applies.kind !== "crosses") return undefined;
  const minor = parseMinor(applies.minor);
  return applies.kubernetes ?? (minor && getKubernetesMinor(minor));
}

/** The general form without a context and findings. */
export function getRemediation(
  { remediation }: Pick<RiskText, "remediation">,
  context?: Context,
  findings?: readonly Finding[],
): string {
  return typeof remediation === "string" ? remediation : remediation(context, findings);
}

/** The risk that reports an incomplete check. */
export function getUnknownRiskName(check: Pick<Check, "name">): string {
  return `${check.name}Unknown`;
}

/** The context of an update from `source` to a release, before the checks that run are selected. */
export function buildContext(source: Version, release: Release, now: Date, platform: Platform = "openshift"): Context {
  const target = release.version;
  const minorOf = (version: Version): number =>
    platform === "openshift" ? getKubernetesMinor(version) : version.minor;
  const kubernetes = { source: minorOf(source), target: minorOf(target) };
  const update = getUpdateKind(source, target);
  const special = { coveredRisks: [], reported: [] };
  return { source, target, platform, isHosted: false, kubernetes, update, release, now, checks: [], special };
}

/** Sorts findings by object, path, risk and message, the order of every output. Compares fields, since keys of very many take long to build. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      compareRefs(a.object, b.object) ||
      compareText(a.path ?? "", b.path ?? "") ||
      compareText(a.risk, b.risk) ||
      compareText(a.message, b.message),
  );
}

/** "4.18.4 (Kubernetes 1.31)", or "Kubernetes 1.31.2" without OpenShift. */
export function formatTarget({ platform, target, kubernetes }: Context): string {
  return platform === "openshift" ? `${target.text} (Kubernetes 1.${kubernetes.target})` : `Kubernetes ${target.text}`;
}
