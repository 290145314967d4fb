import type { ReadDefinition } from "../definition.ts";
import { type Origin, ofItems, ofMembers, ofVariable } from "../origin-parts.ts";

/** Where the value of a read comes from. */
export function traceRead(key: string, { list, index = {} }: ReadDefinition): Origin {
  const object = ofVariable(key);
  if (list === undefined) return { ...object, isOptional: true };
  const lookUp = ofMembers([undefined, ofItems(object, false)]);
  const by = ofMembers(...Object.keys(index).map((name) => [name, lookUp] as const));
  return ofMembers(["items", ofItems(object, true)], ["byNamespace", lookUp], ["by", by]);
}
