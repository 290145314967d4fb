import { byText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import type { GatewayCrd } from "./crds.ts";

const NAMED = 3;

/** Only some releases of 4.19 minded these; 4.18 asks for the acknowledgement because of them as well. */
export function xNotices(crds: readonly GatewayCrd[]): readonly string[] {
  const names = crds
    .filter(({ kind }) => kind === "trial")
    .map(({ object }) => object.name)
    .toSorted(byText);
  if (names.length === 0) return [];
  const named = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
  return [
    `The ingress operator doesn't manage ${joinNames(named)}. 4.18 asks for the acknowledgement ack-4.18-gateway-api-management-in-4.19 because of such CRDs too, and some releases of 4.19 call the operator Degraded while there are any.`,
  ];
}
