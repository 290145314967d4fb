import type { Blind, Finding } from "../../model/check.ts";
import type { CrdVersion } from "../../model/crd.ts";
import { byText, type JsonObject } from "../../model/json.ts";
import { type Each, each } from "../../model/read.ts";
import { type ObjectRef, refOf, refText } from "../../model/resource.ts";
import { judge, type NotEvaluated, prepare, type Prepared, type SchemaError } from "../../schema/judge.ts";
import type { Pair } from "./definitions.ts";
import { OBJECT_INVALID } from "./risks.ts";

/** What the target says of one object that today's schema accepts; an object without any of it isn't kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  readonly errors: readonly SchemaError[];
  readonly rules: readonly NotEvaluated[];
};

/** Reads a CRD's objects in a version that both releases serve; undefined where its schema is the same, or there is no such version. */
export function objectsRead(pair: Pair): Each<ObjectVerdict> | undefined {
  const common = commonVersion(pair);
  if (common === undefined || common.before.schema === common.after.schema || common.after.schema === "")
    return undefined;
  const { group, plural } = pair.installed;
  return each({ group, version: common.after.name, resource: plural }, judgeObjects(pair, common));
}

type Common = { readonly before: CrdVersion; readonly after: CrdVersion };

/**
 * Objects are read in the version in which the target would store them where both releases serve it, else in the first that both serve.
 * Scope or kind changed: the target's definition can't be put in place at all, which is a finding of its own.
 */
function commonVersion({ installed, target }: Pair): Common | undefined {
  if (installed.scope !== target.scope || installed.kind !== target.kind) return undefined;
  const storageFirst = target.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
  for (const after of storageFirst.filter((version) => version.served)) {
    const before = installed.versions.find((version) => version.served && version.name === after.name);
    if (before) return { before, after };
  }
  return undefined;
}

/** What another check judges in full is left out here: one fact, one finding. */
const JUDGED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "clusterversions.config.openshift.io": ["spec.capabilities", "status.capabilities"],
};

/** Schemas are prepared when the first object comes: most kinds have none. */
function judgeObjects(pair: Pair, common: Common): (object: JsonObject) => ObjectVerdict | undefined {
  const elsewhere = JUDGED_ELSEWHERE[pair.installed.name] ?? [];
  let schemas: Schemas | undefined;
  return (object) => {
    schemas ??= prepareBoth(common);
    const then = judge(schemas.after, object);
    if (then.errors.length === 0 && then.rules.length === 0) return undefined;
    const now = schemas.before === undefined ? NOTHING : judge(schemas.before, object);
    if (now.errors.length > 0) return undefined;
    const errors = then.errors.filter((error) => !elsewhere.some((path) => isUnder(error.path, path)));
    const rules = then.rules.filter((rule) => !now.rules.some((known) => sameRule(known, rule)));
    return errors.length === 0 && rules.length === 0 ? undefined : { object: refOf(object), errors, rules };
  };
}

const NOTHING = { errors: [], rules: [] };

type Schemas = { readonly before: Prepared | undefined; readonly after: Prepared };

/** A schema that can't be prepared fails the read, and with it the verdict on this kind alone. */
function prepareBoth({ before, after }: Common): Schemas {
  const prepared = prepare(after.schema);
  if (prepared.kind === "refused")
    throw new Error(`the target's schema of version ${after.name} is not understood: ${prepared.message}`);
  const today = before.schema === "" ? undefined : prepare(before.schema);
  return { after: prepared, before: today?.kind === "prepared" ? today : undefined };
}

function isUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`);
}

function sameRule(a: NotEvaluated, b: NotEvaluated): boolean {
  return a.location === b.location && a.rule === b.rule;
}

export function objectFindings(verdicts: readonly ObjectVerdict[]): readonly Finding[] {
  return verdicts.flatMap(({ object, errors }) =>
    errors.map((error) => ({ risk: OBJECT_INVALID, object, path: error.path, message: error.message })),
  );
}

/** Rules (CEL) are not evaluated yet: whether such objects satisfy them is not known. */
export function ruleBlind(name: string, verdicts: readonly ObjectVerdict[], target: string): readonly Blind[] {
  const rules = verdicts.flatMap((verdict) => verdict.rules.map((rule) => ({ rule, object: verdict.object })));
  const [first] = rules.toSorted((a, b) => byText(a.rule.location + a.rule.rule, b.rule.location + b.rule.rule));
  if (first === undefined) return [];
  const count = new Set(rules.map(({ rule }) => `${rule.location}\u0000${rule.rule}`)).size;
  const what = count === 1 ? "1 validation rule (CEL) that is" : `${count} validation rules (CEL) that are`;
  const message = `${target} has ${what} new or changed for objects that exist, such as ${refText(first.object)}${at(first.rule.path)}, and rules are not evaluated yet`;
  return [{ reason: "RuleNotEvaluated", where: name, message }];
}

function at(path: string): string {
  return path === "" ? "" : ` at ${path}`;
}
