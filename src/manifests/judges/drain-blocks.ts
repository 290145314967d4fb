import { findDisruptionLimit } from "../../model/disruption-limit.ts";
import { type JsonObject, isObject, at, numberAt, objectAt, textAt } from "../../model/json.ts";
import type { ManifestFinding, ManifestSetJudge } from "../../model/manifest.ts";
import { type Selector, matchesRequirement, parseSelector } from "../../model/object.ts";
import { getGroup } from "../../model/resource.ts";

/** What has pods that a drain evicts. `replicas` is absent if the manifest leaves their number to others. */
type Workload = {
  readonly name: string;
  readonly namespace: string;
  readonly labels: JsonObject;
  readonly replicas?: number;
};

type WorkloadBudget = { readonly object: JsonObject; readonly namespace: string; readonly selector: Selector };

/** The budgets that never let a pod of a workload go that stands in the same manifests; what else there is in a cluster changes nothing of it. */
export const judgeDrainBlocks: ManifestSetJudge = (objects) => {
  const scaled = new Set(objects.flatMap(findScaled));
  const workloads = objects.flatMap((object) => findWorkload(object, scaled));
  const budgets = objects.flatMap(findBudget);
  return new Map(
    budgets.map((budget) => {
      const own = workloads.filter((workload) => selects(budget, workload));
      return [budget.object, [...findTooStrict(budget, own), ...findSecondBudget(budget, budgets, own)]];
    }),
  );
};

const SCALED = new Set(["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);

function findWorkload(object: JsonObject, scaled: ReadonlySet<string>): readonly Workload[] {
  const kind = textAt(object, "kind") ?? "";
  if (!SCALED.has(kind) || !isKubernetes(object)) return [];
  const namespace = getNamespace(object);
  const name = textAt(object, "metadata", "name") ?? "";
  const replicas = numberAt(object, "spec", "replicas");
  if (replicas === 0) return [];
  const isFixed = replicas !== undefined && !scaled.has(buildKey(kind, namespace, name));
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  return [{ name: `${kind} ${name}`, namespace, labels, ...(isFixed ? { replicas } : {}) }];
}

function isKubernetes(object: JsonObject): boolean {
  return ["", "apps", "autoscaling", "policy"].includes(getGroup(textAt(object, "apiVersion") ?? ""));
}

function getNamespace(object: JsonObject): string {
  return textAt(object, "metadata", "namespace") ?? "";
}

function buildKey(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

/** What an autoscaler gives its number of replicas. */
function findScaled(object: JsonObject): readonly string[] {
  if (textAt(object, "kind") !== "HorizontalPodAutoscaler" || !isKubernetes(object)) return [];
  const target = objectAt(object, "spec", "scaleTargetRef");
  return [buildKey(textAt(target, "kind") ?? "", getNamespace(object), textAt(target, "name") ?? "")];
}

function findBudget(object: JsonObject): readonly WorkloadBudget[] {
  if (textAt(object, "kind") !== "PodDisruptionBudget" || getGroup(textAt(object, "apiVersion") ?? "") !== "policy")
    return [];
  if (!isObject(at(object, "spec", "selector"))) return [];
  const selector = parseSelector(objectAt(object, "spec"), "selector");
  return [{ object, namespace: getNamespace(object), selector }];
}

function selects({ namespace, selector }: WorkloadBudget, workload: Workload): boolean {
  if (namespace !== workload.namespace) return false;
  return selector.every((one) => matchesRequirement(one, textAt(workload.labels, one.key)));
}

function findTooStrict({ object }: WorkloadBudget, own: readonly Workload[]): readonly ManifestFinding[] {
  const limit = findDisruptionLimit(object);
  const [first] = own;
  if (limit === undefined || first === undefined) return [];
  const { field, amount, isPercent } = limit;
  const written = `${field}: ${amount}${isPercent ? "%" : ""}`;
  const never = field === "maxUnavailable" ? amount === 0 : isPercent && amount >= 100;
  if (!never && !requiresAll(limit, own)) return [];
  const replicas = never ? "" : ` of ${own.reduce((sum, one) => sum + (one.replicas ?? 0), 0)}`;
  return [
    {
      risk: "DrainBlockedByDisruptionBudget",
      effect: "blocks",
      path: ["spec", field],
      message: `With ${written}${replicas}, it never lets a pod of ${first.name} be evicted, so the drain of a node hangs.`,
      // Another replica changes nothing where no pod may ever be missing.
      remedy: never ? "Write maxUnavailable: 1 instead." : "Write maxUnavailable: 1 instead, or add a replica.",
    },
  ];
}

/** A percentage of pods is rounded up. */
function requiresAll(
  { field, amount, isPercent }: { readonly field: string; readonly amount: number; readonly isPercent: boolean },
  own: readonly Workload[],
): boolean {
  if (field === "maxUnavailable" || own.some(({ replicas }) => replicas === undefined)) return false;
  const pods = own.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return (isPercent ? Math.ceil((amount * pods) / 100) : amount) >= pods;
}

function findSecondBudget(
  budget: WorkloadBudget,
  budgets: readonly WorkloadBudget[],
  own: readonly Workload[],
): readonly ManifestFinding[] {
  for (const workload of own) {
    const other = budgets.find((one) => one !== budget && selects(one, workload));
    if (other === undefined) continue;
    const name = textAt(other.object, "metadata", "name") ?? "";
    return [
      {
        risk: "PodsInSeveralDisruptionBudgets",
        effect: "blocks",
        path: ["spec", "selector"],
        message: `The pods of ${workload.name} belong to PodDisruptionBudget ${name} too, and the API server evicts no pod with two.`,
        remedy: "Leave out one of the two budgets, or write selectors so that no pod belongs to both.",
      },
    ];
  }
  return [];
}
