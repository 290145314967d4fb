import { type JsonObject, objectAt, textAt } from "./json.ts";

/** What marks an object as somebody's. Part of the document: a kind is never renamed. */
export type OwnerKind =
  | "team"
  | "argoApplication"
  | "fluxKustomization"
  | "fluxHelmRelease"
  | "helmRelease"
  | "olmOperator"
  | "partOf"
  | "instance"
  | "helmChart"
  | "managedBy";

/** Who or what an object belongs to, as its labels and annotations say. */
export type Owner = { readonly kind: OwnerKind; readonly namespace?: string; readonly name: string };

/** The annotations that name an owner. */
export const OWNER_ANNOTATIONS = [
  "argocd.argoproj.io/tracking-id",
  "meta.helm.sh/release-name",
  "meta.helm.sh/release-namespace",
] as const;

const [TRACKING_ID, RELEASE_NAME, RELEASE_NAMESPACE] = OWNER_ANNOTATIONS;

/** Labels that name the owner, and the label or annotation with its namespace. */
const OWNER_LABELS: ReadonlyMap<string, { readonly kind: OwnerKind; readonly namespace?: string }> = new Map([
  ["argocd.argoproj.io/instance", { kind: "argoApplication" }],
  [
    "kustomize.toolkit.fluxcd.io/name",
    { kind: "fluxKustomization", namespace: "kustomize.toolkit.fluxcd.io/namespace" },
  ],
  ["helm.toolkit.fluxcd.io/name", { kind: "fluxHelmRelease", namespace: "helm.toolkit.fluxcd.io/namespace" }],
  ["olm.owner", { kind: "olmOperator", namespace: "olm.owner.namespace" }],
  ["olm.operatorframework.io/owner-name", { kind: "olmOperator" }],
  ["app.kubernetes.io/part-of", { kind: "partOf" }],
  ["app.kubernetes.io/instance", { kind: "instance" }],
  ["helm.sh/chart", { kind: "helmChart" }],
  ["app.kubernetes.io/managed-by", { kind: "managedBy" }],
]);

/** A person's word for the kind, before the name. */
const KIND_TEXTS: Readonly<Record<OwnerKind, string>> = {
  team: "team",
  argoApplication: "Argo CD application",
  fluxKustomization: "Flux Kustomization",
  fluxHelmRelease: "Flux HelmRelease",
  helmRelease: "Helm release",
  olmOperator: "operator",
  partOf: "part of",
  instance: "instance",
  helmChart: "Helm chart",
  managedBy: "managed by",
};

const KINDS = Object.keys(KIND_TEXTS);

/** The owners that an object's marks name: people first, then what they deploy with, each once. */
export function parseOwners(object: JsonObject): readonly Owner[] {
  const labels = objectAt(object, "metadata", "labels");
  const annotations = objectAt(object, "metadata", "annotations");
  const named = Object.keys(labels).flatMap((key) => parseLabel(key, labels));
  const release = buildOwner("helmRelease", textAt(annotations, RELEASE_NAME), textAt(annotations, RELEASE_NAMESPACE));
  const owners = [...named, ...parseTrackingId(annotations), ...release];
  if (owners.length < 2) return owners;
  const distinct = [...new Map(owners.map((owner) => [formatOwner(owner), owner])).values()];
  return distinct.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** "Argo CD application shop", "Helm release shop/checkout". */
export function formatOwner({ kind, namespace, name }: Owner): string {
  return `${KIND_TEXTS[kind]} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Companies choose their own domain: "team", "example.com/owner". */
const TEAM = /^(?:[^/]+\/)?(?:team|owner)$/;
/** OLM's mark of every component: "operators.coreos.com/PACKAGE.NAMESPACE", without a value. */
const COMPONENT = /^operators\.coreos\.com\/(.+)\.([^.]+)$/;

function parseLabel(key: string, labels: JsonObject): readonly Owner[] {
  const known = OWNER_LABELS.get(key);
  if (known !== undefined)
    return buildOwner(known.kind, textAt(labels, key), known.namespace && textAt(labels, known.namespace));
  if (TEAM.test(key)) return buildOwner("team", textAt(labels, key));
  const [, name, namespace] = COMPONENT.exec(key) ?? [];
  return buildOwner("olmOperator", name, namespace);
}

/** "APPLICATION:GROUP/KIND:NAMESPACE/NAME", with "NAMESPACE_APPLICATION" outside Argo CD's own namespace. */
function parseTrackingId(annotations: JsonObject): readonly Owner[] {
  const [, namespace, name] = /^(?:([^:_]+)_)?([^:_]+):/.exec(textAt(annotations, TRACKING_ID) ?? "") ?? [];
  return buildOwner("argoApplication", name, namespace);
}

/** Labels are 63 characters at most; an annotation may be of any length. */
const MAX_NAME = 253;

function buildOwner(kind: OwnerKind, name: string | undefined, namespace?: string): readonly Owner[] {
  if (!name || name.length > MAX_NAME || (namespace?.length ?? 0) > MAX_NAME) return [];
  return [{ kind, ...(namespace ? { namespace } : {}), name }];
}
