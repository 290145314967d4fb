import { type JsonObject, textAt } from "../../model/json.ts";
import { isPlatformName } from "./constraints.ts";

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
