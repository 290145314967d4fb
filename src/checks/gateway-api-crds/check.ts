import { type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, type Got, each, get, valuesOf } from "../../model/read.ts";
import { keepAcknowledged } from "./acknowledgement.ts";
import { type GatewayCrd, type Seen, isGateway, isManaged, keepCrd, unreadable } from "./crds.ts";
import { lostVersions, takenOver, unmanaged } from "./findings.ts";
import { acknowledgedNotices, trialNotices } from "./notices.ts";
import { crdsTakenOver, crdsUnmanaged, storedVersionsLost } from "./risks.ts";

type Reads = { readonly crds: Each<Seen> };
type Followed = { readonly acknowledged?: Get<boolean> };
type Minor = { readonly major: number; readonly minor: number };

export default defineCheck<Reads, Followed>({
  id: "gateway-api-crds",
  name: "GatewayApiCrds",
  title: "No Gateway API CRDs of others are there when the ingress operator takes these over",
  risks: [crdsTakenOver, crdsUnmanaged, storedVersionsLost],
  applies: { kind: "crosses", minor: "4.19" },
  needsManifests: false,
  reads: () => ({ crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepCrd) }),
  mayRead: acknowledgementRead,
  follow: ({ crds }, { target }) =>
    gatewayCrds(valuesOf(crds)).some((crd) => isManaged(crd, target)) ? acknowledgementRead() : {},
  evaluate: ({ crds }, { target }, { acknowledged }) => judge(valuesOf(crds), target, acknowledged),
});

function acknowledgementRead(): Required<Followed> {
  return { acknowledged: get("v1/configmaps", "openshift-config/admin-acks", keepAcknowledged) };
}

/** Without the ingress capability nobody takes anything over; the operator's own CRD is then not there either. */
function gatewayCrds(seen: readonly Seen[]): readonly GatewayCrd[] {
  return seen.some(({ kind }) => kind === "ingress-operator") ? seen.filter(isGateway) : [];
}

function judge(seen: readonly Seen[], target: Minor, acknowledged: Got<boolean> | undefined): Judgement {
  if (!seen.some(({ kind }) => kind === "ingress-operator")) return { notApplicable: "There is no ingress operator." };
  const crds = gatewayCrds(seen);
  const known = acknowledged?.kind === "found" && acknowledged.value;
  const taken = takenOver(crds, target);
  return {
    findings: [...(known ? [] : taken), ...unmanaged(crds, target), ...lostVersions(crds)],
    notices: [...(known ? acknowledgedNotices(taken) : []), ...trialNotices(crds)],
    blind: unreadable(crds),
  };
}
