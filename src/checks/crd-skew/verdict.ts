import type { JsonObject } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { judge, type NotEvaluated, type SchemaError } from "../../schema/judge.ts";
import { remaining } from "../../schema/ratchet.ts";
import type { Schemas } from "./reading.ts";

/** Rejected: the API server refuses even a write that changes nothing but a label. Ratcheted: only those that set the fields anew. */
export type Effect = "rejected" | "ratcheted";

/** What the target says of one object; an object without any of it isn't kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  /** At paths where today's schema finds nothing. */
  readonly errors: readonly SchemaError[];
  readonly effect: Effect;
  /** Fields that the target doesn't know, and drops. */
  readonly pruned: readonly string[];
  readonly rules: readonly NotEvaluated[];
  /** Are there errors at paths where today's schema finds one too? */
  readonly failsToday: boolean;
};

const NOTHING = { errors: [], pruned: [], rules: [] };

/** `elsewhere`: paths that another check judges. */
export function verdictOn(
  object: JsonObject,
  schemas: Schemas,
  elsewhere: readonly string[],
): ObjectVerdict | undefined {
  const then = judge(schemas.after, object);
  const found = then.errors.filter((error) => !elsewhere.some((path) => isUnder(error.path, path)));
  if (found.length + then.rules.length + then.pruned.length === 0) return undefined;
  const now = schemas.before === undefined ? NOTHING : judge(schemas.before, object);
  const today = new Set(now.errors.map(({ path }) => path));
  const isNew = ({ path }: SchemaError): boolean => !today.has(path);
  const errors = found.filter(isNew);
  // Rules aren't looked at where something else is wrong already.
  const rules = today.size > 0 ? [] : then.rules.filter((rule) => !now.rules.some((known) => sameRule(known, rule)));
  const lost = new Set(now.pruned);
  const pruned = then.pruned.filter((path) => !lost.has(path));
  const failsToday = errors.length < found.length;
  if (errors.length + rules.length + pruned.length === 0) return failsToday ? failing(object) : undefined;
  const effect = errors.length === 0 ? "ratcheted" : effectOn(object, schemas, isNew);
  return { object: refOf(object), errors, effect, pruned, rules, failsToday };
}

/** There can be many of them, and only their names are told. */
function failing(object: JsonObject): ObjectVerdict {
  return { ...NOTHING, object: refOf(object), effect: "ratcheted", failsToday: true };
}

function effectOn(object: JsonObject, { after, ratchets }: Schemas, isNew: (error: SchemaError) => boolean): Effect {
  return !ratchets || remaining(after, object).errors.some(isNew) ? "rejected" : "ratcheted";
}

function isUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`);
}

function sameRule(a: NotEvaluated, b: NotEvaluated): boolean {
  return a.location === b.location && a.rule === b.rule;
}
