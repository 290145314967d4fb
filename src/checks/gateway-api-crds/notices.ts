import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { GATE } from "./acknowledgement.ts";
import type { GatewayCrd } from "./crds.ts";

/** An administrator has said that what uses the Gateway API here is ready for it. */
export function buildAcknowledgedNotices(takeovers: readonly Finding[]): readonly string[] {
  if (takeovers.length === 0) return [];
  const names = takeovers.map(({ object }) => object.name).toSorted(compareText);
  return [
    `From 4.19 on the ingress operator puts its own CRDs in place of ${summarizeNames(names)}, and nobody else may change them: with ${GATE} somebody acknowledged that what uses the Gateway API here is ready for that.`,
  ];
}

/** Only some releases of 4.19 minded these; 4.18 asks for the acknowledgement because of them as well. */
export function buildExperimentalNotices(crds: readonly GatewayCrd[]): readonly string[] {
  const names = crds
    .filter(({ kind }) => kind === "trial")
    .map(({ object }) => object.name)
    .toSorted(compareText);
  if (names.length === 0) return [];
  return [
    `The ingress operator doesn't manage ${summarizeNames(names)}. 4.18 asks for the acknowledgement ${GATE} because of such CRDs too, and some releases of 4.19 call the operator Degraded while there are any.`,
  ];
}
