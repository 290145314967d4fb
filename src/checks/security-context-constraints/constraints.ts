import { type JsonObject, numberAt, objectAt, textAt, textsAt } from "../../model/json.ts";

/** SecurityContextConstraints that are not the platform's. */
export type CustomConstraints = { readonly name: string; readonly priority: number; readonly isForAll: boolean };

/** Those that operators of the platform create; the others come from the payload, with an annotation. */
const PLATFORM_NAMES = new Set([
  "anyuid",
  "hostaccess",
  "hostmount-anyuid",
  "hostmount-anyuid-v2",
  "hostnetwork",
  "hostnetwork-v2",
  "insights-runtime-extractor-scc",
  "machine-api-termination-handler",
  "nested-container",
  "node-exporter",
  "nonroot",
  "nonroot-v2",
  "privileged",
  "privileged-genevalogging",
  "restricted",
  "restricted-v2",
  "restricted-v3",
]);
const PAYLOAD_ANNOTATION = "include.release.openshift.io/";
/** Groups to which the service accounts of the platform belong. */
const GROUPS = ["system:authenticated", "system:serviceaccounts"];

export function keepCustomConstraints(object: JsonObject): CustomConstraints | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  if (isPlatformName(name) || annotations.some((key) => key.startsWith(PAYLOAD_ANNOTATION))) return undefined;
  const isForAll = textsAt(object, "groups").some((group) => GROUPS.includes(group));
  return { name, priority: numberAt(object, "priority") ?? 0, isForAll };
}

function isPlatformName(name: string): boolean {
  return PLATFORM_NAMES.has(name);
}

/** A pod of the platform, with the constraints that admitted it. */
export type AdmittedPod = { readonly namespace: string; readonly constraints: string };

/** Namespaces in which all pods are the platform's own: optional operators have namespaces of their own, and constraints for them. */
const NAMES =
  "apiserver authentication catalogd cloud-controller-manager cloud-credential cloud-network-config-controller cluster-csi-drivers " +
  "cluster-machine-approver cluster-node-tuning cluster-olm cluster-samples cluster-storage cluster-version config console " +
  "controller-manager dns etcd image-registry ingress ingress-canary insights kube-apiserver kube-controller-manager " +
  "kube-scheduler kube-storage-version-migrator machine-api machine-config marketplace monitoring multus network " +
  "network-console network-diagnostics network-node-identity oauth-apiserver operator-controller operator-lifecycle-manager " +
  "ovn-kubernetes route-controller-manager sdn service-ca user-workload-monitoring";
const NAMESPACES = new Set(NAMES.split(" ").flatMap((name) => [`openshift-${name}`, `openshift-${name}-operator`]));

const ADMITTED_BY = "openshift.io/scc";
const REQUIRED = "openshift.io/required-scc";
export const CONSTRAINTS_ANNOTATIONS = [ADMITTED_BY, REQUIRED];

/** A pod that requires its constraints by annotation gets no others. */
export function keepAdmittedPod(pod: JsonObject): AdmittedPod | undefined {
  const namespace = textAt(pod, "metadata", "namespace") ?? "";
  if (!NAMESPACES.has(namespace)) return undefined;
  const getAnnotation = (key: string): string => textAt(pod, "metadata", "annotations", key) ?? "";
  const constraints = getAnnotation(ADMITTED_BY);
  if (constraints === "" || isPlatformName(constraints) || constraints === getAnnotation(REQUIRED)) return undefined;
  return { namespace, constraints };
}
