import { join } from "node:path";
import { type Json, type JsonObject, listAt, objectAt, textAt } from "../../../../src/model/json.ts";
import { judgeDefinition, compileSchema, validateObject } from "../../../../src/schema/crd/index.ts";
import { startReport } from "../../../../src/schema/openapi/report.ts";
import { decodeSchema } from "../../../../src/schema/openapi/schema-props.ts";
import { parseCrd } from "../../../../src/model/crd.ts";
import { valueType } from "../../../../src/schema/cel/types/value-type.ts";
import { NEWEST_MINOR } from "../../../../src/schema/openapi/server-features.ts";
import { compileExpression } from "../../../../src/schema/crd/rules/rule-language.ts";
import { wrapSpec } from "../../../../verify/schema/cel/cases.ts";
import type { Oracle } from "../../../../verify/differential/oracle.ts";
import { writeKinds } from "../differential/schema-kinds.ts";
import type { GeneratedRule } from "../../../../verify/schema/cel/expression-generator.ts";
import { SCHEMA, VALUE } from "../../../../verify/schema/cel/operands.ts";

/** A rule for the items of a list of at most so many; `isCostly`: an API server would refuse it even for one. */
export type PlacedRule = GeneratedRule & { readonly maxItems: number; readonly isCostly: boolean };

/** What one side says of a rule: of its definition and, if it accepts that, of an object. */
export type RuleVerdict = { readonly definition: "accepted" | "refused" | "unknown"; readonly value: string };

const LIMIT = 10_000_000;
const SELF = valueType(decodeSchema(SCHEMA, startReport()), false, NEWEST_MINOR);

/** Places a rule where it costs just as much as is allowed, or just more (`isBeyond`), so that the estimates have to be the same. */
export function placeRule(one: GeneratedRule, isBeyond: boolean): PlacedRule {
  const compiled =
    SELF && compileExpression({ text: one.rule, result: "bool", self: SELF, optionalOld: false }, NEWEST_MINOR, true);
  const cost = compiled?.kind === "compiled" ? compiled.cost : 0;
  const most = cost === 0 ? 5 : Math.floor(LIMIT / cost);
  return { ...one, isCostly: most === 0, maxItems: Math.max(1, most + (isBeyond ? 1 : 0)) };
}

/**
 * Rules of the same place: of the list e0 the first ones, of e1 the next. A failure tells which rule it is of by its message, or by its
 * field where the message is the value of an expression: with more in it, it would be a text of any size, which costs too much.
 */
type Kind = { readonly definition: JsonObject; readonly object: JsonObject; readonly groups: readonly PlacedRule[][] };

function buildKind(rules: readonly PlacedRule[]): Kind {
  const groups = [...Map.groupBy(rules, formatPlace).values()].flatMap(splitByFields);
  const lists = groups.map((group, i): [string, Json] => {
    const validations = group.map((rule, place) => buildValidation(rule, rules.indexOf(rule), place));
    const items = { ...SCHEMA, "x-kubernetes-validations": validations };
    return [`e${i}`, { type: "array", maxItems: group[0]?.maxItems ?? 1, items }];
  });
  const spec = Object.fromEntries(groups.map((_, i) => [`e${i}`, [VALUE]]));
  const object = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "x" }, spec };
  return { definition: wrapSpec({ type: "object", properties: Object.fromEntries(lists) }), object, groups };
}

/** Fields of the schema, each of which stands for a rule of its list. */
const FIELD_NAMES = Object.keys(objectAt(SCHEMA, "properties")).filter(
  (name) => /^[a-z]+$/.test(name) && name !== "in",
);

function formatPlace({ maxItems, messageExpression }: PlacedRule): string {
  return `${maxItems} ${messageExpression === undefined ? "" : "tells"}`;
}

function splitByFields(rules: PlacedRule[]): readonly PlacedRule[][] {
  const count = Math.ceil(rules.length / FIELD_NAMES.length);
  return Array.from({ length: count }, (_, i) => rules.slice(i * FIELD_NAMES.length, (i + 1) * FIELD_NAMES.length));
}

function buildValidation({ rule, messageExpression }: PlacedRule, index: number, place: number): Json {
  const message = `RULE ${index}`;
  if (messageExpression === undefined) return { rule, message };
  return { rule, message, messageExpression, fieldPath: `.${FIELD_NAMES[place]}` };
}

/** Rules that were accepted, unless they were so because they stand at a limit that one evaluation must not reach. */
function isEvaluated(definition: RuleVerdict["definition"], { isCostly }: PlacedRule): boolean {
  return definition === "accepted" && !isCostly;
}

function combine(
  rules: readonly PlacedRule[],
  definitions: ReadonlyMap<PlacedRule, RuleVerdict["definition"]>,
  values: ReadonlyMap<PlacedRule, string>,
): readonly RuleVerdict[] {
  return rules.map((rule) => ({ definition: definitions.get(rule) ?? "accepted", value: values.get(rule) ?? "" }));
}

export function judgeRules(rules: readonly PlacedRule[]): readonly RuleVerdict[] {
  const { definition, groups } = buildKind(rules);
  const { refusals, undecided } = judgeDefinition(definition);
  const found = [
    ...refusals.map(({ path }) => [path, "refused"] as const),
    ...undecided.map(({ path }) => [path, "unknown"] as const),
  ];
  const definitions = new Map(
    found.flatMap(([path, verdict]) => findRules(path, groups).map((rule) => [rule, verdict] as const)),
  );
  const accepted = rules.filter((rule) => isEvaluated(definitions.get(rule) ?? "accepted", rule));
  return combine(rules, definitions, evaluateRules(accepted));
}

function findRules(path: string, groups: Kind["groups"]): readonly PlacedRule[] {
  const [, group = "", index = ""] = /properties\[e(\d+)\]\.items\.x-kubernetes-validations\[(\d+)\]/.exec(path) ?? [];
  const rule = groups[Number(group)]?.[Number(index)];
  return group === "" || rule === undefined ? [] : [rule];
}

function evaluateRules(rules: readonly PlacedRule[]): ReadonlyMap<PlacedRule, string> {
  const { definition, object, groups } = buildKind(rules);
  const [version] = parseCrd(definition)?.versions ?? [];
  const ready = compileSchema(version?.schema ?? "");
  if (ready.kind === "refused") throw new Error(ready.message);
  const { errors, unevaluatedRules } = validateObject(ready, object);
  const unknown = new Set(unevaluatedRules.map(({ rule }) => rule));
  const values = readValues(rules, groups, errors);
  return new Map([...values].map(([rule, value]) => [rule, unknown.has(rule.rule) ? "unknown" : value]));
}

const FAILURE = /(?:evaluating rule|signature for rule|exceeds limit for rule): RULE \d+$/;

/** What the messages of the rules that failed say of each. */
function readValues(
  rules: readonly PlacedRule[],
  groups: Kind["groups"],
  failures: readonly { readonly path: string; readonly message: string }[],
): ReadonlyMap<PlacedRule, string> {
  const values = new Map(rules.map((rule) => [rule, "holds"]));
  for (const { path, message } of failures) {
    const [, group, field = ""] = /^spec\.e(\d+)\[0\]\.(\w+)$/.exec(path) ?? [];
    const told = groups[Number(group)]?.[FIELD_NAMES.indexOf(field)];
    const rule = told ?? rules[Number(/RULE (\d+)$/.exec(message)?.[1])];
    if (rule) values.set(rule, FAILURE.test(message) ? "fails to evaluate" : `false: ${message}`);
  }
  return values;
}

/** What the API server's packages say. */
export async function askRules(
  rules: readonly PlacedRule[],
  oracle: Oracle,
  folder: string,
): Promise<readonly RuleVerdict[]> {
  const definitions = await askDefinitions(rules, oracle, folder);
  const accepted = rules.filter((rule) => isEvaluated(definitions.get(rule) ?? "accepted", rule));
  const { definition, object, groups } = buildKind(accepted);
  const [kind] = writeKinds(definition, "accepted", join(folder, "accepted.json"));
  const [answer = {}] = await oracle([{ crd: kind?.file ?? "", version: "v1", object, exact: true }]);
  const failure = textAt(answer, "error");
  if (failure !== undefined) throw new Error(`the oracle could not evaluate: ${failure}`);
  const failures = listAt(answer, "errors").map((error) => ({
    path: textAt(error, "field") ?? "",
    message: (textAt(error, "detail") ?? "").replace(/^Invalid value(?:: "object")?: /, ""),
  }));
  return combine(rules, definitions, readValues(accepted, groups, failures));
}

/** A definition at which the API server's packages panic is refused. */
async function askDefinitions(
  rules: readonly PlacedRule[],
  oracle: Oracle,
  folder: string,
): Promise<ReadonlyMap<PlacedRule, "refused">> {
  const { definition, groups } = buildKind(rules);
  const [kind] = writeKinds(definition, "definitions", join(folder, "definitions.json"));
  const [answer = {}] = await oracle([{ crd: kind?.file ?? "", check: true, exact: true }]);
  const text = textAt(answer, "error") ?? "";
  if (!text.startsWith("panic:")) {
    return new Map(
      [...text.matchAll(REFUSAL)].flatMap(([path]) => findRules(path, groups)).map((rule) => [rule, "refused"]),
    );
  }
  if (rules.length === 1) return new Map(rules.map((rule) => [rule, "refused"]));
  const half = Math.ceil(rules.length / 2);
  const first = await askDefinitions(rules.slice(0, half), oracle, folder);
  return new Map([...first, ...(await askDefinitions(rules.slice(half), oracle, folder))]);
}

/** A refused rule, unless it only contributes to the costs of all rules together. */
const REFUSAL = /properties\[e\d+\]\.items\.x-kubernetes-validations\[\d+\]\.\w+: (?!Forbidden: contributed)/g;
