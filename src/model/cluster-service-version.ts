import { toIdPart } from "./check-origin.ts";
import { type JsonObject, listAt, objectAt, textAt } from "./json.ts";

/** An operator that OLM installed. */
export const CSV_RESOURCE = "operators.coreos.com/v1alpha1/clusterserviceversions";

/** Where an operator's bundle says which ConfigMaps hold its checks: "NAME@sha256:DIGEST", separated by commas. */
export const CHECKS_ANNOTATION = "preflight.openshift.io/checks";

const HOME = "olm.operatorNamespace";
/** The annotations by which `isCopied` decides. */
export const COPY_ANNOTATIONS = [HOME];

/** The three signs by which OLM recognizes a copy, which it makes in every namespace that an operator watches. */
export function isCopied(csv: JsonObject): boolean {
  if (textAt(csv, "status", "reason") === "Copied") return true;
  if (Object.hasOwn(objectAt(csv, "metadata", "labels"), "olm.copiedFrom")) return true;
  const home = textAt(csv, "metadata", "annotations", HOME);
  return home !== undefined && home !== textAt(csv, "metadata", "namespace");
}

/** Set if it is about to be deleted. */
export function findLeaving(csv: JsonObject): "replaced" | "deleted" | undefined {
  const phase = textAt(csv, "status", "phase");
  if (phase === "Deleting" || textAt(csv, "metadata", "deletionTimestamp") !== undefined) return "deleted";
  return phase === "Replacing" ? "replaced" : undefined;
}

/** What names an operator and where its checks are. */
export type CheckedOperator = {
  readonly namespace: string;
  /** What has the annotation: "ClusterServiceVersion shop/shop-operator.v1.2.3". */
  readonly annotated: string;
  /** The package, as a part of ids: "strimzi-kafka-operator". */
  readonly package: string;
  readonly version: string;
  readonly annotation: string;
  /** Those that it says it owns, such as "kafkas.kafka.strimzi.io". */
  readonly kinds: readonly string[];
};

/** An installed operator that brings checks; undefined for any other, and for one that is on its way out. */
export function findCheckedOperator(csv: JsonObject): CheckedOperator | undefined {
  const annotation = textAt(csv, "metadata", "annotations", CHECKS_ANNOTATION);
  if (annotation === undefined || isCopied(csv) || findLeaving(csv) !== undefined) return undefined;
  const namespace = textAt(csv, "metadata", "namespace") ?? "";
  const name = textAt(csv, "metadata", "name") ?? "";
  return {
    namespace,
    annotated: `ClusterServiceVersion ${namespace}/${name}`,
    package: findPackage(csv, name),
    version: toOperatorVersion(textAt(csv, "spec", "version")),
    annotation,
    kinds: listOwnedKinds(csv),
  };
}

/** As texts show it. */
export function toOperatorVersion(version: string | undefined): string {
  return /^[\w.+-]{1,64}$/.exec(version ?? "")?.[0] ?? "of unknown version";
}

const PACKAGE_LABEL = "operators.coreos.com/";

/** The name of a package as a part of ids. */
export function toPackage(name: string): string {
  return toIdPart(name) || "operator";
}

/** The package that OLM's label names; it has none of a package and a namespace that are too long for one label. */
export function findLabelledPackage(csv: JsonObject): string | undefined {
  const suffix = `.${textAt(csv, "metadata", "namespace") ?? ""}`;
  const [labelled] = Object.keys(objectAt(csv, "metadata", "labels"))
    .filter((label) => label.startsWith(PACKAGE_LABEL) && label.endsWith(suffix))
    .toSorted();
  return labelled?.slice(PACKAGE_LABEL.length, -suffix.length) || undefined;
}

/** Without a label, the name of the CSV begins with the package by convention. */
function findPackage(csv: JsonObject, name: string): string {
  return toPackage(findLabelledPackage(csv) ?? name.replace(/\.v?\d.*/, ""));
}

/** Kinds of the API server itself, which are nobody's: "secrets" and "roles.rbac.authorization.k8s.io" are no CRDs. */
const BUILT_IN_GROUP =
  /^(?:(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|metrics|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io|(?:apps|authorization|build|image|oauth|project|quota|route|security|template|user)\.openshift\.io)$/;

/** The kinds that an operator says it owns. Only CRDs can be owned. */
export function listOwnedKinds(csv: JsonObject): readonly string[] {
  const owned = listAt(csv, "spec", "customresourcedefinitions", "owned");
  return owned.flatMap((one) => {
    const name = textAt(one, "name") ?? "";
    return isOwnable(name) ? [name] : [];
  });
}

/** Whether somebody else than the platform may define a kind, such as "kafkas.kafka.strimzi.io". */
export function isOwnable(kind: string): boolean {
  const group = /^[a-z0-9]+\.(?<group>[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(kind)?.groups?.["group"];
  return group !== undefined && !BUILT_IN_GROUP.test(group);
}
