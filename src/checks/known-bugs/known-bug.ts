/**
 * A path into an object: keys with dots between, in double quotes where a key has dots itself (`metadata.labels."kubernetes.io/arch"`),
 * `[]` for each item of a list or each value of a map, `[-1]` for the last item, `[keys]` for the names of a map's values. A test of several values holds where it holds of one.
 */
export type Path = string;

/** A test of one value. A version or a range of addresses that can't be parsed makes it unknown. */
export type ValueTest =
  | { readonly is: "present" | "absent" | "nonEmpty" }
  | { readonly equals: string | number | boolean }
  | { readonly oneOf: readonly string[] }
  /** RE2, found anywhere in the text. */
  | { readonly matches: string }
  | { readonly atLeast: number }
  | { readonly longerThan: number }
  | { readonly family: "IPv4" | "IPv6" }
  /** A full version, or one with fewer numbers: `from` is in it, `before` is not. */
  | { readonly version: { readonly from?: string; readonly before?: string } };

/** A test of one object, or of a part of it. */
export type ItemTest =
  | ({ readonly at: Path } & ValueTest)
  /** So many items of the list satisfy the test; one, where no number is given. */
  | { readonly items: Path; readonly where: ItemTest; readonly least?: number }
  /** The texts at the path, parsed; one that can't be parsed is unknown. */
  | { readonly parsed: Path; readonly as: "json" | "yaml"; readonly where: ItemTest }
  | { readonly allOf: readonly ItemTest[] }
  | { readonly anyOf: readonly ItemTest[] }
  | { readonly not: ItemTest };

/** One named object ("name" or "namespace/name") of a resource such as "config.openshift.io/v1/networks"; an absent one is a no. */
export type GetPredicate = {
  readonly get: string;
  readonly name: string;
  readonly where?: ItemTest;
  /** Not named in the finding: it says what kind of cluster it is, not where the fault lies. */
  readonly unnamed?: true;
};

/** So many objects of a kind satisfy the test; one, where no number is given. A kind that isn't served has none. */
export type EachPredicate = {
  readonly each: string;
  readonly where: ItemTest;
  readonly least?: number;
  readonly unnamed?: true;
};

/** An object whose texts at `names` name an object of another kind that is not there; or aren't those of one object, where that is there. */
export type DanglingPredicate = {
  readonly dangling: GetPredicate | EachPredicate;
  readonly names: Path;
  readonly missingIn: string | { readonly get: string; readonly name: string; readonly at: Path };
};

/** What is read of the cluster: everything else follows from these. */
export type ReadPredicate = GetPredicate | EachPredicate | DanglingPredicate;

/** A question about the cluster, for which no code of its own is needed. */
export type Predicate =
  | ReadPredicate
  /** The target alone decides. */
  | { readonly always: true }
  /** infrastructures/cluster status.platformStatus.type. */
  | { readonly platform: readonly string[] }
  /** Does the control plane run elsewhere (topology External)? */
  | { readonly hosted: boolean }
  /** Azure Red Hat OpenShift. */
  | { readonly aro: true }
  /** The plugin that runs, in Network config's status. */
  | { readonly networkType: readonly string[] }
  /** The first version that the cluster had. */
  | { readonly bornBefore: string }
  /** Was a release from `from`, before `before`, ever installed to its end? */
  | { readonly completed: { readonly from: string; readonly before?: string } }
  | { readonly capability: string }
  /** An operator that OLM installed, by the part of the CSV's name before the version; copies don't count. */
  | { readonly csv: string; readonly before?: string; readonly where?: ItemTest }
  | { readonly allOf: readonly Predicate[] }
  | { readonly anyOf: readonly Predicate[] }
  | { readonly not: Predicate };

/** Sources from `from`, before `before`. */
export type SourceRange = { readonly from?: string; readonly before?: string };

/** Affected targets, both ends included, and the sources from which they are; any, where none are given. */
export type AffectedVersions = {
  readonly first: string;
  readonly last: string;
  readonly sources?: readonly SourceRange[];
  /** The first release of the same minor without the fault. */
  readonly fixedIn?: string;
};

/** A fault of certain releases, as data. */
export type KnownBug = {
  readonly id: string;
  /** The risk's name: our own. */
  readonly name: string;
  /** `notice`: cluster state shows that it may concern the cluster, not that it does. */
  readonly certainty: "risk" | "notice";
  /** What the update service calls the same. */
  readonly published: readonly string[];
  readonly versions: readonly AffectedVersions[];
  readonly when: Predicate;
  readonly title: string;
  /** What is wrong and what will happen: a sentence without its end, after which ": <objects>." fits. `{target}` is the target. */
  readonly message: string;
  /** What helps besides another target: an infinitive without its end ("set ..."). For a notice: what to look at. */
  readonly remedy?: string;
  readonly url: string;
};
