import type { Json } from "../../model/json.ts";
import { giveUp } from "./cursor.ts";

/** Nested collections. The full parser accepts a few more. */
export const MAX_DEPTH = 150;

/** Adds a member to a mapping. A duplicate is an error, which the full parser explains. */
export function addMember(mapping: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__" || key === "<<" || Object.hasOwn(mapping, key)) giveUp();
  mapping[key] = value;
}
