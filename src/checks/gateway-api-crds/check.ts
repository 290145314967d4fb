import { type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { buildStorageMigration } from "../../model/commands.ts";
import { type JsonObject, at, isList, textAt, textsAt } from "../../model/json.ts";
import { type Each, type Get, type GetResult, each, valuesOf, withAnnotations } from "../../model/read.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { sortNames } from "../../model/text.ts";
import { type MinorVersion, getMinorOrdinal } from "../../model/version.ts";
import { buildAckRead, buildAcknowledgement, noteAbsentAcks } from "../shared/acknowledgements.ts";
import { buildNamesNotice } from "../shared/judgements.ts";
import { readRisks } from "../shared/risks.ts";

const risks = readRisks("gateway-api-crds", {
  GatewayAPICRDsTakenOver: {
    fixKind: "weakening",
    fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
  },
  GatewayAPICRDsDegradeIngress: {},
  GatewayAPIStoredVersionsLost: {
    fixKind: "weakening",
    fix: ({ object, detail }, { platform }) =>
      buildStorageMigration(platform, object, (detail?.["kept"] ?? "<version>").split(",")),
  },
});

type FirstReads = { readonly crds: Each<RelevantCrd> };
type FollowUpReads = { readonly acknowledged?: Get<boolean> };

/** The ingress operator of 4.18 adds this gate to a cluster that has CRDs of the Gateway API. */
const GATE = "ack-4.18-gateway-api-management-in-4.19";

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

export function buildTakeoverFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => isManaged(crd, target))
    .map((crd) => ({
      risk: risks.GatewayAPICRDsTakenOver.name,
      object: crd.object,
      message: `The ingress operator of 4.19 and later replaces it with its own${formatOrigin(crd)}.`,
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

function formatOrigin({ bundle, channel }: GatewayCrd): string {
  const parts = [bundle === "" ? [] : [bundle], channel === "" ? [] : [`the ${channel} channel`]].flat();
  return parts.length === 0 ? "" : `; the installed one is from ${parts.join(" of ")}`;
}

export function buildUnmanagedFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => crd.kind === "gateway" && !isManaged(crd, target))
    .map((crd) => ({
      risk: risks.GatewayAPICRDsDegradeIngress.name,
      object: crd.object,
      message: "The ingress operator of 4.19 and later doesn't manage it, and reports Degraded while it exists.",
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

/** The API server rejects a CRD that lacks a version in which objects may still be stored. */
export function buildLostVersionFindings(crds: readonly GatewayCrd[]): readonly Finding[] {
  return crds.flatMap((crd) => {
    const managedVersions = findManagedVersions(crd);
    const lostVersions =
      managedVersions === undefined
        ? []
        : (crd.storedVersions ?? []).filter((version) => !managedVersions.includes(version));
    if (lostVersions.length === 0) return [];
    const kept = (crd.storedVersions ?? []).filter((version) => !lostVersions.includes(version));
    return [
      {
        risk: risks.GatewayAPIStoredVersionsLost.name,
        object: crd.object,
        path: "status.storedVersions",
        message: `The ingress operator's own CRD drops ${lostVersions.join(", ")}, but status.storedVersions still lists ${lostVersions.length === 1 ? "it" : "them"}.`,
        detail: { versions: lostVersions.join(","), ...(kept.length > 0 ? { kept: kept.join(",") } : {}) },
      },
    ];
  });
}

/** The acknowledgement confirms that what uses the Gateway API is ready, so the takeover is not a risk any more. */
function buildAcknowledgedNotices(takeovers: readonly Finding[]): readonly string[] {
  return buildNamesNotice(
    sortNames(takeovers.map(({ object }) => object.name)),
    (names) =>
      `From 4.19 on, the ingress operator replaces ${names} with its own CRDs, and nothing else may change them. The acknowledgement ${GATE} confirms that whatever uses the Gateway API in this cluster is ready for that.`,
  );
}

/** Only some 4.19 releases report Degraded because of these, and 4.18 requires the acknowledgement because of them too. */
function buildExperimentalNotices(crds: readonly GatewayCrd[]): readonly string[] {
  const experimental = crds.filter(({ kind }) => kind === "experimental");
  return buildNamesNotice(
    sortNames(experimental.map(({ object }) => object.name)),
    (names) =>
      `The ingress operator doesn't manage ${names}. 4.18 requires the acknowledgement ${GATE} because of such CRDs too, and the ingress operator of some 4.19 releases reports Degraded while any exist.`,
  );
}

export const GROUP = "gateway.networking.k8s.io";
/** The group of the Gateway API's experiments. */
const EXPERIMENTAL_GROUP = "gateway.networking.x-k8s.io";
/** A CRD that exists wherever the ingress operator runs. */
const INGRESS_OPERATOR = "ingresscontrollers.operator.openshift.io";

const GATEWAY_ANNOTATIONS = `${GROUP}/`;

export type GatewayCrd = {
  readonly kind: "gateway" | "experimental";
  readonly object: ObjectRef;
  /** From the annotations of every Gateway API release; "" if they are missing. */
  readonly bundle: string;
  readonly channel: string;
  /** Undefined if the status doesn't list them. */
  readonly storedVersions: readonly string[] | undefined;
};

/** The installed CRDs that matter: those of the Gateway API, and the one that shows that the ingress operator runs. */
type RelevantCrd = GatewayCrd | { readonly kind: "ingressOperator" };

export function keepCrd(object: JsonObject): RelevantCrd | undefined {
  if (textAt(object, "metadata", "name") === INGRESS_OPERATOR) return { kind: "ingressOperator" };
  const group = textAt(object, "spec", "group");
  if (group !== GROUP && group !== EXPERIMENTAL_GROUP) return undefined;
  const getAnnotation = (name: string): string =>
    textAt(object, "metadata", "annotations", `${GATEWAY_ANNOTATIONS}${name}`) ?? "";
  return {
    kind: group === GROUP ? "gateway" : "experimental",
    object: refOf(object),
    bundle: getAnnotation("bundle-version"),
    channel: getAnnotation("channel"),
    storedVersions: parseStoredVersions(object),
  };
}

function parseStoredVersions(object: JsonObject): readonly string[] | undefined {
  const value = at(object, "status", "storedVersions");
  const texts = textsAt(object, "status", "storedVersions");
  return isList(value) && value.length === texts.length ? texts : undefined;
}

function isGatewayCrd(crd: RelevantCrd): crd is GatewayCrd {
  return crd.kind !== "ingressOperator";
}

/** The CRDs that the ingress operator installs from 4.19 on, with the versions that they had in any release since. */
const MANAGED: ReadonlyMap<string, readonly string[]> = new Map([
  [`gatewayclasses.${GROUP}`, ["v1", "v1beta1"]],
  [`gateways.${GROUP}`, ["v1", "v1beta1"]],
  [`grpcroutes.${GROUP}`, ["v1"]],
  [`httproutes.${GROUP}`, ["v1", "v1beta1"]],
  [`referencegrants.${GROUP}`, ["v1", "v1beta1"]],
]);

/** CRDs that joined the Gateway API's standard channel later; the table doesn't hold in which release each did. */
const MANAGED_LATER: ReadonlySet<string> = new Set([
  `backendtlspolicies.${GROUP}`,
  `listenersets.${GROUP}`,
  `tlsroutes.${GROUP}`,
]);
/** The first release that may manage more than the five. */
const MANAGED_LATER_FROM = { major: 4, minor: 21 };

/** The versions of a CRD that the target's operator keeps, or undefined if it doesn't manage the CRD from 4.19 on. */
function findManagedVersions({ object }: GatewayCrd): readonly string[] | undefined {
  return MANAGED.get(object.name);
}

export function isManaged(crd: GatewayCrd, target: MinorVersion): boolean {
  if (crd.kind === "experimental") return false;
  if (MANAGED.has(crd.object.name)) return true;
  return MANAGED_LATER.has(crd.object.name) && getMinorOrdinal(target) >= getMinorOrdinal(MANAGED_LATER_FROM);
}

/** The stored versions decide only for managed CRDs. */
export function buildUnknowns(crds: readonly GatewayCrd[]): readonly Unknown[] {
  return crds
    .filter((crd) => crd.storedVersions === undefined && findManagedVersions(crd) !== undefined)
    .map(({ object }) => ({
      reason: "NotReported",
      where: `customresourcedefinitions.apiextensions.k8s.io ${object.name}`,
      message: "its status does not list the stored versions",
      at: { object, path: "status.storedVersions" },
    }));
}
