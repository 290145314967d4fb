import type { AffectedVersions, SourceRange } from "../../data-checks/definition.ts";
import type { Effect } from "../../model/check.ts";

/**
 * A path into an object: keys separated by dots, in double quotes if a key contains dots (`metadata.labels."kubernetes.io/arch"`), `[]`
 * for each item of a list or each value of a map, `[-1]` for the last item, `[keys]` for the keys of a map. A test of several values holds
 * if it holds for one.
 */
export type Path = string;

/** A test of one value. It is unknown if a version or an address range can't be parsed. */
export type ValueTest =
  | { readonly is: "present" | "absent" | "nonEmpty" }
  | { readonly equals: string | number | boolean }
  | { readonly oneOf: readonly string[] }
  /** An RE2 expression that matches anywhere in the text. */
  | { readonly matches: string }
  | { readonly atLeast: number }
  | { readonly longerThan: number }
  | { readonly family: "IPv4" | "IPv6" }
  /** A full version, or one with fewer numbers, in the range from `from` (included) to `before` (excluded). */
  | { readonly version: { readonly from?: string; readonly before?: string } };

/** A test of one object, or of a part of it. */
export type ItemTest =
  | ({ readonly at: Path } & ValueTest)
  /** At least this many items of the list satisfy the test; by default one. */
  | { readonly items: Path; readonly where: ItemTest; readonly least?: number }
  /** Tests the parsed texts at the path; unknown if one can't be parsed. */
  | { readonly parsed: Path; readonly as: "json" | "yaml"; readonly where: ItemTest }
  | { readonly allOf: readonly ItemTest[] }
  | { readonly anyOf: readonly ItemTest[] }
  | { readonly not: ItemTest };

/** One named object ("name" or "namespace/name") of a resource such as "config.openshift.io/v1/networks"; no if it is absent. */
export type GetPredicate = {
  readonly get: string;
  readonly name: string;
  readonly where?: ItemTest;
  /** The finding doesn't name it: it shows the kind of cluster, and not the affected object. */
  readonly unnamed?: true;
};

/** At least this many objects of a kind satisfy the test; by default one. A kind that isn't served has none. */
export type EachPredicate = {
  readonly each: string;
  readonly where: ItemTest;
  readonly least?: number;
  readonly unnamed?: true;
};

/** An object whose names don't all exist. */
export type DanglingPredicate = {
  readonly dangling: GetPredicate | EachPredicate;
  readonly names: Path;
  /** Only names that match this RE2 expression count. */
  readonly matching?: string;
  /** Every name has to be missing, as those of an object without names are. By default one is enough. */
  readonly all?: true;
  /**
   * The names that exist: of the objects of a kind, at a path of some objects, or at a path of one object. If that is absent, the predicate
   * is no, or with `all` there are no names. With `parsed` the path is one in the JSON text there.
   */
  readonly missingIn:
    | string
    | { readonly each: string; readonly where: ItemTest; readonly at: Path }
    | { readonly get: string; readonly name: string; readonly parsed?: Path; readonly at: Path };
};

/** The predicates that read from the cluster; all others are built from these. */
export type ReadPredicate = GetPredicate | EachPredicate | DanglingPredicate;

/** A condition on the cluster, as data. */
export type Predicate =
  | ReadPredicate
  /** The target alone decides. */
  | { readonly always: true }
  /** infrastructures/cluster status.platformStatus.type. */
  | { readonly platform: readonly string[] }
  /** Does the control plane run outside the cluster (topology External)? */
  | { readonly hosted: boolean }
  /** Azure Red Hat OpenShift. */
  | { readonly aro: true }
  /** The network plugin in use, from the status of the Network config. */
  | { readonly networkType: readonly string[] }
  /** The first version that the cluster had. */
  | { readonly bornBefore: string }
  /** Did an update to a release in this range ever complete? */
  | { readonly completed: { readonly from: string; readonly before?: string } }
  | { readonly capability: string }
  /** Do nodes use this container runtime, or may they? */
  | { readonly mayRun: "crun" | "runc" }
  /** An operator that OLM installed, by the part of the CSV's name before the version; copies don't count. */
  | { readonly csv: string; readonly before?: string; readonly where?: ItemTest }
  | { readonly allOf: readonly Predicate[] }
  | { readonly anyOf: readonly Predicate[] }
  | { readonly not: Predicate };

/** A bug of certain releases, as data. */
export type KnownBug = {
  readonly id: string;
  /** The risk's name, which differs from the published ones. */
  readonly name: string;
  /** What the bug does to the update; by default it breaks something and lets the update finish. */
  readonly effect?: Effect;
  /** `notice`: cluster state shows that it may concern the cluster, not that it does. */
  readonly certainty: "risk" | "notice";
  /** The names under which the update service publishes it. */
  readonly published: readonly string[];
  readonly versions: readonly AffectedVersions[];
  readonly when: Predicate;
  readonly title: string;
  /** What is wrong and what will happen: a sentence without its end, which ": <objects>." can follow. `{target}` is the target. */
  readonly message: string;
  /** What helps besides another target: an imperative without its end ("set ..."). For a notice: what to examine. */
  readonly remedy?: string;
  /** The command that applies the remedy to a finding's object of these kinds; `{object}` is its argument ("node/worker-0"). */
  readonly fix?: { readonly kinds: readonly string[]; readonly command: string };
  readonly url: string;
};

/**
 * Affected targets as the table has them. Sources are ranges, or what they have in common: `earlierMinors`, which may all lack the bug; or
 * `unaffected`, those that get the bug by the update: before it in the minor ahead (that of the entry before), or in the same minor.
 */
export type AffectedEntry = Omit<AffectedVersions, "sources"> & {
  readonly sources?: "earlierMinors" | "unaffected" | readonly SourceRange[];
};

/** An entry as the table has it: a bug whose certainty nobody names is a risk. `preReleases` are those of every minor. */
export type BugEntry = Omit<KnownBug, "certainty" | "versions"> &
  Partial<Pick<KnownBug, "certainty">> & { readonly versions: readonly AffectedEntry[] | "preReleases" };
