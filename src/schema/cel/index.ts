// Expressions over objects as they are.
export {
  type CompiledExpression,
  type Declarations,
  type Evaluation,
  type ExpressionFault,
  type ExpressionOutcome,
  type Taken,
  compileConstant,
  compileObjectExpression,
  evaluateExpression,
  evaluateIn,
  getTaken,
  findType,
} from "./expression.ts";

// Syntax.
export { parseExpression } from "./syntax/parser.ts";
export {
  type CallExpr,
  type Expr,
  type FoldExpr,
  type SelectExpr,
  type Span,
  buildCall,
  buildIdent,
  getChildren,
  nodesOf,
  CompileError,
} from "./syntax/ast.ts";
export { type Token, findClosingBrace, tokenize } from "./syntax/tokens.ts";
export { type Expansions, defineByKeys, formatMacroKey, API_SERVER_MACROS } from "./syntax/macros.ts";

// Types, and what type-checking finds.
export {
  BOOL,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  type ValueType,
  isDyn,
  listType,
  mapType,
  optionalType,
  typeText,
  unwrapped,
} from "./types/types.ts";
export { REQUEST_BYTES, valueType } from "./types/value-type.ts";
export { checkExpression } from "./check/checker.ts";
export { requireProgram } from "./check/program.ts";
export type { Checked } from "./check/type-check.ts";

// The most that an expression may cost.
export { estimateCost } from "./cost/cost.ts";
export { type EstimateRules, getEstimateRules, LARGEST } from "./cost/coster.ts";

// Functions.
export { API_SERVER_FUNCTIONS, API_SERVER_LIBRARIES } from "./library/api-server.ts";
export { READS_ONCE, onText } from "./runtime/environment.ts";
export { getTraversalCostOfAll, traverseAll } from "./library/collections.ts";
export { definePatternFunction } from "./library/texts.ts";
export {
  type FunctionImplementation,
  type FunctionRow,
  type FunctionRows,
  type FunctionTable,
  buildApiServerLibrary,
  buildFunctionTable,
} from "./runtime/environment.ts";

// Evaluation.
export { compile } from "./runtime/compiler.ts";
export type { Environment } from "./runtime/environment.ts";
export {
  type Activation,
  CostLimitError,
  type EvaluationLimits,
  type Interpretable,
  type ReusedActivation,
  CALL_LIMITS,
  PER_CALL_LIMIT,
  exceedsBudget,
  openActivation,
  reopenActivation,
} from "./runtime/environment.ts";

// Values.
export { type Meter, BYTES, ExhaustedError, countMemory, countWork } from "./values/meter.ts";
export {
  type CelValue,
  type ErrorValue,
  type MapValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type ObjectValue,
  PanicError,
  UnsupportedError,
  buildBytes,
  buildError,
  buildList,
  buildMissing,
  buildOptional,
  isError,
  isKind,
  isList,
  isMap,
  joinErrors,
  unwrapOptional,
} from "./values/value.ts";
export { getListValues, jsonToValue, unstructuredToValue } from "./values/unstructured.ts";
export { forgetParts } from "./runtime/shared-parts.ts";
export { findMapValue, getMapKeys } from "./values/equality.ts";
export { buildMapKey } from "./values/value.ts";
export { quoteAsGo, toText } from "./values/text-formatting.ts";
export { escapeName, getEscapedSign } from "./values/text.ts";
export { formatDuration, formatTimestamp, parseDateTime } from "./values/times.ts";
export {
  parseQuantity,
  compareQuantities,
  toApproximateFloat,
  compareVersions,
  parseNormalizedSemver,
} from "./values/numbers.ts";
