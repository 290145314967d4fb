import type { Resource } from "../../model/resource.ts";

export type KindScope = "Cluster" | "Namespaced";

/** The custom resources of OpenShift that checks are most often about, by their groups. */
const CLUSTER: Readonly<Record<string, string>> = {
  "apiserver.openshift.io": "apirequestcounts",
  "config.openshift.io":
    "apiservers authentications builds clusterimagepolicies clusteroperators clusterversions consoles dnses featuregates imagecontentpolicies imagedigestmirrorsets images imagetagmirrorsets infrastructures ingresses networks nodes oauths operatorhubs projects proxies schedulers",
  "console.openshift.io":
    "consoleclidownloads consoleexternalloglinks consolelinks consolenotifications consoleplugins consolequickstarts consolesamples consoleyamlsamples",
  "helm.openshift.io": "helmchartrepositories",
  "imageregistry.operator.openshift.io": "configs imagepruners",
  "machineconfiguration.openshift.io":
    "containerruntimeconfigs controllerconfigs kubeletconfigs machineconfignodes machineconfigpools machineconfigs machineosbuilds machineosconfigs pinnedimagesets",
  "operator.openshift.io":
    "authentications cloudcredentials clustercsidrivers configs consoles csisnapshotcontrollers dnses etcds imagecontentsourcepolicies ingresses insightsoperators kubeapiservers kubecontrollermanagers kubeschedulers kubestorageversionmigrators machineconfigurations networks olms openshiftapiservers openshiftcontrollermanagers servicecas storages",
  "operators.coreos.com": "olmconfigs operators",
  "quota.openshift.io": "clusterresourcequotas",
  "samples.operator.openshift.io": "configs",
  "security.openshift.io": "securitycontextconstraints",
};

const NAMESPACED: Readonly<Record<string, string>> = {
  "config.openshift.io": "imagepolicies",
  "helm.openshift.io": "projecthelmchartrepositories",
  "machine.openshift.io": "controlplanemachinesets machinehealthchecks machines machinesets",
  "monitoring.coreos.com":
    "alertmanagerconfigs alertmanagers podmonitors probes prometheuses prometheusrules servicemonitors thanosrulers",
  "monitoring.openshift.io": "alertingrules alertrelabelconfigs",
  "operator.openshift.io": "ingresscontrollers",
  "operators.coreos.com":
    "catalogsources clusterserviceversions installplans operatorconditions operatorgroups subscriptions",
  "route.openshift.io": "routes",
};

/** Whether objects of a custom resource belong to namespaces; undefined if that is known only where the kind is served. */
export function findKindScope({ group, resource }: Pick<Resource, "group" | "resource">): KindScope | undefined {
  if (isListed(CLUSTER, group, resource)) return "Cluster";
  return isListed(NAMESPACED, group, resource) ? "Namespaced" : undefined;
}

function isListed(table: Readonly<Record<string, string>>, group: string, resource: string): boolean {
  return Object.hasOwn(table, group) && (table[group] ?? "").split(" ").includes(resource);
}
