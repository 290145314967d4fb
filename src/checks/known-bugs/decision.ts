import type { ObjectRef } from "../../model/resource.ts";
import {
  type KeptObject,
  type PredicateValue,
  type PredicatePlan,
  getKeptObjects,
  formatNamesKey,
} from "./predicate-plan.ts";
import { type Truth, atLeast, every, negate, some } from "./value-tests.ts";
import type { ReadPredicate } from "./known-bug.ts";

/** The result of a predicate. */
export type PredicateDecision = {
  readonly truth: Truth;
  /** The objects that make it true; those in `context` only show what kind of cluster it is. */
  readonly objects: readonly ObjectRef[];
  readonly context: readonly ObjectRef[];
  /** Why it is unknown: the reads that failed, and the objects with values that could not be parsed. */
  readonly failed: readonly string[];
  readonly unclear: readonly ObjectRef[];
};

/** The values of the reads that succeeded, by key. */
export type PredicateValues = Readonly<Record<string, PredicateValue | undefined>>;

const NOTHING = { objects: [], context: [], failed: [], unclear: [] } as const;

export function decide(plan: PredicatePlan, values: PredicateValues): PredicateDecision {
  if (plan.kind === "always") return { ...NOTHING, truth: "yes" };
  if (plan.kind === "not") return invertDecision(decide(plan.of, values));
  if (plan.kind === "read") return decideRead(plan.predicate, plan.key, values);
  const parts = plan.of.map((one) => decide(one, values));
  const truth = (plan.kind === "allOf" ? every : some)(parts.map((part) => part.truth));
  return mergeDecisions(
    truth,
    parts.filter((part) => part.truth === truth),
  );
}

/** Keeps only the parts that led to the result: the objects of a yes, the failures of an unknown. */
function mergeDecisions(truth: Truth, parts: readonly PredicateDecision[]): PredicateDecision {
  if (truth === "no") return { ...NOTHING, truth };
  return {
    truth,
    objects: parts.flatMap((part) => part.objects),
    context: parts.flatMap((part) => part.context),
    failed: parts.flatMap((part) => part.failed),
    unclear: parts.flatMap((part) => part.unclear),
  };
}

/** Objects that make a predicate true don't make its opposite true. */
function invertDecision(decision: PredicateDecision): PredicateDecision {
  return { ...decision, truth: negate(decision.truth), objects: [], context: [] };
}

function decideRead(predicate: ReadPredicate, key: string, values: PredicateValues): PredicateDecision {
  const value = values[key];
  if (!value) return { ...NOTHING, truth: "unknown", failed: [key] };
  if (!("dangling" in predicate)) return decideObjects(getKeptObjects(value), predicate);
  const named = values[formatNamesKey(key)];
  const kept = getKeptObjects(value).filter(({ names }) => predicate.all === true || names.length > 0);
  const isOneObject = typeof predicate.missingIn !== "string" && "get" in predicate.missingIn;
  if (named?.kind === "absent" && isOneObject && predicate.all !== true) return { ...NOTHING, truth: "no" };
  if (named) return decideObjects(selectDangling(kept, getKeptObjects(named), predicate.all), predicate.dangling);
  return kept.length === 0
    ? { ...NOTHING, truth: "no" }
    : { ...NOTHING, truth: "unknown", failed: [formatNamesKey(key)] };
}

function selectDangling(
  kept: readonly KeptObject[],
  named: readonly KeptObject[],
  all: true | undefined,
): readonly KeptObject[] {
  const existingNames = new Set(named.flatMap(({ names }) => names));
  const isMissing = (name: string): boolean => !existingNames.has(name);
  return kept.filter(({ names }) => (all ? names.every(isMissing) : names.some(isMissing)));
}

function decideObjects(
  kept: readonly KeptObject[],
  { least, unnamed }: { readonly least?: number; readonly unnamed?: true },
): PredicateDecision {
  const truth = atLeast(
    least ?? 1,
    kept.map((one) => one.truth),
  );
  if (truth === "no") return { ...NOTHING, truth };
  const refs = kept.filter((one) => one.truth === truth).map(({ ref }) => ref);
  if (truth === "unknown") return { ...NOTHING, truth, unclear: refs };
  return { ...NOTHING, truth, ...(unnamed ? { context: refs } : { objects: refs }) };
}
