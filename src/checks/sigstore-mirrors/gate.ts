import { type JsonObject, textAt } from "../../model/json.ts";
import type { GetResult } from "../../model/read.ts";

/** The machine-config operator of 4.20 adds this gate to every cluster with mirrors, whatever they mirror. */
export const GATE = "ack-4.20-sigstore-in-4.21";

/** The gate's value in the ConfigMap of the gates or in that of the acknowledgements. */
export function keepGate(configMap: JsonObject): string {
  return textAt(configMap, "data", GATE) ?? "";
}

/** `pending`: the cluster-version operator waits for the acknowledgement. `acknowledged`: even if no gate exists. */
export type GateState = "acknowledged" | "pending" | "absent";

/** Only the string "true" acknowledges a gate. */
export function getGateState(gates: GetResult<string>, acks: GetResult<string>): GateState {
  if (acks.kind === "found" && acks.value === "true") return "acknowledged";
  return gates.kind === "found" && gates.value !== "" ? "pending" : "absent";
}
