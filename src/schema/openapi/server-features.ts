/**
 * What an API server does since a minor of Kubernetes 1. `newSince`: since when a new rule may use it. What a rule of the installed CRD uses is
 * accepted as soon as the API server knows it.
 */
type Feature = { readonly since: number; readonly newSince: number; readonly source: string };

function feature(since: number, source: string): Feature {
  return { since, newSince: since, source };
}

/** New rules may use what the API server of the minor before knows too, so that the cluster can return to it. */
function library(since: number, source: string): Feature {
  return { since, newSince: since + 1, source };
}

/**
 * With the gates at their defaults. The sources are files of Kubernetes: base.go is apiserver/pkg/cel/environment/base.go, and paths without
 * a repository are below apiextensions-apiserver/pkg/. A version names the first release of a file that has the feature.
 */
const FEATURES = {
  rules: feature(23, "KEP-2876; base.go: options that are always present"),
  authorizer: feature(27, "apiserver/pkg/cel/library/libraries.go, v0.27.0; base.go: library.Authz"),
  authorizerErrors: feature(28, "apiserver/pkg/cel/library/authz.go, v0.28.0"),
  mixedNumbers: library(28, "base.go: cel.CrossTypeNumericComparisons"),
  optionals: library(28, "base.go: cel.OptionalTypes"),
  quantities: library(28, "base.go: library.Quantity"),
  formatting: library(29, "base.go: ext.Strings, version 2"),
  sets: library(29, "base.go: ext.Sets"),
  addresses: feature(
    29,
    "base.go: library.IP and library.CIDR, in 1.30; OpenShift has them from 4.16 on, whose own CRD infrastructures has a rule with isIP",
  ),
  namedFormats: library(31, "base.go: library.Format"),
  authorizerSelectors: library(31, "base.go: library.AuthzSelectors; gate AuthorizeWithSelectors, on since 1.32"),
  twoVariables: library(32, "base.go: ext.TwoVarComprehensions"),
  semver: library(33, "base.go: library.SemverLib"),
  optionalLists: feature(33, "cel-go v0.23.2, cel/library.go: cel.OptionalTypes"),
  hiddenFields: feature(34, "apiserver/pkg/cel/common/valuesunstructured.go, v0.34.0: Equal of unstructuredMap"),
  listBuilding: library(34, "base.go: ext.Lists, version 3"),
  enumLengths: feature(29, "apiserver/pkg/cel/common/schemas.go, v0.29.0: estimateMaxStringEnumLength"),
  libraryEquality: feature(32, "apiserver/pkg/cel/library/cost.go, v0.32.0: EstimateCallCost of _==_"),
  entrySizes: feature(33, "cel-go v0.23.2, checker/cost.go: entrySizeEstimate"),
  intOrStringLengths: feature(34, "apiserver/pkg/cel/common/schemas.go, v0.34.0: MaxElements of int-or-string"),
  messageExpression: feature(27, "apis/apiextensions/v1/types_jsonschema.go, v0.27.0"),
  reasonAndFieldPath: feature(28, "apis/apiextensions/v1/types_jsonschema.go, v0.28.0"),
  optionalOldSelf: feature(
    30,
    "registry/customresourcedefinition/strategy.go: dropOptionalOldSelfField; gate CRDValidationRatcheting",
  ),
  ratcheting: feature(30, "KEP-4008; features/kube_features.go, v0.30.0: gate CRDValidationRatcheting"),
  selectableFields: feature(31, "KEP-4358; features/kube_features.go, v0.31.0: gate CustomResourceFieldSelectors"),
  unchangedCosts: feature(29, "apis/apiextensions/validation/validation.go, v0.29.0: suppressPerExpressionCost"),
  certificates: feature(31, "apis/apiextensions/validation/validation.go, v0.31.0: allowInvalidCABundle"),
  installedMessages: feature(
    31,
    "apis/apiextensions/validation/validation.go, v0.31.0: findPreexistingExpressionsInSchema",
  ),
  manySelectableFields: feature(
    35,
    "apis/apiextensions/validation/validation.go, v0.35.0: allowTooManySelectableFields",
  ),
  someListKeys: feature(34, "structured-merge-diff v6.3.0, typed/helpers.go: keyedAssociativeListItemToPathElement"),
  nameFormats: feature(35, "apiserver/validation/formats.go, v0.34.0: formats of 1.34, which count one minor later"),
  formatsByType: feature(36, "apiserver/validation/formats.go, v0.36.0: formats of other types are dropped"),
  numberRanges: feature(36, "apiserver/validation/formats.go, v0.36.0: formats of integers and numbers are kept"),
  documentation: feature(36, "apiserver/schema/convert.go, v0.36.0: externalDocs and example are kept"),
} as const satisfies Readonly<Record<string, Feature>>;

export type ServerFeature = keyof typeof FEATURES;

/** The last minor that brought something. */
export const NEWEST_MINOR = Math.max(...Object.values(FEATURES).map(({ newSince }) => newSince));

export function isServerFeature(name: string): name is ServerFeature {
  return Object.hasOwn(FEATURES, name);
}

export function hasFeature(name: ServerFeature, minor: number): boolean {
  return minor >= FEATURES[name].since;
}

export function canNewRuleUse(name: ServerFeature, minor: number): boolean {
  return minor >= FEATURES[name].newSince;
}
