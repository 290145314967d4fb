import { type Place, enter, refuse, type SchemaProps } from "../../openapi/index.ts";

const MAP_TYPE = "x-kubernetes-map-type";
const LIST_TYPE = "x-kubernetes-list-type";
const KEYS = "x-kubernetes-list-map-keys";

export function requireMapType({ preserve, mapType, type }: SchemaProps, place: Place): void {
  if (preserve === false) refuse(place, ".x-kubernetes-preserve-unknown-fields", "must be true or left out");
  if (mapType === undefined) return;
  if (type !== "object") refuse(place, ".type", `must be object if ${MAP_TYPE} is given`);
  if (!["atomic", "granular"].includes(mapType)) refuse(place, `.${MAP_TYPE}`, "must be atomic or granular");
}

export function requireListType(schema: SchemaProps, place: Place): void {
  const { type, listType, listMapKeys } = schema;
  if (listType !== undefined && type !== "array") refuse(place, ".type", `must be array if ${LIST_TYPE} is given`);
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType)) {
    refuse(place, `.${LIST_TYPE}`, "must be atomic, set or map");
  }
  if (listMapKeys.length > 0 && listType !== "map") refuse(place, `.${LIST_TYPE}`, `must be map if ${KEYS} are given`);
  if (listType === "map") requireKeys(schema, place);
}

function requireKeys({ listMapKeys, hasItems, items }: SchemaProps, place: Place): void {
  if (listMapKeys.length === 0) refuse(place, `.${KEYS}`, `must not be empty if ${LIST_TYPE} is map`);
  if (!hasItems || items === undefined) return refuse(place, ".items", `must be a schema if ${LIST_TYPE} is map`);
  if (items.type !== "object") return refuse(place, ".items.type", `must be object if ${LIST_TYPE} is map`);
  for (const [i, key] of listMapKeys.entries()) {
    const type = items.properties.get(key)?.type;
    if (type === undefined) refuse(place, `.${KEYS}`, `${JSON.stringify(key)} is no property of the items`);
    if (type === "array" || type === "object") {
      refuse(place, `.items.properties[${key}].type`, "must be plain, because it is a key of the list");
    }
    if (listMapKeys.indexOf(key) < i) refuse(place, `.${KEYS}`, `${JSON.stringify(key)} is given twice`);
  }
}

/** The items of a set must be atomic. */
export function requireAtomicItems({ type, listType, mapType }: SchemaProps, place: Place): void {
  const isPartialList = type === "array" && listType !== undefined && listType !== "atomic";
  if (!isPartialList && (type !== "object" || mapType === "atomic")) return;
  refuse(place, `.items.${isPartialList ? LIST_TYPE : MAP_TYPE}`, "must be atomic in the items of a set");
}

/** Keys must have a value, and items must not be nullable. */
export function requireKeyValues({ listType, items, listMapKeys }: SchemaProps, listPlace: Place): void {
  if (items === undefined || (listType !== "set" && listType !== "map")) return;
  const place = enter(listPlace, ".items");
  if (items.nullable) refuse(place, ".nullable", `can't be true if ${LIST_TYPE} is ${listType}`);
  for (const key of listType === "map" ? listMapKeys : []) {
    const property = items.properties.get(key);
    if (property === undefined) continue;
    if (!items.required.includes(key) && property.default === undefined) {
      const reason = "is required unless the property is required, because it is a key of the list";
      refuse(place, `.properties[${key}].default`, reason);
    }
    if (!property.nullable) continue;
    refuse(place, `.properties[${key}].nullable`, "can't be true, because it is a key of the list");
  }
}
