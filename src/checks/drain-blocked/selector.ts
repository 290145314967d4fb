import { type JsonObject, at, compareText, isObject } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { type Requirement, parseSelector as parseRequirements } from "../shared/label-selector.ts";

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
