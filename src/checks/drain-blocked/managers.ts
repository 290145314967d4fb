import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { getGroup } from "../../model/resource.ts";

/** An operator that creates or relaxes its budgets itself while nodes are drained. */
export type Manager = {
  readonly name: string;
  /** The verb phrase after "When a node is drained, NAME". */
  readonly action: string;
};

const ROOK: Manager = {
  name: "Rook (OpenShift Data Foundation)",
  action: "lifts its budgets one failure domain at a time",
};
const VIRT: Manager = {
  name: "KubeVirt (OpenShift Virtualization)",
  action: "migrates its virtual machines to other nodes, and only machines that can't migrate stall the drain",
};
const POSTGRES: Manager = {
  name: "CloudNativePG",
  action: "moves the primary to another instance first, which requires more than one instance",
};
const ELASTIC: Manager = {
  name: "Elastic Cloud on Kubernetes",
  action: "relaxes its budgets whenever its cluster is healthy",
};
const GUARD: Manager = {
  name: "the guard of OpenShift's control plane",
  action: "makes the drain wait until the control-plane node that restarts is back",
};
const STRIMZI: Manager = { name: "Strimzi", action: "rolls the pods itself if its Drain Cleaner is installed" };
const LONGHORN: Manager = {
  name: "Longhorn",
  action: "removes its budgets once its volumes are safe, according to its node drain policy",
};

/** Owners by their API group. */
const OWNERS: ReadonlyMap<string, Manager> = new Map([
  ["ceph.rook.io", ROOK],
  ["core.strimzi.io", STRIMZI],
  ["elasticsearch.k8s.elastic.co", ELASTIC],
  ["kafka.strimzi.io", STRIMZI],
  ["postgresql.cnpg.io", POSTGRES],
  ["postgresql.cnpg.noobaa.io", POSTGRES],
]);

/** The namespaces of the control plane's static pods that have guards. */
const GUARDED_NAMESPACE = /^openshift-(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)$/;

export function findManager(object: JsonObject): Manager | undefined {
  const owners = listAt(object, "metadata", "ownerReferences");
  const managers = owners.map((owner) => {
    const group = getGroup(textAt(owner, "apiVersion") ?? "");
    if (group === "kubevirt.io" && textAt(owner, "kind") === "VirtualMachineInstance") return VIRT;
    return OWNERS.get(group);
  });
  return managers.find((manager) => manager !== undefined) ?? findManagerWithoutOwner(object);
}

function findManagerWithoutOwner(object: JsonObject): Manager | undefined {
  if (isGuardBudget(object)) return GUARD;
  return isLonghornBudget(object) ? LONGHORN : undefined;
}

/**
 * Each static pod of the control plane has a guard pod, which is not recreated while its node is cordoned: of three pods, two are left,
 * and their budget requires two. The budget has no owner.
 */
function isGuardBudget(object: JsonObject): boolean {
  const namespace = textAt(object, "metadata", "namespace");
  const name = textAt(object, "metadata", "name");
  return GUARDED_NAMESPACE.test(namespace ?? "") && (name ?? "").endsWith("-guard-pdb");
}

/** Longhorn's budgets, one for each of its instance managers, have no owner. */
function isLonghornBudget(object: JsonObject): boolean {
  const labels = objectAt(object, "spec", "selector", "matchLabels");
  return labels["longhorn.io/component"] === "instance-manager";
}

/** KubeVirt's webhook answers evictions of its pods before the API server reads any budget. */
export function answersEvictions(manager: Manager | undefined): boolean {
  return manager === VIRT;
}
