import { type Json, type JsonObject, isList, isObject, textAt } from "../../src/model/json.ts";

/** Applies a JSON patch (RFC 6902) of the operations add, remove and replace. Throws an Error if a path leads nowhere. */
export function applyJsonPatch(value: Json, operations: readonly JsonObject[]): Json {
  return operations.reduce((before: Json, operation) => {
    const pointer = textAt(operation, "path") ?? "";
    const keys = pointer.split("/").slice(1);
    const changed = applyAt(before, keys.map(unescapeKey), operation);
    if (changed === undefined) throw new Error(`nothing to ${textAt(operation, "op")} at ${pointer}`);
    return changed;
  }, value);
}

function unescapeKey(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

function applyAt(from: Json | undefined, keys: readonly string[], operation: JsonObject): Json | undefined {
  const [key = "", ...rest] = keys;
  const old = isList(from) ? from[Number(key)] : isObject(from) ? from[key] : undefined;
  const isAdded = rest.length === 0 && operation["op"] === "add";
  if (old === undefined && !isAdded) return undefined;
  const value = rest.length > 0 ? applyAt(old, rest, operation) : operation["value"];
  const isRemoved = rest.length === 0 && operation["op"] === "remove";
  if (value === undefined && !isRemoved) return undefined;
  if (isList(from)) return from.toSpliced(Number(key), isAdded ? 0 : 1, ...(value === undefined ? [] : [value]));
  if (!isObject(from)) return undefined;
  const { [key]: _old, ...others } = from;
  return value === undefined ? others : { ...others, [key]: value };
}
