import type { Unknown } from "../../model/check.ts";
import { type JsonObject, at, isList, textAt, textsAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { getMinorOrdinal } from "../../model/version.ts";

export const GROUP = "gateway.networking.k8s.io";
/** Where the Gateway API tries out what may become part of it. */
const EXPERIMENTAL_GROUP = "gateway.networking.x-k8s.io";
const INGRESS_OPERATOR = "ingresscontrollers.operator.openshift.io";

export type GatewayCrd = {
  readonly kind: "gateway" | "trial";
  readonly object: ObjectRef;
  /** Of the annotations that every release of the Gateway API carries; empty where they are missing. */
  readonly bundle: string;
  readonly channel: string;
  /** Undefined where the API server says nothing that can be understood. */
  readonly storedVersions: readonly string[] | undefined;
};

/** What matters of the installed CRDs: those of the Gateway API, and whether there is an ingress operator. */
export type RelevantCrd = GatewayCrd | { readonly kind: "ingress-operator" };

export function keepCrd(object: JsonObject): RelevantCrd | undefined {
  if (textAt(object, "metadata", "name") === INGRESS_OPERATOR) return { kind: "ingress-operator" };
  const group = textAt(object, "spec", "group");
  if (group !== GROUP && group !== EXPERIMENTAL_GROUP) return undefined;
  const getAnnotation = (name: string): string => textAt(object, "metadata", "annotations", `${GROUP}/${name}`) ?? "";
  return {
    kind: group === GROUP ? "gateway" : "trial",
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
  return crd.kind !== "ingress-operator";
}

/** The CRDs that the ingress operator brings from 4.19 on, and the versions that these had in any release since. */
const MANAGED: ReadonlyMap<string, readonly string[]> = new Map([
  [`gatewayclasses.${GROUP}`, ["v1", "v1beta1"]],
  [`gateways.${GROUP}`, ["v1", "v1beta1"]],
  [`grpcroutes.${GROUP}`, ["v1"]],
  [`httproutes.${GROUP}`, ["v1", "v1beta1"]],
  [`referencegrants.${GROUP}`, ["v1", "v1beta1"]],
]);

/** CRDs that became part of the Gateway API's standard channel later: which release took them up isn't told apart. */
const MANAGED_LATER: ReadonlySet<string> = new Set([
  `backendtlspolicies.${GROUP}`,
  `listenersets.${GROUP}`,
  `tlsroutes.${GROUP}`,
]);
/** The first release that may manage more than the five. */
const MANAGED_LATER_FROM = { major: 4, minor: 21 };

/** The versions that the target's operator keeps of a CRD, or undefined where it doesn't manage it from 4.19 on. */
export function findManagedVersions({ object }: GatewayCrd): readonly string[] | undefined {
  return MANAGED.get(object.name);
}

export function isManaged(crd: GatewayCrd, target: { readonly major: number; readonly minor: number }): boolean {
  if (crd.kind === "trial") return false;
  if (MANAGED.has(crd.object.name)) return true;
  return MANAGED_LATER.has(crd.object.name) && getMinorOrdinal(target) >= getMinorOrdinal(MANAGED_LATER_FROM);
}

/** Which versions are stored decides for the managed ones only. */
export function buildUnknowns(crds: readonly GatewayCrd[]): readonly Unknown[] {
  return crds
    .filter((crd) => crd.storedVersions === undefined && findManagedVersions(crd) !== undefined)
    .map(({ object }) => ({
      reason: "NotUnderstood",
      where: `customresourcedefinitions.apiextensions.k8s.io ${object.name}`,
      message: "its status doesn't say which versions are stored",
      at: { object, path: "status.storedVersions" },
    }));
}
