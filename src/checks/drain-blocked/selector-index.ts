import { type JsonObject, textAt } from "../../model/json.ts";
import { matchesRequirement } from "../shared/label-selector.ts";
import { type RequirementTexts, parseRequirement } from "./selector.ts";

/** The positions of the selectors that select a pod with these labels, in ascending order. */
export type SelectorIndex = (labels: JsonObject) => readonly number[];

/** Compares a pod only with selectors that require one of its labels: a namespace with thousands of both has too many pairs. */
export function buildSelectorIndex(selectors: readonly RequirementTexts[]): SelectorIndex {
  const byLabel = new Map<string, number[]>();
  const others: number[] = [];
  for (const [i, selector = []] of selectors.entries()) {
    const first = selector.map(parseRequirement).find(({ operator }) => operator === "In");
    if (first === undefined) others.push(i);
    else for (const value of new Set(first.values)) addTo(byLabel, `${first.key} ${value}`, i);
  }
  return (labels) => {
    const candidates = Object.entries(labels).flatMap(([key, value]) =>
      typeof value === "string" ? (byLabel.get(`${key} ${value}`) ?? []) : [],
    );
    const meets = (text: string): boolean => {
      const requirement = parseRequirement(text);
      return matchesRequirement(requirement, textAt(labels, requirement.key));
    };
    const matches = (i: number): boolean => selectors[i]?.every(meets) ?? false;
    return [...others, ...candidates].filter(matches).toSorted((a, b) => a - b);
  };
}

function addTo(groups: Map<string, number[]>, key: string, item: number): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
