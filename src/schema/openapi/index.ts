// Schemas as API servers decode them.
export {
  NO_PROPS,
  JSON_TYPES,
  SCHEMA_TYPES,
  type RuleProps,
  type SchemaProps,
  decodeSchema,
  isSchemaKeyword,
} from "./schema-props.ts";
export {
  FLAG,
  TEXT,
  buildIntegerShape,
  buildListShape,
  buildObjectShape,
  buildPlainShape,
  fieldsOf,
  requireShape,
} from "./report.ts";
export {
  type DroppedField,
  coerceObjectMeta,
  decodeObjectMeta,
  findObjectMetaFault,
  formatDropped,
} from "./object-meta.ts";
export {
  type Place,
  type Refusal,
  type Verdict,
  enter,
  findFault,
  leaveUndecided,
  refuse,
  startReport,
} from "./report.ts";

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
} from "./structural-schema.ts";
export {
  findStructuralFault,
  findUnreadable,
  hasDefaults,
  hasJunctors,
  hasSchema,
  junctorsOf,
  requireStructural,
} from "./structure.ts";
export { findFormat } from "./formats.ts";
export {
  type ChildVisitor,
  type FieldPath,
  type PathSegment,
  formatBracketPath,
  formatDottedPath,
  visitChildren,
} from "./field-errors.ts";
export {
  type CorrelatedObject,
  correlate,
  correlateChild,
  isUnchanged,
  buildEqualityKey,
  findDuplicates,
} from "./equality.ts";
export { fitsFormat, isInt64 } from "./numbers.ts";
export { countCodePoints, formatValue } from "./field-errors.ts";

// Validation, and what it reports.
export { validateValue, formatTypeWithArticle, getJsonType } from "./validation.ts";
export {
  type ValidateChild,
  type ValidationScope,
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
} from "./field-errors.ts";

// Texts: formats and patterns.
export {
  isBase64,
  isBase64OrEmpty,
  isUuid,
  countBytes,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from "./formats.ts";
export { isIp, isIpv6 } from "./addresses.ts";
export { isDate, isDateTime } from "./formats.ts";
export { isRequestUri } from "./addresses.ts";
export { compilePattern, estimateProgramSize, patternFault } from "./go-pattern.ts";
export { measurePattern } from "./pattern-work.ts";
export { type Inclusion, type TextLimits, compareTexts } from "./pattern-inclusion.ts";

// What an API server does since which minor.
export { NEWEST_MINOR, type ServerFeature, canNewRuleUse, hasFeature, isServerFeature } from "./server-features.ts";
