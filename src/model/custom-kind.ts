import { CHECKS_ANNOTATION } from "./cluster-service-version.ts";
import { type JsonObject, textAt } from "./json.ts";

export const CRD_RESOURCE = "apiextensions.k8s.io/v1/customresourcedefinitions";

/** Names the namespace whose checks may read the objects of the CRD. Only who may write CRDs can set it. */
export const NAMESPACE_ANNOTATION = "preflight.openshift.io/checks-namespace";
/** Helm writes it to what the templates of a chart create. */
const HELM_NAMESPACE = "meta.helm.sh/release-namespace";
export const CUSTOM_KIND_ANNOTATIONS = [NAMESPACE_ANNOTATION, HELM_NAMESPACE, CHECKS_ANNOTATION];

/** OLM v1 writes them to what a ClusterExtension installs. */
const OWNER_KIND = "olm.operatorframework.io/owner-kind";
const OWNER_NAME = "olm.operatorframework.io/owner-name";

/** A kind that a CRD defines, such as "kafkas.kafka.strimzi.io", and whose it is. */
export type CustomKind = {
  readonly name: string;
  readonly namespace?: string;
  /** The ClusterExtension that installed it. */
  readonly extension?: string;
  /** The ConfigMaps with the checks of that extension. */
  readonly annotation?: string;
};

/** From the metadata of a CRD. */
export function parseCustomKind(crd: JsonObject): CustomKind {
  const annotated = (key: string): string | undefined => textAt(crd, "metadata", "annotations", key);
  const isOfExtension = textAt(crd, "metadata", "labels", OWNER_KIND) === "ClusterExtension";
  return {
    name: textAt(crd, "metadata", "name") ?? "",
    namespace: annotated(NAMESPACE_ANNOTATION) ?? annotated(HELM_NAMESPACE),
    extension: isOfExtension ? textAt(crd, "metadata", "labels", OWNER_NAME) : undefined,
    annotation: annotated(CHECKS_ANNOTATION),
  };
}
