import { type JsonObject, at, compareText, isObject, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import {
  type Requirement,
  parseSelector as parseRequirements,
  matchesRequirement,
} from "../../model/label-selector.ts";

/** The requirements of a label selector, "KEY OPERATOR VALUE,VALUE" each; none select all pods of the namespace, undefined selects no pod. */
export type RequirementTexts = readonly string[] | undefined;

/** Both spellings of a requirement give the same text. */
export function parseSelector(spec: JsonObject): RequirementTexts {
  return isObject(at(spec, "selector"))
    ? sortNames(parseRequirements(spec, "selector").map(formatRequirement))
    : undefined;
}

/** Keys and values of labels contain neither spaces nor commas. */
function formatRequirement({ key, operator, values }: Requirement): string {
  return [key, operator, values.toSorted(compareText).join(",")].join(" ");
}

export function parseRequirement(text: string): Requirement {
  const [key = "", operator = "", values = ""] = text.split(" ");
  return { key, operator, values: values.split(",") };
}

/** Whether no pod can have the labels that both selectors require. False if that can't be told. */
export function areDisjoint(one: RequirementTexts, other: RequirementTexts): boolean {
  if (one === undefined || other === undefined) return true;
  const others = other.map(parseRequirement);
  return one.map(parseRequirement).some((a) => others.some((b) => a.key === b.key && contradicts(a, b)));
}

function contradicts(a: Requirement, b: Requirement): boolean {
  if (a.operator === "DoesNotExist") return b.operator === "In" || b.operator === "Exists";
  if (b.operator === "DoesNotExist") return contradicts(b, a);
  return a.operator === "In" && b.operator === "In" && !a.values.some((value) => b.values.includes(value));
}

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
