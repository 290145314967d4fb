import type { Json } from "../../../model/json.ts";
import type {
  ChildVisitor,
  StructuralSchema,
  SchemaRule,
  FieldPath,
  ErrorList,
  ErrorType,
  UnevaluatedRule,
  CorrelatedObject,
} from "../../openapi/index.ts";
import { formatBracketPath, visitChildren, addError, correlateChild, isUnchanged } from "../../openapi/index.ts";
import { BUDGET_EXCEEDED, type Program, evaluateRule } from "./rule-program.ts";
import { OPTIONAL_NONE, buildOptional, type CelValue, unstructuredToValue } from "../../cel/index.ts";

/** The position of a rule in an update: the value and the stored one that it replaces, or the nearest such pair above it. */
type RatchetingOptions = {
  readonly currentCorrelation: CorrelatedObject | undefined;
  readonly nearestParentCorrelation: CorrelatedObject | undefined;
  /** The root's apiVersion and kind have old values, but no fault of theirs is tolerated. */
  readonly isTypeMeta?: true;
};

/** The state of evaluating an object's rules. If the remaining budget is negative, no further rule is run. */
export type RuleEvaluation = {
  readonly programs: ReadonlyMap<SchemaRule, Program>;
  readonly path: FieldPath;
  readonly errors: ErrorList;
  unevaluated?: Map<SchemaRule, UnevaluatedRule>;
  remainingBudget: number;
  correlation?: RatchetingOptions | undefined;
};

/** The most that all rules of one object may cost together (RuntimeCELCostBudget). */
export const RUNTIME_CEL_COST_BUDGET = 10_000_000;

/** With the whole budget; `correlation` in an update of a stored object, if the API server ratchets. */
export function startEvaluation(
  programs: RuleEvaluation["programs"],
  errors: ErrorList,
  path: FieldPath,
  correlation?: CorrelatedObject,
): RuleEvaluation {
  return {
    programs,
    path,
    errors,
    remainingBudget: RUNTIME_CEL_COST_BUDGET,
    correlation: correlation && { currentCorrelation: correlation, nearestParentCorrelation: undefined },
  };
}

/** Runs the rules of the value and of everything below it, in the API server's order. Nulls have no rules. */
export function validateRules(schema: StructuralSchema, value: Json, evaluation: RuleEvaluation): void {
  if (!schema.hasRules || !schema.isVisibleToRules || value === null || evaluation.remainingBudget < 0) return;
  if (schema.rules.length > 0) validateRulesHere(schema, value, evaluation);
  if (evaluation.remainingBudget >= 0) visitChildren(schema, value, RULES, evaluation);
}

const RULES: ChildVisitor<RuleEvaluation> = {
  concerns: ({ hasRules }) => hasRules,
  visit(child, value, step, evaluation) {
    const { correlation } = evaluation;
    evaluation.correlation = correlation && enterChild(correlation, step);
    validateRules(child, value, evaluation);
    evaluation.correlation = correlation;
  },
};

function validateRulesHere(schema: StructuralSchema, value: Json, evaluation: RuleEvaluation): void {
  if (evaluation.remainingBudget <= 0) {
    const path = formatBracketPath(evaluation.path);
    addError(evaluation.errors, { type: "FieldValueInvalid", path, message: BUDGET_EXCEEDED });
    evaluation.remainingBudget = -1;
    return;
  }
  const self = toSelf(schema, value, evaluation);
  for (const rule of schema.rules) {
    if (evaluation.remainingBudget >= 0) validateRule(rule, schema, self, evaluation);
  }
}

function toSelf(schema: StructuralSchema, value: Json, { path }: RuleEvaluation): CelValue {
  return unstructuredToValue(value, schema, path.length === 0);
}

function recordUnevaluated(rule: SchemaRule, evaluation: RuleEvaluation): void {
  evaluation.unevaluated ??= new Map();
  if (evaluation.unevaluated.has(rule)) return;
  const path = formatBracketPath(evaluation.path);
  evaluation.unevaluated.set(rule, { path, location: rule.location, rule: rule.rule });
}

function validateRule(rule: SchemaRule, schema: StructuralSchema, self: CelValue, evaluation: RuleEvaluation): void {
  const { correlation, errors } = evaluation;
  const program = evaluation.programs.get(rule);
  // A stored null is no old value.
  const old = correlation?.currentCorrelation?.oldValue ?? undefined;
  if (rule.usesOldSelf === "always" && old === undefined) return;
  const oldSelf = old !== undefined && rule.usesOldSelf !== "no" ? toSelf(schema, old, evaluation) : OPTIONAL_NONE;
  if (program === undefined) return recordUnevaluated(rule, evaluation);
  const oldSelfVariable = rule.usesOldSelf === "perhaps" && old !== undefined ? buildOptional(oldSelf) : oldSelf;
  const outcome = evaluateRule(program, rule, self, evaluation.remainingBudget, oldSelfVariable);
  if (outcome.kind === "notEvaluated") return recordUnevaluated(rule, evaluation);
  evaluation.remainingBudget -= outcome.cost;
  if (outcome.kind === "holds") return;
  const { isError, message, stops } = outcome;
  // Even if the fault is tolerated.
  if (stops) evaluation.remainingBudget = -1;
  if (!isError && rule.usesOldSelf === "no" && correlation && shouldRatchetError(correlation)) return;
  const field = isError || rule.fieldPath === "" ? [] : [rule.fieldPath];
  const path = formatBracketPath([...evaluation.path, ...field]);
  addError(errors, { type: isError || stops ? "FieldValueInvalid" : parseErrorType(rule.reason ?? ""), path, message });
}

const REASONS = ["FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"] as const;

function parseErrorType(reason: string): ErrorType {
  return REASONS.find((one) => one === reason) ?? "FieldValueInvalid";
}

function enterChild(options: RatchetingOptions, step: string | number): RatchetingOptions {
  const { currentCorrelation, nearestParentCorrelation } = options;
  if (currentCorrelation === undefined) return options;
  const child = correlateChild(currentCorrelation, step);
  if (nearestParentCorrelation === undefined && (step === "apiVersion" || step === "kind"))
    return { currentCorrelation: child, nearestParentCorrelation: undefined, isTypeMeta: true };
  return { currentCorrelation: child, nearestParentCorrelation: currentCorrelation };
}

/** Is a false rule only a warning, because its value did not change? Evaluation errors are never tolerated. */
function shouldRatchetError({ currentCorrelation, nearestParentCorrelation, isTypeMeta }: RatchetingOptions): boolean {
  if (isTypeMeta) return false;
  const changed = currentCorrelation ?? nearestParentCorrelation;
  return changed !== undefined && isUnchanged(changed);
}
