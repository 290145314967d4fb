import { type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../model/json.ts";

export type Requirement = { readonly key: string; readonly operator: string; readonly values: readonly string[] };

/** A label selector; an empty one selects everything. */
export type Selector = readonly Requirement[];
export type Labels = Readonly<Record<string, string>>;

export function parseSelector(value: Json | undefined, key: string): Selector {
  const selector = objectAt(value, key);
  const labels = Object.entries(objectAt(selector, "matchLabels")).map(([label, labelValue]) => ({
    key: label,
    operator: "In",
    values: typeof labelValue === "string" ? [labelValue] : [],
  }));
  const expressions = listAt(selector, "matchExpressions").map((one) => ({
    key: textAt(one, "key") ?? "",
    operator: textAt(one, "operator") ?? "",
    values: textsAt(one, "values"),
  }));
  return [...labels, ...expressions];
}

export function matchesSelector(selector: Selector, labels: Labels): boolean {
  return selector.every((requirement) => matchesRequirement(requirement, labels));
}

/** As the API server matches labels: NotIn is true of objects without the label. */
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

export function parseLabels(value: Json | undefined, ...path: readonly string[]): Labels {
  const labels = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(labels.flatMap(([key, label]) => (typeof label === "string" ? [[key, label]] : [])));
}
