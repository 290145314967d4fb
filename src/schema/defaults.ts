import { isList, isObject, type Json } from "../model/json.ts";
import { type Source, refuse, step } from "./keywords.ts";
import type { Default, Node } from "./node.ts";
import { asStored } from "./stored.ts";

/** The most values that one default may hold once the defaults within it are applied: small schemas can multiply them without end. */
const MOST_VALUES = 10_000;

/** A default with the defaults of what it holds applied, as they are each time it is used. */
export function completed(value: Json, node: Node, source: Source): Default {
  const done = asStored(value, node);
  if (sizeOf(done) > MOST_VALUES) refuse(step(source, "default"), `holds more than ${MOST_VALUES} values`);
  return { value: done };
}

/** How many values there are, counted no further than it takes to know that there are too many. */
function sizeOf(value: Json): number {
  const left: Json[] = [value];
  let size = 0;
  for (let next = left.pop(); next !== undefined && size <= MOST_VALUES; next = left.pop()) {
    size++;
    if (isList(next)) left.push(...next.slice(0, MOST_VALUES));
    else if (isObject(next)) left.push(...Object.values(next).slice(0, MOST_VALUES));
  }
  return size;
}
