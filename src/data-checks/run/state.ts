import type { Context, Unknown } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import type { CompiledExpression, CelValue, ErrorValue, Evaluation } from "../../schema/cel/index.ts";
import { evaluateExpression, parseDateTime, buildList } from "../../schema/cel/index.ts";
import type { Platform } from "../../model/version.ts";
import type { CompiledCheck } from "../compile/compile.ts";
import type { CompiledRead } from "../compile/reads.ts";
import type { Names } from "../compile/names.ts";
import { type DocumentPlace, formatPlace } from "../format/fault.ts";
import type { Template } from "../compile/template.ts";
import { type CheckBudget, formatWithin } from "./limits.ts";
import { isOverLimit, toError, toValue } from "./reads.ts";
import { buildMap, findRef } from "../functions/values.ts";
import { type KeptResult, buildReadValue, buildServed, listUpdateValues } from "./values.ts";

export type KeptResults = Readonly<Record<string, KeptResult>>;

/** One evaluation of a check. */
export type CheckRun = {
  readonly id: string;
  readonly budget: CheckBudget;
  /** The value of a name, computed when it is first used. */
  readonly valueOf: (name: string) => CelValue;
  /** The reads whose failure left something unknown. */
  readonly missing: Set<string>;
  readonly unknowns: Unknown[];
  /** The values of what an expression uses besides its item, by its names: it may be evaluated for every object. */
  readonly filled: Map<ReadonlySet<string>, readonly CelValue[]>;
};

/** `values`: how each name gets its value. */
export function createState(id: string, values: ReadonlyMap<string, Computed>, budget: CheckBudget): CheckRun {
  const known = new Map<string, CelValue>();
  const state: CheckRun = {
    id,
    budget,
    missing: new Set(),
    unknowns: [],
    filled: new Map(),
    valueOf(name) {
      const value = known.get(name) ?? values.get(name)?.(state) ?? null;
      known.set(name, value);
      return value;
    },
  };
  return state;
}

type Computed = (state: CheckRun) => CelValue;

/** How each name gets its value. An author's name comes before one of ours that is the same. `unserved`: the reads that have none. */
export function listValues(
  { reads, facts, variables, ordinals }: CompiledCheck,
  context: Context,
  results: KeptResults,
  unserved: readonly CompiledRead[] = [],
): ReadonlyMap<string, Computed> {
  const keys = reads.map(({ key }) => key).filter((key) => !key.startsWith("@"));
  const entries: readonly (readonly [string, Computed])[] = [
    ...listUpdateValues(context, ordinals).map(([name, value]) => [name, () => value] as const),
    ["now", () => parseDateTime(context.now.toISOString()) ?? null],
    ["checks", () => buildList(context.checks)],
    ["served", () => buildMap(keys.map((key) => [key, buildServed(key, results[key])] as const))],
    ["readable", () => buildMap(keys.map((key) => [key, results[key] !== undefined] as const))],
    [
      "cluster",
      (state) => {
        const known = facts.map(({ name, names, code }) => {
          const ofReads = { ...state, valueOf: (key: string) => state.valueOf(`@${key}`) };
          return [name, evaluate(ofReads, code, names)] as const;
        });
        return buildMap([["distribution", context.platform], ...known]);
      },
    ],
    ...reads.map(
      (read) =>
        [read.key, () => buildReadValue(read, unserved.includes(read) ? undefined : results[read.key])] as const,
    ),
    ...variables.map(({ name, names, code }) => [name, (state: CheckRun) => evaluateOnce(state, code, names)] as const),
  ];
  return new Map(entries);
}

/** The reads whose kind the API server does not serve, of a check that does not say what that means: they may have found nothing. */
export function listUnserved(
  { reads, served }: CompiledCheck,
  platform: Platform,
  results: KeptResults,
): readonly CompiledRead[] {
  return reads.filter(({ key, definition: { required, only = platform } }) => {
    const result = results[key];
    const isUnserved = result?.kind === "absent" && result.what === "resource";
    // What a fact needs, it knows the meaning of.
    return isUnserved && only === platform && required !== true && !served.has(key) && !key.startsWith("@");
  });
}

/** An item of a rule's list; it is called `object`. */
export type RuleItem = { readonly value: CelValue };

/** The value of an expression; an error is a value too. */
export function evaluate(state: CheckRun, code: CompiledExpression, names: Names, item?: RuleItem): CelValue {
  return toValue(run(state, code, names, item));
}

/** The value of a variable, which stays until the verdict. */
function evaluateOnce(state: CheckRun, code: CompiledExpression, names: Names): CelValue {
  const result = run(state, code, names);
  state.budget.keep(result.memory);
  return toValue(result);
}

function run(state: CheckRun, code: CompiledExpression, names: Names, item?: RuleItem): Evaluation {
  const values = fill(state, code.names, names, item);
  const result = evaluateExpression(code, values, state.budget.limit(item !== undefined));
  state.budget.spend(result);
  return result;
}

/** The values of the names that are used, in their places. */
function fill(
  state: CheckRun,
  used: ReadonlySet<string>,
  names: Names,
  item: RuleItem | undefined,
): readonly CelValue[] {
  const known = state.filled.get(used) ?? listUsed(state, used, item === undefined ? names : names.slice(0, -1));
  state.filled.set(used, known);
  return item === undefined ? known : [...known, item.value];
}

function listUsed(state: CheckRun, used: ReadonlySet<string>, names: Names): readonly CelValue[] {
  return names.map(([name]) => (used.has(name) ? state.valueOf(name) : null));
}

/** Of what is reported, at most. */
const CHARACTER_BYTES = 2;

/** A text, or undefined if a value in it has none, which is then reported. */
export function format(
  state: CheckRun,
  template: Template,
  names: Names,
  place: DocumentPlace,
  item?: RuleItem,
): string | undefined {
  const { budget } = state;
  const result = formatWithin(template, fill(state, template.names, names, item), "sentence", budget);
  if (result.kind === "text") {
    budget.keep(CHARACTER_BYTES * result.text.length);
    return result.text;
  }
  report(state, toError(result), place, item);
  return undefined;
}

/** An error that reached the end of a rule: the failure of reads, or something that is not understood. */
export function report(state: CheckRun, failure: ErrorValue, place: DocumentPlace, item?: RuleItem): void {
  const { text, missing = [] } = failure;
  for (const key of missing) state.missing.add(key);
  if (text === "") return;
  const ref = item && findRef(item.value);
  const where = ref === undefined ? `check ${state.id}` : formatRef(ref);
  const message = `${formatPlace(place)} has no value: ${text}`;
  state.budget.keep(CHARACTER_BYTES * (where.length + message.length));
  state.unknowns.push({ reason: isOverLimit(failure) ? "CostLimit" : "NotUnderstood", where, message });
}
