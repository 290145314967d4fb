import { checkExpression } from "../../../../src/schema/cel/check/checker.ts";
import { type Evaluation, evaluateExpression } from "../../../../src/schema/cel/index.ts";
import { API_SERVER_MACROS } from "../../../../src/schema/cel/syntax/macros.ts";
import { requireProgram } from "../../../../src/schema/cel/check/program.ts";
import { DYN, typeText, type ValueType } from "../../../../src/schema/cel/types/types.ts";
import { valueType } from "../../../../src/schema/cel/types/value-type.ts";
import { estimateCost } from "../../../../src/schema/cel/cost/cost.ts";
import { getEstimateRules } from "../../../../src/schema/cel/cost/coster.ts";
import { API_SERVER_FUNCTIONS } from "../../../../src/schema/cel/library/api-server.ts";
import { compile } from "../../../../src/schema/cel/runtime/compiler.ts";
import { findMapValue, getMapKeys } from "../../../../src/schema/cel/values/equality.ts";
import { getListValues, unstructuredToValue } from "../../../../src/schema/cel/values/unstructured.ts";
import { type CelValue, isList, isMap, isObjectValue } from "../../../../src/schema/cel/values/value.ts";
import { CompileError } from "../../../../src/schema/cel/syntax/ast.ts";
import { parseExpression } from "../../../../src/schema/cel/syntax/parser.ts";
import { startReport } from "../../../../src/schema/openapi/report.ts";
import { decodeSchema } from "../../../../src/schema/openapi/schema-props.ts";
import { NEWEST_MINOR } from "../../../../src/schema/openapi/server-features.ts";
import { compileForTest } from "../../../../verify/schema/cel/cases.ts";
import { OWN_OBJECT, OWN_SCHEMA } from "./own-object.ts";

/** Estimates know less of entries and of Kubernetes' own values. */
const EARLIER_MINOR = 31;

/**
 * What the API server makes of an expression over `self`: "VALUE, TYPE, COST of ESTIMATE or EARLIER", where the estimates are those of the
 * newest minor and of an earlier one, if they differ.
 */
export function judgeExpression(text: string): string {
  try {
    const expr = parseExpression(text, API_SERVER_MACROS);
    // To read the schema for each expression would take most of the time.
    const [schema, object] = /\bself\b/.test(text) ? [OWN_SCHEMA, OWN_OBJECT] : [{ type: "object" }, {}];
    const self = requireType(valueType(decodeSchema(schema, startReport()), false, NEWEST_MINOR));
    const checked = checkExpression(expr, [["self", self.type]], API_SERVER_FUNCTIONS);
    requireProgram(checked);
    const { overloads, types } = checked;
    const environment = { slots: new Map([["self", 0]]), size: 1, functions: API_SERVER_FUNCTIONS, overloads };
    const type = types.get(expr) ?? DYN;
    const names = new Set<string>();
    const code = compile(expr, environment);
    const value = unstructuredToValue(object, compileForTest(schema).root);
    const evaluation = evaluateExpression({ kind: "expression", syntax: expr, type, names, code }, [value]);
    const [now, before] = [NEWEST_MINOR, EARLIER_MINOR].map((minor) =>
      estimateCost(checked, self, getEstimateRules(minor)),
    );
    const estimates = now === before ? `${now}` : `${now} or ${before}`;
    return `${formatResult(evaluation)}, ${typeText(type)}, ${evaluation.cost} of ${estimates}`;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const { message, start, end, isUndecided } = error;
    return `${isUndecided ? "undecided" : "refused"} at ${start} to ${end}: ${message}`;
  }
}

function requireType(type: ValueType | undefined): ValueType {
  if (type === undefined) throw new Error("the schema has no type");
  return type;
}

function formatResult(evaluation: Evaluation): string {
  return evaluation.kind === "value" ? formatCel(evaluation.value) : `${evaluation.kind} (${evaluation.text})`;
}

/** Without the functions of the language, whose results are what is tested. */
export function formatCel(value: CelValue): string {
  if (typeof value === "number") return `${Object.is(value, -0) ? "-" : ""}${value}d`;
  if (!isObjectValue(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  if (isList(value)) return `[${getListValues(value).map(formatCel).join(", ")}]`;
  if (isMap(value)) return formatMap(value);
  if (value.kind === "bytes") return `bytes ${Buffer.from(value.bytes).toString("hex")}`;
  if (value.kind === "optional") return value.value === undefined ? "none" : `some ${formatCel(value.value)}`;
  if (value.kind === "format") return `format ${value.name}`;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part)).replaceAll('"', "");
}

function formatMap(map: Parameters<typeof getMapKeys>[0]): string {
  const members = getMapKeys(map).map((key) => `${formatCel(key)}: ${formatCel(findMapValue(map, key) ?? null)}`);
  return `{${members.join(", ")}}`;
}
