import { type JsonObject, textAt } from "../../model/json.ts";
import type { GetResult } from "../../model/read.ts";

/** The machine-config operator of 4.20 adds this gate to every cluster with mirrors, whatever they mirror. */
export const GATE = "ack-4.20-sigstore-in-4.21";

/** The gate's text. */
export function keepGate(configMap: JsonObject): string {
  return textAt(configMap, "data", GATE) ?? "";
}

/** `pending`: the cluster-version operator waits for the acknowledgement. `acknowledged`: even if no gate exists. */
export type GateState = "acknowledged" | "pending" | "absent";

export function getGateState(gates: GetResult<string>, acks: GetResult<boolean>): GateState {
  if (acks.kind === "found" && acks.value) return "acknowledged";
  return gates.kind === "found" && gates.value !== "" ? "pending" : "absent";
}
