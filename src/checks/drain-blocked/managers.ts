import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";

/** An operator that makes or loosens its budgets by itself while nodes are drained. */
export type Manager = {
  readonly name: string;
  /** What it does when a node is drained, after "it". */
  readonly does: string;
};

const ROOK: Manager = {
  name: "Rook (OpenShift Data Foundation)",
  does: "lifts them one failure domain after the other",
};
const VIRT: Manager = {
  name: "KubeVirt (OpenShift Virtualization)",
  does: "migrates their virtual machines away, which only machines that can't be migrated hold up",
};
const POSTGRES: Manager = {
  name: "CloudNativePG",
  does: "moves the primary to another instance first, which takes more than one instance",
};
const ELASTIC: Manager = { name: "Elastic Cloud on Kubernetes", does: "loosens them whenever its cluster is healthy" };
const GUARD: Manager = {
  name: "the guard of OpenShift's control plane",
  does: "waits until the control plane node that restarts is back",
};
const STRIMZI: Manager = { name: "Strimzi", does: "rolls the pods itself where its Drain Cleaner is installed" };
const LONGHORN: Manager = {
  name: "Longhorn",
  does: "removes them when its volumes are safe, by its node drain policy",
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

const MANAGERS = [ROOK, VIRT, POSTGRES, ELASTIC, GUARD, STRIMZI, LONGHORN];

export function findManagerByName(name: string | undefined): Manager | undefined {
  return MANAGERS.find((manager) => manager.name === name);
}

/** The namespaces of the control plane's static pods. */
const GUARDED_NAMESPACE = /^openshift-(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)$/;

export function findManager(object: JsonObject): Manager | undefined {
  const owners = listAt(object, "metadata", "ownerReferences");
  const managers = owners.map((owner) => {
    const group = (textAt(owner, "apiVersion") ?? "").split("/")[0] ?? "";
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
 * Each static pod of the control plane has a guard pod, which nobody makes again while its node is cordoned: with three nodes there are two
 * pods then, and their budget keeps two. It has no owner.
 */
function isGuardBudget(object: JsonObject): boolean {
  const [namespace, name] = [textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
  return GUARDED_NAMESPACE.test(namespace ?? "") && (name ?? "").endsWith("-guard-pdb");
}

/** Longhorn's budgets, one for each of its instance managers, have no owner. */
function isLonghornBudget(object: JsonObject): boolean {
  const labels = objectAt(object, "spec", "selector", "matchLabels");
  return labels["longhorn.io/component"] === "instance-manager";
}

/** KubeVirt answers evictions of its pods itself, before any budget is asked. */
export function answersEvictions(manager: Manager | undefined): boolean {
  return manager === VIRT;
}
