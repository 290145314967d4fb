import type { Json } from "../../model/json.ts";

/** How many nodes of a pool may be unavailable at once, or the text of a value with which the operator updates none. */
export type MaxUnavailable =
  | { readonly kind: "nodes"; readonly nodes: number }
  | { readonly kind: "unusable"; readonly text: string };

/**
 * Parses the value as the machine-config operator's node controller does: 1 by default, percentages rounded down, and 0 raised to 1
 * (so 0 doesn't stop a pool). With a negative number or a string without % it updates no node.
 */
export function parseMaxUnavailable(value: Json | undefined, machines: number): MaxUnavailable {
  if (value === undefined || value === null) return { kind: "nodes", nodes: 1 };
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return buildNodeCount(value);
  const percent = typeof value === "string" ? /^\+?(\d{1,9})%$/.exec(value)?.[1] : undefined;
  if (percent !== undefined) return buildNodeCount(Math.floor((Number(percent) * machines) / 100));
  return { kind: "unusable", text: JSON.stringify(value).slice(0, 40) };
}

function buildNodeCount(nodes: number): MaxUnavailable {
  return { kind: "nodes", nodes: Math.max(1, nodes) };
}
