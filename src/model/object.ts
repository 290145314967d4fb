import { type Json, type JsonObject, listAt, objectAt, parseObject, textAt, at, textsAt, objectsAt } from "./json.ts";

/** A copy of the whole object, which "kubectl apply" stores in an annotation. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** "namespace/name"; without a namespace "/name". */
export function formatFullName(object: JsonObject): string {
  return `${textAt(object, "metadata", "namespace") ?? ""}/${textAt(object, "metadata", "name") ?? ""}`;
}

/**
 * An object's apiVersion, kind and metadata, without the parts of metadata that repeat the rest of the object: of managed fields, it keeps
 * who wrote when in which version, and of the last applied configuration the version.
 */
export function selectMetadata(object: JsonObject): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = objectAt(object, "metadata");
  const { [LAST_APPLIED]: applied, ...annotations } = objectAt(object, "metadata", "annotations");
  const managedFields = listAt(object, "metadata", "managedFields").map(selectWriter);
  return {
    apiVersion,
    kind,
    metadata: {
      ...kept,
      annotations: { ...annotations, ...selectAppliedVersion(applied) },
      ...(managedFields.length === 0 ? {} : { managedFields }),
    },
  };
}

/** The API server's own fields alone, so that no other can carry a secret. */
function selectWriter(entry: Json): JsonObject {
  const keys = ["manager", "operation", "apiVersion", "time", "subresource"];
  return Object.fromEntries(Object.entries(objectAt(entry)).filter(([key]) => keys.includes(key)));
}

/** "apps/v1", "v1beta1". */
const API_VERSION = /^(?:[a-z0-9.-]{1,253}\/)?v\d{1,4}(?:(?:alpha|beta)\d{1,4})?$/;

/** Anybody can edit the annotation, which may hold any text. */
function selectAppliedVersion(applied: Json | undefined): JsonObject {
  const apiVersion = typeof applied === "string" ? textAt(parseObject(applied), "apiVersion") : undefined;
  return apiVersion !== undefined && API_VERSION.test(apiVersion)
    ? { [LAST_APPLIED]: JSON.stringify({ apiVersion }) }
    : {};
}

/** The condition of a type in an object's status. */
export function findCondition(object: JsonObject, type: string): JsonObject | undefined {
  return findConditionIn(at(object, "status"), type);
}

/** The condition of a type in a value that has `conditions` itself, such as a status or a part of one. */
export function findConditionIn(value: Json | undefined, type: string): JsonObject | undefined {
  return objectsAt(value, "conditions").find((condition) => textAt(condition, "type") === type);
}

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

/** A selector as the API's requests write it, of keys and of values that are equal or not: "app=shop,tier!=test,owner". */
export function parseLabelSelector(text: string): Selector {
  return text.split(",").map((requirement) => {
    const [, key = "", not, value] = /^([^!=]*)(?:(!)?=(.*))?$/.exec(requirement) ?? [];
    if (value === undefined) return { key, operator: "Exists", values: [] };
    return { key, operator: not === undefined ? "In" : "NotIn", values: [value] };
  });
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
