import type { ObjectRef } from "../../model/resource.ts";
import { type Kept, type KeptValue, type Plan, keptOf, namedKey } from "./readings.ts";
import { type Truth, atLeast, every, negated, some } from "./truth.ts";
import type { Reading } from "./vocabulary.ts";

/** What an entry's predicate came to. */
export type Decided = {
  readonly truth: Truth;
  /** The objects that make it true; `context` says only what kind of cluster it is. */
  readonly objects: readonly ObjectRef[];
  readonly context: readonly ObjectRef[];
  /** Where it is unknown: the reads that failed, and the objects that could not be understood. */
  readonly failed: readonly string[];
  readonly unclear: readonly ObjectRef[];
};

/** The values of the reads that succeeded, by key. */
export type KeptValues = Readonly<Record<string, KeptValue | undefined>>;

const NOTHING = { objects: [], context: [], failed: [], unclear: [] } as const;

export function decide(plan: Plan, values: KeptValues): Decided {
  if (plan.kind === "always") return { ...NOTHING, truth: "yes" };
  if (plan.kind === "not") return inverted(decide(plan.of, values));
  if (plan.kind === "reading") return decideReading(plan.reading, plan.key, values);
  const parts = plan.of.map((one) => decide(one, values));
  const truth = (plan.kind === "allOf" ? every : some)(parts.map((part) => part.truth));
  return merged(
    truth,
    parts.filter((part) => part.truth === truth),
  );
}

/** Only what led to the truth counts: objects to a yes, doubts to an unknown. */
function merged(truth: Truth, parts: readonly Decided[]): Decided {
  if (truth === "no") return { ...NOTHING, truth };
  return {
    truth,
    objects: parts.flatMap((part) => part.objects),
    context: parts.flatMap((part) => part.context),
    failed: parts.flatMap((part) => part.failed),
    unclear: parts.flatMap((part) => part.unclear),
  };
}

/** What makes something true doesn't make its opposite true. */
function inverted(decided: Decided): Decided {
  return { ...decided, truth: negated(decided.truth), objects: [], context: [] };
}

function decideReading(reading: Reading, key: string, values: KeptValues): Decided {
  const value = values[key];
  if (!value) return { ...NOTHING, truth: "unknown", failed: [key] };
  if (!("dangling" in reading)) return decideKept(keptOf(value), reading);
  const named = values[namedKey(key)];
  const kept = keptOf(value).filter(({ names }) => names.length > 0);
  if (named?.kind === "absent" && typeof reading.missingIn !== "string") return { ...NOTHING, truth: "no" };
  if (named) return decideKept(danglingIn(kept, keptOf(named)), reading.dangling);
  return kept.length === 0 ? { ...NOTHING, truth: "no" } : { ...NOTHING, truth: "unknown", failed: [namedKey(key)] };
}

function danglingIn(kept: readonly Kept[], named: readonly Kept[]): readonly Kept[] {
  const known = new Set(named.flatMap(({ names }) => names));
  return kept.filter(({ names }) => names.some((name) => !known.has(name)));
}

function decideKept(
  kept: readonly Kept[],
  { least, unnamed }: { readonly least?: number; readonly unnamed?: true },
): Decided {
  const truth = atLeast(
    least ?? 1,
    kept.map((one) => one.truth),
  );
  const refs = kept.filter((one) => one.truth === truth).map(({ ref }) => ref);
  if (truth === "no") return { ...NOTHING, truth };
  if (truth === "unknown") return { ...NOTHING, truth, unclear: kept.flatMap(unclearOf) };
  return { ...NOTHING, truth, ...(unnamed ? { context: refs } : { objects: refs }) };
}

function unclearOf({ truth, ref }: Kept): readonly ObjectRef[] {
  return truth === "unknown" ? [ref] : [];
}
