import type { Resource } from "./resource.ts";

export type KindScope = "Cluster" | "Namespaced";

/** The kinds of Kubernetes and OpenShift that checks are most often about, by their groups. */
const CLUSTER: Readonly<Record<string, string>> = {
  "": "componentstatuses namespaces nodes persistentvolumes",
  "admissionregistration.k8s.io":
    "mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations",
  "apiextensions.k8s.io": "customresourcedefinitions",
  "apiregistration.k8s.io": "apiservices",
  "apiserver.openshift.io": "apirequestcounts",
  "certificates.k8s.io": "certificatesigningrequests clustertrustbundles",
  "config.openshift.io":
    "apiservers authentications builds clusterimagepolicies clusteroperators clusterversions consoles dnses featuregates imagecontentpolicies imagedigestmirrorsets images imagetagmirrorsets infrastructures ingresses networks nodes oauths operatorhubs projects proxies schedulers",
  "console.openshift.io":
    "consoleclidownloads consoleexternalloglinks consolelinks consolenotifications consoleplugins consolequickstarts consolesamples consoleyamlsamples",
  "flowcontrol.apiserver.k8s.io": "flowschemas prioritylevelconfigurations",
  "helm.openshift.io": "helmchartrepositories",
  "imageregistry.operator.openshift.io": "configs imagepruners",
  "machineconfiguration.openshift.io":
    "containerruntimeconfigs controllerconfigs kubeletconfigs machineconfignodes machineconfigpools machineconfigs machineosbuilds machineosconfigs pinnedimagesets",
  "networking.k8s.io": "ingressclasses ipaddresses servicecidrs",
  "node.k8s.io": "runtimeclasses",
  "operator.openshift.io":
    "authentications cloudcredentials clustercsidrivers configs consoles csisnapshotcontrollers dnses etcds imagecontentsourcepolicies ingresses insightsoperators kubeapiservers kubecontrollermanagers kubeschedulers kubestorageversionmigrators machineconfigurations networks olms openshiftapiservers openshiftcontrollermanagers servicecas storages",
  "operators.coreos.com": "olmconfigs operators",
  "quota.openshift.io": "clusterresourcequotas",
  "rbac.authorization.k8s.io": "clusterrolebindings clusterroles",
  "samples.operator.openshift.io": "configs",
  "scheduling.k8s.io": "priorityclasses",
  "security.openshift.io": "securitycontextconstraints",
  "storage.k8s.io": "csidrivers csinodes storageclasses volumeattachments volumeattributesclasses",
};

const NAMESPACED: Readonly<Record<string, string>> = {
  "": "configmaps endpoints events limitranges persistentvolumeclaims pods podtemplates replicationcontrollers resourcequotas secrets serviceaccounts services",
  apps: "controllerrevisions daemonsets deployments replicasets statefulsets",
  autoscaling: "horizontalpodautoscalers",
  batch: "cronjobs jobs",
  "config.openshift.io": "imagepolicies",
  "coordination.k8s.io": "leases",
  "discovery.k8s.io": "endpointslices",
  "events.k8s.io": "events",
  "helm.openshift.io": "projecthelmchartrepositories",
  "machine.openshift.io": "controlplanemachinesets machinehealthchecks machines machinesets",
  "monitoring.coreos.com":
    "alertmanagerconfigs alertmanagers podmonitors probes prometheuses prometheusrules servicemonitors thanosrulers",
  "monitoring.openshift.io": "alertingrules alertrelabelconfigs",
  "networking.k8s.io": "ingresses networkpolicies",
  "operator.openshift.io": "ingresscontrollers",
  "operators.coreos.com":
    "catalogsources clusterserviceversions installplans operatorconditions operatorgroups subscriptions",
  policy: "poddisruptionbudgets",
  "rbac.authorization.k8s.io": "rolebindings roles",
  "route.openshift.io": "routes",
  "storage.k8s.io": "csistoragecapacities",
};

/** Whether objects of a kind belong to namespaces; undefined if that is known only where the kind is served. */
export function findKindScope({ group, resource }: Pick<Resource, "group" | "resource">): KindScope | undefined {
  if (isListed(CLUSTER, group, resource)) return "Cluster";
  return isListed(NAMESPACED, group, resource) ? "Namespaced" : undefined;
}

function isListed(table: Readonly<Record<string, string>>, group: string, resource: string): boolean {
  return Object.hasOwn(table, group) && (table[group] ?? "").split(" ").includes(resource);
}
