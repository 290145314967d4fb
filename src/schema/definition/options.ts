/**
 * What of a CRD is looked at: an API server tolerates in an update some of what the installed CRD has wrong already. `tolerates…` is
 * false for a new CRD.
 */
export type Options = {
  readonly tolerates: {
    readonly noSchema: boolean;
    readonly unknownTypes: boolean;
    readonly unstructured: boolean;
    readonly unprunedDefaults: boolean;
    readonly sets: boolean;
    readonly mapKeys: boolean;
    readonly reviewVersions: boolean;
    readonly caBundle: boolean;
  };
  /** Versions whose schema is the installed one: what a single rule of theirs costs is no matter. */
  readonly unchanged: ReadonlySet<string>;
  /** Versions with too many selectable fields, which are the installed ones. */
  readonly manySelectable: ReadonlySet<string>;
};

export const STRICT: Options = {
  tolerates: {
    noSchema: false,
    unknownTypes: false,
    unstructured: false,
    unprunedDefaults: false,
    sets: false,
    mapKeys: false,
    reviewVersions: false,
    caBundle: true,
  },
  unchanged: new Set(),
  manySelectable: new Set(),
};
