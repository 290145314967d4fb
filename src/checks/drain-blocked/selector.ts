import { type Json, type JsonObject, at, compareText, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";

/** The requirements of a label selector, "KEY OPERATOR VALUE,VALUE" each; none select all pods of the namespace, undefined selects no pod. */
export type RequirementTexts = readonly string[] | undefined;

type Requirement = { readonly key: string; readonly operator: string; readonly values: readonly string[] };

/** Both spellings of a requirement give the same text. */
export function parseSelector(spec: JsonObject): RequirementTexts {
  const selector = at(spec, "selector");
  if (!isObject(selector)) return undefined;
  const labels = Object.entries(objectAt(selector, "matchLabels")).map(([key, value]) =>
    formatRequirement(key, "In", [value]),
  );
  const expressions = listAt(selector, "matchExpressions").map((one) =>
    formatRequirement(textAt(one, "key") ?? "", textAt(one, "operator") ?? "", listAt(one, "values")),
  );
  return sortNames([...labels, ...expressions]);
}

/** Keys and values of labels contain neither spaces nor commas. */
function formatRequirement(key: string, operator: string, values: readonly Json[]): string {
  const texts = values.filter((value) => typeof value === "string");
  return [key, operator, texts.toSorted(compareText).join(",")].join(" ");
}

export function parseRequirement(text: string): Requirement {
  const [key = "", operator = "", values = ""] = text.split(" ");
  return { key, operator, values: values.split(",") };
}

/** As the API server matches labels: NotIn is true of pods without the label. */
export function matchesRequirement({ key, operator, values }: Requirement, labels: JsonObject): boolean {
  const label = textAt(labels, key);
  switch (operator) {
    case "In":
      return label !== undefined && values.includes(label);
    case "NotIn":
      return label === undefined || !values.includes(label);
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    default:
      return false;
  }
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
