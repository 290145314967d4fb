import { type Json, at, isObject } from "../../src/model/json.ts";
import type { ScalePaths } from "../../src/model/crd.ts";

/** Whether the API server can show the scale of an object: it refuses a text for a number before it validates anything. */
export function hasScale(object: Json, { spec, status, selector }: ScalePaths): boolean {
  return (
    [spec, status].every((path) => isMissing(object, path) || Number.isInteger(find(object, path))) &&
    (selector === undefined || isMissing(object, selector) || typeof find(object, selector) === "string")
  );
}

function find(object: Json, path: string): Json | undefined {
  return at(object, ...path.slice(1).split("."));
}

function isMissing(object: Json, path: string): boolean {
  const [first = "", ...more] = path.slice(1).split(".");
  if (!isObject(object)) return false;
  const value = object[first];
  return value === undefined || (more.length > 0 && isMissing(value, `.${more.join(".")}`));
}
