import { type JsonObject, textAt } from "../../model/json.ts";

/** The ingress operator of 4.18 adds this gate to a cluster that has CRDs of the Gateway API. */
export const GATE = "ack-4.18-gateway-api-management-in-4.19";

/** An acknowledgement is the text "true" and nothing else. */
export function keepAcknowledgement(acks: JsonObject): boolean {
  return textAt(acks, "data", GATE) === "true";
}
