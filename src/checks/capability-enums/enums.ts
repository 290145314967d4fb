import type { Crd } from "../../model/crd.ts";
import { type Json, type JsonObject, at, isList, listAt, textAt } from "../../model/json.ts";
import { getBaselineSets, getKnownCapabilities } from "../../model/capabilities.ts";
import type { Unknown } from "../../model/check.ts";
import type { Release } from "../../model/release.ts";
import { formatMinor } from "../../model/version.ts";

/** The fields of ClusterVersion that hold capabilities or sets of them. */
type CapabilityField = "baseline" | "additional" | "enabled" | "known";

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
    const value = at(object, ...path);
    const where = path.join(".");
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

const CLUSTER_VERSIONS = "clusterversions.config.openshift.io";

/** The values that the target's ClusterVersion accepts, by its CRD, or by the table of releases if the payload has no CRD. */
type TargetEnums =
  | { readonly kind: "crd" | "table"; readonly enums: CapabilityEnums }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/**
 * Before 4.11, ClusterVersion had no capabilities and so no enums of them. `featureSet` selects from the table; a payload's CRD is
 * already the one for the cluster's feature set.
 */
export function getTargetEnums({ crds, crdFiles, version }: Release, featureSet: string): TargetEnums {
  const crd = crds.find(({ name }) => name === CLUSTER_VERSIONS);
  if (crd) {
    const enums = parseEnums(crd);
    if (enums) return { kind: "crd", enums };
    const where = crdFiles.get(CLUSTER_VERSIONS) ?? CLUSTER_VERSIONS;
    return buildUnknownEnums("NotUnderstood", where, "the ClusterVersion CRD has no schema for v1");
  }
  const known = getKnownCapabilities(version, featureSet);
  const baseline = getBaselineSets(version);
  if (known?.length === 0) return { kind: "table", enums: {} };
  if (known && baseline) return { kind: "table", enums: { baseline, additional: known, enabled: known, known } };
  const message = `the target folder has no ClusterVersion CRD, and preflight's own table ends before ${formatMinor(version)}`;
  return buildUnknownEnums("TargetUnknown", `the capabilities of ${version.text}`, message);
}

function buildUnknownEnums(reason: Unknown["reason"], where: string, message: string): TargetEnums {
  return { kind: "unknown", unknown: { reason, where, message } };
}
