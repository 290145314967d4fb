import { type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { type Seen, isGateway, keepCrd, unreadable } from "./crds.ts";
import { lostVersions, takenOver, unmanaged } from "./findings.ts";
import { xNotices } from "./notices.ts";
import { crdsTakenOver, crdsUnmanaged, storedVersionsLost } from "./risks.ts";

export default defineCheck({
  id: "gateway-api-crds",
  name: "GatewayApiCrds",
  title: "No Gateway API CRDs of others are there when the ingress operator takes these over",
  risks: [crdsTakenOver, crdsUnmanaged, storedVersionsLost],
  applies: { kind: "crosses", minor: "4.19" },
  needsManifests: false,
  reads: () => ({ crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepCrd) }),
  evaluate: ({ crds }, { target }) => judge(valuesOf(crds), target),
});

/** Without the ingress capability nobody takes anything over; the operator's own CRD is then not there either. */
function judge(seen: readonly Seen[], target: { readonly major: number; readonly minor: number }): Judgement {
  if (!seen.some(({ kind }) => kind === "ingress-operator")) return { notApplicable: "There is no ingress operator." };
  const crds = seen.filter(isGateway);
  return {
    findings: [...takenOver(crds, target), ...unmanaged(crds, target), ...lostVersions(crds)],
    notices: xNotices(crds),
    blind: unreadable(crds),
  };
}
