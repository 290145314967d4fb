import type { Crd } from "../../model/crd.ts";
import { type Json, type JsonObject, at, isList, listAt, textAt } from "../../model/json.ts";

/** The fields of ClusterVersion that hold capabilities or sets of them. */
export type CapabilityField = "baseline" | "additional" | "enabled" | "known";

const FIELDS: readonly { readonly field: CapabilityField; readonly path: readonly string[] }[] = [
  { field: "baseline", path: ["spec", "capabilities", "baselineCapabilitySet"] },
  { field: "additional", path: ["spec", "capabilities", "additionalEnabledCapabilities"] },
  { field: "enabled", path: ["status", "capabilities", "enabledCapabilities"] },
  { field: "known", path: ["status", "capabilities", "knownCapabilities"] },
];

/** The values that an API accepts in each field; a field without an entry accepts every value. */
export type CapabilityEnums = { readonly [F in CapabilityField]?: readonly string[] };

/** A value in ClusterVersion, and its path. */
export type CapabilityValue = { readonly field: CapabilityField; readonly path: string; readonly value: string };

/** All capabilities and sets of them in ClusterVersion. */
export function keepCapabilityValues(object: JsonObject): readonly CapabilityValue[] {
  return FIELDS.flatMap(({ field, path }) => {
    const [value, where] = [at(object, ...path), path.join(".")];
    if (typeof value === "string") return [{ field, path: where, value }];
    if (!isList(value)) return [];
    return value.flatMap((item, i) =>
      typeof item === "string" ? [{ field, path: `${where}[${i}]`, value: item }] : [],
    );
  });
}

export function selectValues(values: readonly CapabilityValue[], field: CapabilityField): readonly string[] {
  return values.filter((one) => one.field === field).map(({ value }) => value);
}

/** The values that a ClusterVersion CRD accepts; undefined if it has no schema for v1. */
export function parseEnums(crd: Crd): CapabilityEnums | undefined {
  const version = crd.versions.find(({ name }) => name === "v1");
  if (!version || version.schema === "") return undefined;
  const schema: Json = JSON.parse(version.schema);
  return Object.fromEntries(FIELDS.flatMap(({ field, path }) => parseEnumEntry(field, schema, path)));
}

function parseEnumEntry(
  field: CapabilityField,
  schema: Json,
  path: readonly string[],
): readonly (readonly [CapabilityField, readonly string[]])[] {
  const here = at(schema, ...path.flatMap((step) => ["properties", step]));
  const holder = textAt(here, "type") === "array" ? at(here, "items") : here;
  if (!isList(at(holder, "enum"))) return [];
  return [[field, listAt(holder, "enum").filter((value) => typeof value === "string")]];
}

export function selectRejectedValues(
  enums: CapabilityEnums,
  values: readonly CapabilityValue[],
): readonly CapabilityValue[] {
  return values.filter(({ field, value }) => enums[field]?.includes(value) === false);
}
