import { type Json, type JsonObject, isList, isObject, formatCanonicalJson } from "../../../src/model/json.ts";
import { compileSchema, validateObject } from "../../../src/schema/crd/index.ts";
import { BOOL, STRING } from "../../../src/schema/cel/types/types.ts";
import { compileExpression } from "../../../src/schema/crd/rules/rule-language.ts";
import { wrapSchema } from "./cases.ts";
import { ORACLE_MINOR } from "../../differential/oracle.ts";
import type { Random } from "../random/random.ts";
import { generateExpression } from "./expression-generator.ts";
import { OPTIONAL_FORMS, RULE_FORMS, TRANSITION_FORMS } from "./rule-forms.ts";
import { type RuleSubject, addGuards, findSubject, getFormName } from "./schema-vocabulary.ts";

/** How many conditions are tried for one rule, and what one may cost for each value. */
const TRIES = 12;
const MOST_COST = 20_000;

type Condition = { readonly text: string; readonly optionalOld: boolean };

/** A rule about the values of a schema, which mostly holds for the samples. Undefined if none can be written. */
export function generateSchemaRule(
  schema: JsonObject,
  isResource: boolean,
  samples: readonly Json[],
  random: Random,
): JsonObject | undefined {
  const subject = findSubject(schema, isResource);
  if (subject === undefined) return undefined;
  const isAny = random.chance(0.2);
  const kind = random.next();
  for (let i = 0; i < TRIES; i++) {
    const condition = generateCondition(subject, kind, random);
    if (!/self/i.test(condition.text) && random.chance(0.9)) continue;
    const rule = buildRule(condition, subject, random);
    if (random.chance(0.01)) return rule;
    if (isAccepted(condition, subject) && (isAny || holdsForMost(rule, schema, samples))) return rule;
  }
  return undefined;
}

function generateCondition(subject: RuleSubject, kind: number, random: Random): Condition {
  const { paths, vocabulary } = subject;
  if (kind < 0.12) return { text: generateTransition(subject, random), optionalOld: false };
  const plain = kind < 0.5 ? fillForm(subject, random) : generateExpression(BOOL, vocabulary, random);
  const text = random.chance(0.85) ? addGuards(plain, paths) : plain;
  if (kind > 0.42 && kind < 0.54) {
    return { text: (random.oneOf(OPTIONAL_FORMS) ?? "C").replaceAll("C", () => text), optionalOld: true };
  }
  return { text, optionalOld: false };
}

function fillForm({ paths }: RuleSubject, random: Random): string {
  const guards = paths.flatMap((path) => path.guards.filter((guard) => guard.startsWith("has(")));
  if (guards.length > 1 && random.chance(0.15)) {
    const a = random.oneOf(guards) ?? "";
    const b = random.oneOf(guards) ?? "";
    return random.pick([`${a} == ${b}`, `!${a} || ${b}`, `${a} || ${b}`, `!(${a} && ${b})`, `!${a}`]);
  }
  const path = random.oneOf(paths);
  if (path === undefined) return "true";
  const form = random.oneOf(RULE_FORMS[getFormName(path)] ?? []) ?? "X == X";
  return form.replaceAll(/\bX\b/g, () => path.text);
}

/** A rule that runs only if there is an old value. */
function generateTransition({ paths }: RuleSubject, random: Random): string {
  const path = random.oneOf(paths);
  if (path === undefined) return "self == oldSelf";
  const past = (text: string): string => text.replaceAll(/\bself\b/g, "oldSelf");
  const form = random.oneOf(TRANSITION_FORMS) ?? "X == O";
  const text = form.replaceAll(/\b[XO]\b/g, (name) => (name === "X" ? path.text : past(path.text)));
  const guards = path.guards.flatMap((guard) => [guard, past(guard)]);
  return guards.length === 0 ? text : `!(${guards.join(" && ")}) || (${text})`;
}

function isAccepted({ text, optionalOld }: Condition, { self }: RuleSubject): boolean {
  const compiled = compileExpression({ text, result: "bool", self, optionalOld }, ORACLE_MINOR, true);
  return compiled.kind === "compiled" && compiled.cost <= MOST_COST;
}

function holdsForMost(rule: JsonObject, schema: JsonObject, samples: readonly Json[]): boolean {
  const alone = {
    ...withoutRules(schema),
    "x-kubernetes-validations": [{ rule: rule["rule"] ?? "", optionalOldSelf: rule["optionalOldSelf"] ?? false }],
  };
  const compiled = compileSchema(formatCanonicalJson(wrapSchema(alone)), { kubernetesMinor: ORACLE_MINOR });
  if (compiled.kind === "refused") return false;
  const failing = samples.filter((sample) => validateObject(compiled, { f: sample }).errors.length > 0);
  return failing.length * 3 <= samples.length;
}

function withoutRules(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key, value]) => !(key === "x-kubernetes-validations" && isList(value)));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isObject(value) && key !== "default" ? withoutRules(value) : value]),
  );
}

const REASONS = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"] as const;

function buildRule({ text, optionalOld }: Condition, subject: RuleSubject, random: Random): JsonObject {
  const field = random.oneOf(listFieldPaths(subject));
  return {
    rule: text,
    ...(random.chance(0.6) ? { message: random.pick(["is wrong", "must be\nright", "no: {self}"]) } : {}),
    ...(random.chance(0.15) ? { messageExpression: generateMessage(subject, random) } : {}),
    ...(random.chance(0.2) ? { reason: random.pick(REASONS) } : {}),
    ...(field !== undefined && random.chance(0.2) ? { fieldPath: field } : {}),
    ...(optionalOld ? { optionalOldSelf: true } : {}),
  };
}

/** A text that our engine can compile, so that few CRDs are refused for it. */
function generateMessage({ self, vocabulary, paths }: RuleSubject, random: Random): string {
  const text = generateExpression(STRING, vocabulary, random);
  const guarded = paths.some((path) => text.includes(path.text) && path.guards.length > 0) && random.chance(0.5);
  const compiled = compileExpression({ text, result: "string", self, optionalOld: false }, ORACLE_MINOR, true);
  return guarded || compiled.kind !== "compiled" || compiled.cost > MOST_COST ? "'is ' + 'wrong'" : text;
}

function listFieldPaths({ self }: RuleSubject): readonly string[] {
  const names = [...(self.fields ?? [])].filter(([name]) => !name.includes("__"));
  return names.flatMap(([name, field]) => {
    const below = [...(field.fields ?? [])].filter(([inner]) => !inner.includes("__"));
    return [`.${name}`, `['${name}']`, ...below.map(([inner]) => `.${name}.${inner}`)];
  });
}
