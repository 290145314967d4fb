/**
 * In an update, an API server tolerates some faults that the installed CRD already has. All of `tolerates` except `caBundle` is false for a
 * new CRD.
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
  /** Versions with an unchanged schema: the cost of a single rule is not limited. */
  readonly unchanged: ReadonlySet<string>;
  /** Versions whose schema is not judged. */
  readonly accepted: ReadonlySet<string>;
  /** Versions whose selectable fields are too many, but unchanged. */
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
  accepted: new Set(),
  manySelectable: new Set(),
};
