import { type Json, at } from "../../model/json.ts";
import { parseQuantity, toApproximateFloat } from "../../schema/cel/runtime/values/quantity.ts";

/** An amount of each resource that every pod needs: cores, bytes, and the pods themselves. */
export type Requests = { readonly cpu: number; readonly memory: number; readonly pods: number };

export const RESOURCES = ["cpu", "memory", "pods"] as const;
export const NO_REQUESTS: Requests = { cpu: 0, memory: 0, pods: 0 };

export function parseRequests(resources: Json | undefined): Requests {
  const parse = (name: string): number => parseAmount(at(resources, name));
  return { cpu: parse("cpu"), memory: parse("memory"), pods: parse("pods") };
}

function parseAmount(value: Json | undefined): number {
  if (typeof value === "number") return value;
  const quantity = typeof value === "string" ? parseQuantity(value) : undefined;
  return quantity === undefined ? 0 : toApproximateFloat(quantity);
}

export function addRequests(a: Requests, b: Requests): Requests {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory, pods: a.pods + b.pods };
}

/** What is left of `a` without `b`, at least nothing. */
export function subtractRequests(a: Requests, b: Requests): Requests {
  const subtract = (resource: keyof Requests): number => Math.max(0, a[resource] - b[resource]);
  return { cpu: subtract("cpu"), memory: subtract("memory"), pods: subtract("pods") };
}
