import type { Fault } from "./report.ts";
import type { SchemaProps } from "./schema-props.ts";

const MAP_TYPE = "x-kubernetes-map-type";
const LIST_TYPE = "x-kubernetes-list-type";
const KEYS = "x-kubernetes-list-map-keys";

export function mapTypeFaults(schema: SchemaProps): readonly Fault[] {
  const faults: Fault[] = [];
  if (schema.preserve === false) faults.push(["x-kubernetes-preserve-unknown-fields", "must be true or left out"]);
  if (schema.mapType === undefined) return faults;
  if (schema.type !== "object") faults.push(["type", `must be object if ${MAP_TYPE} is given`]);
  if (!["atomic", "granular"].includes(schema.mapType)) faults.push([MAP_TYPE, "must be atomic or granular"]);
  return faults;
}

export function listFaults(schema: SchemaProps): readonly Fault[] {
  const { listType } = schema;
  const faults: Fault[] = [];
  if (listType !== undefined && schema.type !== "array") {
    faults.push(["type", `must be array if ${LIST_TYPE} is given`]);
  }
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType)) {
    faults.push([LIST_TYPE, "must be atomic, set or map"]);
  }
  if (schema.listMapKeys.length > 0 && listType !== "map") faults.push([LIST_TYPE, `must be map if ${KEYS} are given`]);
  return listType === "map" ? [...faults, ...mapFaults(schema)] : faults;
}

function mapFaults({ listMapKeys, hasItems, items }: SchemaProps): readonly Fault[] {
  const faults: Fault[] = [];
  if (listMapKeys.length === 0) faults.push([KEYS, `must not be empty if ${LIST_TYPE} is map`]);
  if (!hasItems || items === undefined) return [...faults, ["items", `must be a schema if ${LIST_TYPE} is map`]];
  if (items.type !== "object") return [...faults, ["items.type", `must be object if ${LIST_TYPE} is map`]];
  return [...faults, ...listMapKeys.flatMap((key, i) => keyFaults(key, listMapKeys.indexOf(key) < i, items))];
}

function keyFaults(key: string, isRepeated: boolean, items: SchemaProps): readonly Fault[] {
  const property = items.properties.get(key);
  const faults: Fault[] = [];
  if (property === undefined) faults.push([KEYS, `${JSON.stringify(key)} is no property of the items`]);
  else if (property.type === "array" || property.type === "object") {
    faults.push([`items.properties[${key}].type`, "must be plain, because it is a key of the list"]);
  }
  if (isRepeated) faults.push([KEYS, `${JSON.stringify(key)} is given twice`]);
  return faults;
}

/** The items of a set must be atomic. */
export function setFaults({ type, listType, items }: SchemaProps): readonly Fault[] {
  return type === "array" && listType === "set" && items ? nonAtomicItems(items) : [];
}

export function nonAtomicItems({ type, listType, mapType }: SchemaProps): readonly Fault[] {
  if (type === "array" && listType !== undefined && listType !== "atomic") {
    return [[`items.${LIST_TYPE}`, "must be atomic in the items of a set"]];
  }
  return type === "object" && mapType !== "atomic"
    ? [[`items.${MAP_TYPE}`, "must be atomic in the items of a set"]]
    : [];
}

/** Keys must have a value, and items must not be nullable. */
export function mapKeyFaults({ listType, items, listMapKeys }: SchemaProps): readonly Fault[] {
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const faults: Fault[] = [];
  if (items.nullable) faults.push(["items.nullable", `can't be true if ${LIST_TYPE} is ${listType}`]);
  if (listType !== "map") return faults;
  for (const key of listMapKeys) {
    const property = items.properties.get(key);
    if (property === undefined) continue;
    const step = `items.properties[${key}]`;
    if (!items.required.includes(key) && property.default === undefined) {
      faults.push([`${step}.default`, "is required unless the property is required, because it is a key of the list"]);
    }
    if (property.nullable) faults.push([`${step}.nullable`, "can't be true, because it is a key of the list"]);
  }
  return faults;
}
