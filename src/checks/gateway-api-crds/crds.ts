import type { Unknown } from "../../model/check.ts";
import { type JsonObject, at, isList, textAt, textsAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type MinorVersion, getMinorOrdinal } from "../../model/version.ts";

export const GROUP = "gateway.networking.k8s.io";
/** The group of the Gateway API's experiments. */
const EXPERIMENTAL_GROUP = "gateway.networking.x-k8s.io";
/** A CRD that exists wherever the ingress operator runs. */
const INGRESS_OPERATOR = "ingresscontrollers.operator.openshift.io";
/** The ingress operator of 4.18 adds this gate to a cluster that has CRDs of the Gateway API. */
export const GATE = "ack-4.18-gateway-api-management-in-4.19";

export const GATEWAY_ANNOTATIONS = `${GROUP}/`;

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
export type RelevantCrd = GatewayCrd | { readonly kind: "ingressOperator" };

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

export function isGatewayCrd(crd: RelevantCrd): crd is GatewayCrd {
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
export function findManagedVersions({ object }: GatewayCrd): readonly string[] | undefined {
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
