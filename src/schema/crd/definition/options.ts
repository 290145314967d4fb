const NOTHING = {
  noSchema: false,
  unknownTypes: false,
  unstructured: false,
  unprunedDefaults: false,
  sets: false,
  mapKeys: false,
  reviewVersions: false,
  caBundle: false,
};

/**
 * In an update, an API server tolerates some faults that the installed CRD already has. All of `tolerates` except `caBundle` is false for a
 * new CRD.
 */
export type Options = {
  readonly tolerates: Readonly<typeof NOTHING>;
  /** Versions with an unchanged schema: the cost of a single rule is not limited. */
  readonly unchanged: ReadonlySet<string>;
  /** Versions whose schema is not judged. */
  readonly accepted: ReadonlySet<string>;
  /** Versions whose selectable fields are too many, but unchanged. */
  readonly manySelectable: ReadonlySet<string>;
  /** Expressions of the installed CRD, which may use all that the API server knows. */
  readonly installedRules: ReadonlySet<string>;
  readonly installedMessages: ReadonlySet<string>;
};

export const STRICT: Options = {
  tolerates: { ...NOTHING, caBundle: true },
  unchanged: new Set(),
  accepted: new Set(),
  manySelectable: new Set(),
  installedRules: new Set(),
  installedMessages: new Set(),
};
