import { type JsonObject, byText, canonical, textAt } from "../model/json.ts";
import { MAX_RISK_NAME } from "./limits.ts";
import { type Offers, nameOf, releaseOf, risksOf, versionOf } from "./offers.ts";
import { compareTexts } from "./order.ts";

/** What could not be merged as it was given. */
export type MergeProblem =
  | { readonly kind: "invalidName"; readonly risk: string }
  /** Two texts, urls or rules under one name: the first stands. `version` where the other one was there already. */
  | { readonly kind: "divergent"; readonly risk: string; readonly version?: string }
  | { readonly kind: "unknownVersion"; readonly risk: string; readonly version: string }
  | { readonly kind: "unknownRisk"; readonly risk: string };

export type Merged = { readonly offers: Offers; readonly problems: readonly MergeProblem[] };

/** The operator of 4.22 takes no "." and no "-"; a document's names have neither. */
const NAME = /^[A-Z][A-Za-z0-9.-]*$/;

/**
 * Adds risks to the updates that they are for, `versions` by the risk's name. Source of the rules: Merge in pkg/risk of the
 * cluster-version operator; what it only logs is given back.
 */
export function mergeRisks(
  offers: Offers,
  risks: readonly JsonObject[],
  versions: ReadonlyMap<string, readonly string[]>,
): Merged {
  const defined = define(risks);
  const pairs = [...versions]
    .filter(([name]) => isName(name))
    .toSorted(([a], [b]) => byText(a, b))
    .flatMap(([name, wanted]) => wanted.map((version) => ({ name, version })));
  const missing = [...new Set(pairs.map(({ name }) => name))].filter((name) => !defined.byName.has(name));
  const start: Merged = { offers, problems: defined.problems };
  const merged = pairs.reduce((before, { name, version }) => {
    const risk = defined.byName.get(name);
    return risk ? joined(before, place(before.offers, risk, version)) : before;
  }, start);
  const unknown = missing.map((risk) => ({ kind: "unknownRisk", risk }) as const);
  return { offers: sorted(merged.offers), problems: [...merged.problems, ...unknown] };
}

/** Is it the same risk, whatever its conditions? */
export function isSameDefinition(a: JsonObject, b: JsonObject): boolean {
  return definition(a) === definition(b);
}

/** A risk as text without its conditions: equal where the operator calls two risks the same. */
export function definition(risk: JsonObject): string {
  return canonical(Object.fromEntries(Object.entries(risk).filter(([key]) => key !== "conditions")));
}

function isName(name: string): boolean {
  return NAME.test(name) && name.length <= MAX_RISK_NAME;
}

type Defined = { readonly byName: ReadonlyMap<string, JsonObject>; readonly problems: readonly MergeProblem[] };

function define(risks: readonly JsonObject[]): Defined {
  const byName = new Map<string, JsonObject>();
  const problems = risks.flatMap((risk): readonly MergeProblem[] => {
    const name = nameOf(risk);
    if (!isName(name)) return [{ kind: "invalidName", risk: name }];
    const first = byName.get(name);
    if (!first) byName.set(name, risk);
    return first && !isSameDefinition(first, risk) ? [{ kind: "divergent", risk: name }] : [];
  });
  return { byName, problems };
}

function place(offers: Offers, risk: JsonObject, version: string): Merged {
  const index = offers.available.findIndex((release) => textAt(release, "version") === version);
  const release = offers.available[index];
  if (release) {
    const moved = { release, risks: [risk] };
    const offered = { available: offers.available.toSpliced(index, 1), conditional: [...offers.conditional, moved] };
    return { offers: offered, problems: [] };
  }
  if (!offers.conditional.some((update) => versionOf(update) === version))
    return { offers, problems: [{ kind: "unknownVersion", risk: nameOf(risk), version }] };
  return placeConditional(offers, risk, version);
}

function placeConditional(offers: Offers, risk: JsonObject, version: string): Merged {
  const problems: MergeProblem[] = [];
  const conditional = offers.conditional.map((update) => {
    if (versionOf(update) !== version) return update;
    const there = risksOf(update).filter((one) => nameOf(one) === nameOf(risk));
    if (there.length === 0) return { ...update, risks: [...risksOf(update), risk] };
    if (!there.every((one) => isSameDefinition(one, risk)))
      problems.push({ kind: "divergent", risk: nameOf(risk), version });
    return update;
  });
  return { offers: { ...offers, conditional }, problems };
}

function joined(before: Merged, after: Merged): Merged {
  return { offers: after.offers, problems: [...before.problems, ...after.problems] };
}

function sorted({ available, conditional }: Offers): Offers {
  const ordered = conditional.toSorted((a, b) => compareTexts(versionOf(a), versionOf(b)));
  return { available, conditional: ordered.map(withSortedRisks) };
}

function withSortedRisks(update: JsonObject): JsonObject {
  return {
    ...update,
    release: releaseOf(update),
    risks: risksOf(update).toSorted((a, b) => byText(nameOf(a), nameOf(b))),
  };
}
