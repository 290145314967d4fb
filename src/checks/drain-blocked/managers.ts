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

export function managerOf(object: JsonObject): Manager | undefined {
  const owners = listAt(object, "metadata", "ownerReferences");
  const known = owners.map((owner) => {
    const group = (textAt(owner, "apiVersion") ?? "").split("/")[0] ?? "";
    if (group === "kubevirt.io" && textAt(owner, "kind") === "VirtualMachineInstance") return VIRT;
    return OWNERS.get(group);
  });
  return known.find((manager) => manager !== undefined) ?? (isLonghorns(object) ? LONGHORN : undefined);
}

/** Longhorn's budgets, one for each of its instance managers, have no owner. */
function isLonghorns(object: JsonObject): boolean {
  const labels = objectAt(object, "spec", "selector", "matchLabels");
  return labels["longhorn.io/component"] === "instance-manager";
}

/** KubeVirt answers evictions of its pods itself, before any budget is asked. */
export function answersEvictions(manager: Manager | undefined): boolean {
  return manager === VIRT;
}
