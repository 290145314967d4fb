import { type JsonObject, textAt } from "./json.ts";

/** Risks of a preflight begin with the update's versions, or with the enhancement's prefix. */
const PREFIX = /^(?:\d+\.\d+\.\d+\S* -> |Preflight=)\d+\.\d+\.\d+\S*: /;

/** Whether a preflight wrote a risk of ClusterVersion: such a risk is no news to another preflight. */
export function isPreflightRisk(risk: JsonObject): boolean {
  return PREFIX.test(textAt(risk, "message") ?? "");
}
