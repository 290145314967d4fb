import { type JsonObject, textAt } from "../../model/json.ts";
import type { GetResult } from "../../model/read.ts";

/** The machine-config-operator of 4.20 adds this gate to a cluster with mirrors, of whatever. */
export const GATE = "ack-4.20-sigstore-in-4.21";

/** The gate's value in a ConfigMap, whether that of the gates or that of the acknowledgements. */
export function keepGate(configMap: JsonObject): string {
  return textAt(configMap, "data", GATE) ?? "";
}

/** `asked`: the cluster-version operator waits for the acknowledgement. `acknowledged`: with or without having been asked. */
export type GateState = "acknowledged" | "asked" | "silent";

/** An acknowledgement is the text "true" and nothing else. */
export function getGateState(gates: GetResult<string>, acks: GetResult<string>): GateState {
  if (acks.kind === "found" && acks.value === "true") return "acknowledged";
  return gates.kind === "found" && gates.value !== "" ? "asked" : "silent";
}
