import type { Blind, Context, Finding } from "../../model/check.ts";
import { byText, type JsonObject } from "../../model/json.ts";
import { type Each, each } from "../../model/read.ts";
import { type ObjectRef, refOf, refText } from "../../model/resource.ts";
import { judge, type NotEvaluated, type SchemaError } from "../../schema/judge.ts";
import type { Pair } from "./definitions.ts";
import { type Reading, readingOf, type Schemas, schemasOf } from "./reading.ts";
import { OBJECT_INVALID } from "./risks.ts";

/** What the target says of one object that today's schema accepts; an object without any of it isn't kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  readonly errors: readonly SchemaError[];
  readonly rules: readonly NotEvaluated[];
};

/** Reads a CRD's objects where there is something to judge them by. */
export function objectsRead(pair: Pair, context: Context): Each<ObjectVerdict> | undefined {
  const reading = readingOf(pair);
  if (reading === undefined) return undefined;
  const { group, plural } = pair.installed;
  return each({ group, version: reading.before.name, resource: plural }, judgeObjects(pair, reading, context));
}

/** What another check judges in full is left out here: one fact, one finding. */
const JUDGED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "clusterversions.config.openshift.io": ["spec.capabilities", "status.capabilities"],
};

/** Schemas are prepared when the first object comes: most kinds have none. */
function judgeObjects(
  pair: Pair,
  reading: Reading,
  context: Context,
): (object: JsonObject) => ObjectVerdict | undefined {
  const elsewhere = JUDGED_ELSEWHERE[pair.installed.name] ?? [];
  let schemas: Schemas | undefined;
  return (object) => {
    schemas ??= schemasOf(pair, reading, context);
    return verdictOn(object, schemas, elsewhere);
  };
}

function verdictOn(object: JsonObject, schemas: Schemas, elsewhere: readonly string[]): ObjectVerdict | undefined {
  const then = judge(schemas.after, object);
  if (then.errors.length === 0 && then.rules.length === 0) return undefined;
  const now = schemas.before === undefined ? NOTHING : judge(schemas.before, object);
  if (now.errors.length > 0) return undefined;
  const errors = then.errors.filter((error) => !elsewhere.some((path) => isUnder(error.path, path)));
  const rules = then.rules.filter((rule) => !now.rules.some((known) => sameRule(known, rule)));
  return errors.length === 0 && rules.length === 0 ? undefined : { object: refOf(object), errors, rules };
}

const NOTHING = { errors: [], rules: [] };

function isUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`);
}

function sameRule(a: NotEvaluated, b: NotEvaluated): boolean {
  return a.location === b.location && a.rule === b.rule;
}

export function objectFindings(verdicts: readonly ObjectVerdict[]): readonly Finding[] {
  return verdicts.flatMap(({ object, errors }) =>
    errors.map(({ path, message }) => ({
      risk: OBJECT_INVALID,
      object,
      ...(path === "" ? {} : { path }),
      message: `${message}.`,
    })),
  );
}

/** A rule (CEL) that preflight can't evaluate: whether such objects satisfy it is not known. */
export function ruleBlind(name: string, verdicts: readonly ObjectVerdict[], target: string): readonly Blind[] {
  const rules = verdicts
    .flatMap((verdict) => verdict.rules.map((rule) => ({ rule, object: verdict.object })))
    .toSorted((a, b) => byText(a.rule.location, b.rule.location) || byText(a.rule.rule, b.rule.rule));
  const [first] = rules;
  if (first === undefined) return [];
  const count = new Set(rules.map(({ rule }) => `${rule.location}\u0000${rule.rule}`)).size;
  const rulesText = count === 1 ? "1 CEL rule" : `${count} CEL rules`;
  const where = `${first.rule.path === "" ? "" : `${first.rule.path} of `}${refText(first.object)}`;
  const message = `${target} brings or changes ${rulesText} for objects that exist, such as ${where}, and preflight can't evaluate ${count === 1 ? "it" : "them"}`;
  return [{ reason: "RuleNotEvaluated", where: name, message }];
}
