// Schemas as API servers decode them.
export { NO_PROPS, JSON_TYPES, SCHEMA_TYPES, type RuleProps, type SchemaProps } from "./decoding/schema-props.ts";
export { decodeSchema, isSchemaKeyword } from "./decoding/schema-decoder.ts";
export {
  FLAG,
  TEXT,
  buildIntegerShape,
  buildListShape,
  buildObjectShape,
  buildPlainShape,
  fieldsOf,
  requireShape,
} from "./decoding/shape.ts";
export { type DroppedField, coerceObjectMeta, decodeObjectMeta, formatDropped } from "./decoding/coercion.ts";
export {
  type Place,
  type Refusal,
  type Verdict,
  enter,
  findFault,
  leaveUndecided,
  refuse,
  startReport,
} from "./decoding/report.ts";

// Structural schemas, and the values and paths below them.
export {
  type AllowedValues,
  type ApplyType,
  type Default,
  type ListType,
  type LogicalJunctors,
  META,
  type SchemaRule,
  type SchemaType,
  type StructuralSchema,
  getAdditionalSchema,
  getFieldSchema,
} from "./structural/structural-schema.ts";
export {
  findStructuralFault,
  findUnreadable,
  hasDefaults,
  hasJunctors,
  hasSchema,
  junctorsOf,
  requireStructural,
} from "./structural/structure.ts";
export { findFormat } from "./structural/supported-formats.ts";
export {
  type FieldPath,
  type PathSegment,
  formatBracketPath,
  formatDottedPath,
  visitChildren,
} from "./structural/field-path.ts";
export { type CorrelatedObject, correlate, correlateChild, isUnchanged } from "./structural/correlated-object.ts";
export { buildEqualityKey } from "./structural/equality-key.ts";
export { findDuplicates } from "./structural/list-types.ts";
export { isInt64, isRounded } from "./structural/numbers.ts";
export { countCodePoints, formatValue } from "./structural/value-text.ts";

// Validation, and what it reports.
export { validateValue } from "./validation/schema-validation.ts";
export { formatTypeWithArticle, getJsonType } from "./validation/type-validation.ts";
export type { ValidateChild, ValidationScope } from "./validation/validation-scope.ts";
export {
  type ApplyFault,
  type ErrorList,
  type ErrorType,
  type FieldError,
  MAX_PRUNED,
  type UnevaluatedRule,
  type ValidationResult,
  addError,
  compareErrors,
  createErrorList,
  hasBlockingError,
  mergeErrors,
} from "./structural/field-errors.ts";

// Texts: formats and patterns.
export { isBase64, isBase64OrEmpty, isUuid } from "./formats/codes.ts";
export {
  countBytes,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from "./formats/names.ts";
export { isIp, isIpv6 } from "./formats/network.ts";
export { isDate, isDateTime } from "./formats/times.ts";
export { isRequestUri } from "./formats/uri.ts";
export { compilePattern, patternFault } from "./go-pattern.ts";

// What an API server does since which minor.
export { NEWEST_MINOR, type ServerFeature, canNewRuleUse, hasFeature, isServerFeature } from "./server-features.ts";
