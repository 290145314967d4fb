import { type Json, listAt, objectAt, textAt, textsAt } from "./json.ts";

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
  return selector.every((one) => matchesRequirement(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined));
}

/** As the API server matches labels: NotIn is true of an object without the label. */
export function matchesRequirement({ operator, values }: Requirement, value: string | undefined): boolean {
  const isAmong = value !== undefined && values.includes(value);
  switch (operator) {
    case "In":
      return isAmong;
    case "NotIn":
      return !isAmong;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}

export function parseLabels(value: Json | undefined, ...path: readonly string[]): Labels {
  const labels = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(labels.flatMap(([key, label]) => (typeof label === "string" ? [[key, label]] : [])));
}
