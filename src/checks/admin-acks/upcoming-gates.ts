import type { Context, Finding } from "../../model/check.ts";
import { isIntermediateMinor, buildMissingAckFinding } from "./current-gates.ts";
import { type ConfigMapData, isAcknowledged } from "./config-maps.ts";
import { GATES, type Gate } from "./gates.ts";
import { adminAckMissingOnTheWay } from "./risks.ts";
import { type TriggerFacts, predictGate } from "./trigger-facts.ts";

/** Gates of the releases between source and target that are neither acknowledged nor already on the cluster. */
export function selectUpcomingGates(gates: ConfigMapData, acks: ConfigMapData, context: Context): readonly Gate[] {
  return GATES.filter(
    ({ name, minor }) => isIntermediateMinor(minor, context) && !gates.get(name) && !isAcknowledged(acks, name),
  );
}

export function buildUpcomingGateFindings(
  upcoming: readonly Gate[],
  acks: ConfigMapData,
  facts: TriggerFacts,
): readonly Finding[] {
  return upcoming
    .filter((gate) => predictGate(gate, facts) === "yes")
    .map(({ name, minor, about }) =>
      buildMissingAckFinding(adminAckMissingOnTheWay.name, name, acks, `${minor} will require it, because ${about}`),
    );
}

export function buildUpcomingGateNotices(upcoming: readonly Gate[], facts: TriggerFacts): readonly string[] {
  return upcoming
    .filter((gate) => predictGate(gate, facts) === "unsure")
    .map(
      ({ name, minor, about }) =>
        `Once the cluster runs ${minor}, one of its operators may require the acknowledgement ${name}, which can't be predicted now: ${about}.`,
    );
}
