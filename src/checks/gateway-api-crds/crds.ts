import type { Blind } from "../../model/check.ts";
import { type JsonObject, at, isList, textAt, textsAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { minorPlace } from "../../model/version.ts";

export const GROUP = "gateway.networking.k8s.io";
/** Where the Gateway API tries out what may become part of it. */
const TRIAL_GROUP = "gateway.networking.x-k8s.io";
const INGRESS_OPERATOR = "ingresscontrollers.operator.openshift.io";

export type GatewayCrd = {
  readonly kind: "gateway" | "trial";
  readonly object: ObjectRef;
  /** Of the annotations that every release of the Gateway API carries; empty where they are missing. */
  readonly bundle: string;
  readonly channel: string;
  /** Undefined where the API server says nothing that can be understood. */
  readonly stored: readonly string[] | undefined;
};

/** What matters of the installed CRDs: those of the Gateway API, and whether there is an ingress operator. */
export type Seen = GatewayCrd | { readonly kind: "ingress-operator" };

export function keepCrd(object: JsonObject): Seen | undefined {
  if (textAt(object, "metadata", "name") === INGRESS_OPERATOR) return { kind: "ingress-operator" };
  const group = textAt(object, "spec", "group");
  if (group !== GROUP && group !== TRIAL_GROUP) return undefined;
  const annotation = (name: string): string => textAt(object, "metadata", "annotations", `${GROUP}/${name}`) ?? "";
  return {
    kind: group === GROUP ? "gateway" : "trial",
    object: refOf(object),
    bundle: annotation("bundle-version"),
    channel: annotation("channel"),
    stored: storedOf(object),
  };
}

function storedOf(object: JsonObject): readonly string[] | undefined {
  const stored = at(object, "status", "storedVersions");
  const texts = textsAt(object, "status", "storedVersions");
  return isList(stored) && stored.length === texts.length ? texts : undefined;
}

export function isGateway(seen: Seen): seen is GatewayCrd {
  return seen.kind !== "ingress-operator";
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
const LATER = { major: 4, minor: 21 };

/** The versions that the target's operator keeps of a CRD, or undefined where it doesn't manage it from 4.19 on. */
export function keptVersions({ object }: GatewayCrd): readonly string[] | undefined {
  return MANAGED.get(object.name);
}

export function isManaged(crd: GatewayCrd, target: { readonly major: number; readonly minor: number }): boolean {
  if (crd.kind === "trial") return false;
  if (MANAGED.has(crd.object.name)) return true;
  return MANAGED_LATER.has(crd.object.name) && minorPlace(target) >= minorPlace(LATER);
}

/** Which versions are stored decides for the managed ones only. */
export function unreadable(crds: readonly GatewayCrd[]): readonly Blind[] {
  return crds
    .filter((crd) => crd.stored === undefined && keptVersions(crd) !== undefined)
    .map(({ object }) => ({
      reason: "NotUnderstood",
      where: `customresourcedefinitions.apiextensions.k8s.io ${object.name}`,
      message: "its status doesn't say which versions are stored",
      at: { object, path: "status.storedVersions" },
    }));
}
