import type { Context, Finding } from "../../model/check.ts";
import { isOnTheWay, missing } from "./asked.ts";
import { type Data, isAcknowledged } from "./config-maps.ts";
import { GATES, type Gate } from "./gates.ts";
import { ackMissingOnTheWay } from "./risks.ts";
import { type State, triggered } from "./state.ts";

/** Gates of the releases between source and target that are neither acknowledged nor already on the cluster. */
export function gatesAhead(gates: Data, acks: Data, context: Context): readonly Gate[] {
  return GATES.filter(
    ({ name, minor }) => isOnTheWay(minor, context) && !gates.get(name) && !isAcknowledged(acks, name),
  );
}

export function aheadFindings(ahead: readonly Gate[], acks: Data, state: State): readonly Finding[] {
  return ahead
    .filter((gate) => triggered(gate, state) === "yes")
    .map(({ name, minor, about }) =>
      missing(ackMissingOnTheWay.name, name, acks, `${minor} will ask for it, because ${about}`),
    );
}

export function aheadNotices(ahead: readonly Gate[], state: State): readonly string[] {
  return ahead
    .filter((gate) => triggered(gate, state) === "unsure")
    .map(
      ({ name, minor, about }) =>
        `When the cluster has arrived at ${minor}, one of its operators may ask for the acknowledgement ${name}, which can't be told before: ${about}.`,
    );
}
