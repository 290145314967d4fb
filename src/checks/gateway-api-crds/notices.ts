import type { Finding } from "../../model/check.ts";
import { sortNames, summarizeNames } from "../../model/names.ts";
import { GATE, type GatewayCrd } from "./crds.ts";

/** The acknowledgement confirms that what uses the Gateway API is ready, so the takeover is not a risk any more. */
export function buildAcknowledgedNotices(takeovers: readonly Finding[]): readonly string[] {
  if (takeovers.length === 0) return [];
  const names = summarizeNames(sortNames(takeovers.map(({ object }) => object.name)));
  return [
    `From 4.19 on, the ingress operator replaces ${names} with its own CRDs, and nothing else may change them. The acknowledgement ${GATE} confirms that whatever uses the Gateway API in this cluster is ready for that.`,
  ];
}

/** Only some 4.19 releases report Degraded because of these, and 4.18 requires the acknowledgement because of them too. */
export function buildExperimentalNotices(crds: readonly GatewayCrd[]): readonly string[] {
  const experimental = crds.filter(({ kind }) => kind === "experimental");
  if (experimental.length === 0) return [];
  const names = summarizeNames(sortNames(experimental.map(({ object }) => object.name)));
  return [
    `The ingress operator doesn't manage ${names}. 4.18 requires the acknowledgement ${GATE} because of such CRDs too, and the ingress operator of some 4.19 releases reports Degraded while any exist.`,
  ];
}
