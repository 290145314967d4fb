import { buildAckRead, noteAbsentAcks } from "../shared/acknowledgements.ts";
import { type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, type GetResult, each, valuesOf, withAnnotations } from "../../model/read.ts";
import type { MinorVersion } from "../../model/version.ts";
import {
  type GatewayCrd,
  type RelevantCrd,
  buildUnknowns,
  isGatewayCrd,
  isManaged,
  keepCrd,
  GATE,
  GATEWAY_ANNOTATIONS,
} from "./crds.ts";
import {
  buildLostVersionFindings,
  buildTakeoverFindings,
  buildUnmanagedFindings,
  buildAcknowledgedNotices,
  buildExperimentalNotices,
} from "./findings.ts";
import { risks } from "./risks.ts";

type FirstReads = { readonly crds: Each<RelevantCrd> };
type FollowUpReads = { readonly acknowledged?: Get<boolean> };

export default defineCheck<FirstReads, FollowUpReads>({
  id: "gateway-api-crds",
  title: "No Gateway API CRDs conflict with those of the ingress operator",
  risks: Object.values(risks),
  applies: { kind: "crosses", minor: "4.19" },
  reads: () => ({
    crds: withAnnotations([GATEWAY_ANNOTATIONS], each("apiextensions.k8s.io/v1/customresourcedefinitions", keepCrd)),
  }),
  mayRead: buildAcknowledgementRead,
  follow: ({ crds }, { target }) =>
    selectGatewayCrds(valuesOf(crds)).some((crd) => isManaged(crd, target)) ? buildAcknowledgementRead() : {},
  evaluate: ({ crds }, { target }, { acknowledged }) => judge(valuesOf(crds), target, acknowledged),
});

function buildAcknowledgementRead(): Required<FollowUpReads> {
  return { acknowledged: buildAckRead(GATE) };
}

/** Without the ingress capability nothing takes the CRDs over, and the operator's own CRD doesn't exist either. */
function hasIngressOperator(relevantCrds: readonly RelevantCrd[]): boolean {
  return relevantCrds.some(({ kind }) => kind === "ingressOperator");
}

function selectGatewayCrds(relevantCrds: readonly RelevantCrd[]): readonly GatewayCrd[] {
  return hasIngressOperator(relevantCrds) ? relevantCrds.filter(isGatewayCrd) : [];
}

function judge(
  relevantCrds: readonly RelevantCrd[],
  target: MinorVersion,
  acknowledged: GetResult<boolean> | undefined,
): Judgement {
  if (!hasIngressOperator(relevantCrds)) return { notApplicable: "The cluster has no ingress operator." };
  const crds = selectGatewayCrds(relevantCrds);
  const isAcknowledged = acknowledged?.kind === "found" && acknowledged.value;
  // Without the acknowledgements, nobody knows whether they are a risk; the runner reports that.
  const found = acknowledged === undefined ? [] : buildTakeoverFindings(crds, target);
  const takeovers = noteAbsentAcks(found, acknowledged?.kind === "absent");
  return {
    findings: [
      ...(isAcknowledged ? [] : takeovers),
      ...buildUnmanagedFindings(crds, target),
      ...buildLostVersionFindings(crds),
    ],
    notices: [...(isAcknowledged ? buildAcknowledgedNotices(takeovers) : []), ...buildExperimentalNotices(crds)],
    unknowns: buildUnknowns(crds),
  };
}
