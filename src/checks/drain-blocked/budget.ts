import type { Requirement } from "../../model/object.ts";
import { findConditionIn, parseSelector as parseRequirements, matchesRequirement } from "../../model/object.ts";
import { type DisruptionLimit, findDisruptionLimit } from "../../model/disruption-limit.ts";
import type { JsonObject } from "../../model/json.ts";
import { at, numberAt, objectAt, textAt, compareText, isObject, listAt } from "../../model/json.ts";
import { type ObjectRef, getGroup } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";
import { sortNames } from "../../model/text.ts";

export type Budget = {
  readonly namespace: string;
  readonly name: string;
  readonly selector: RequirementTexts;
  readonly manager?: Manager;
  /** Absent if the budget allows a disruption now. */
  readonly state?: BudgetState;
};

/** What the eviction API and the disruption controller hold of a budget that allows no disruption now. */
export type BudgetState = {
  readonly limit?: DisruptionLimit;
  /** Absent if the status lacks them. */
  readonly numbers?: {
    /** The replicas of the pods' controllers; under a number in minAvailable, all pods, ended ones included. */
    readonly expectedPods: number;
    readonly desiredHealthy: number;
  };
  readonly currentHealthy: number;
  /** Whether the status covers an earlier spec, or none yet. */
  readonly isStale: boolean;
  /** Whether unhealthyPodEvictionPolicy is AlwaysAllow. */
  readonly alwaysAllows: boolean;
  /** Since when the condition DisruptionAllowed is False, in milliseconds since 1970. */
  readonly refusedSince?: number;
  /** Why the disruption controller can't compute the budget. */
  readonly failure?: string;
};

export function parseBudget(object: JsonObject): Budget {
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    selector: parseSelector(objectAt(object, "spec")),
    manager: findManager(object),
    state: parseState(object),
  };
}

export function refOfBudget({ namespace, name }: Budget): ObjectRef {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace, name };
}

/** The path of the limit in spec. */
export function getLimitPath({ state }: Budget): string | undefined {
  return state?.limit && `spec.${state.limit.field}`;
}

/** Whether the limit counts the replicas of controllers; a number in minAvailable counts pods instead. */
export function countsReplicas({ limit }: BudgetState): boolean {
  return limit === undefined || limit.field === "maxUnavailable" || limit.isPercent;
}

/** The eviction API looks at nothing but the age of the status and this number before it allows a healthy pod to go. */
function parseState(object: JsonObject): BudgetState | undefined {
  const status = objectAt(object, "status");
  const isStale = (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0);
  const allowed = numberAt(status, "disruptionsAllowed");
  if (!isStale && (allowed ?? 0) > 0) return undefined;
  const expectedPods = numberAt(status, "expectedPods");
  const desiredHealthy = numberAt(status, "desiredHealthy");
  const condition = findConditionIn(status, "DisruptionAllowed");
  const isRefused = textAt(condition, "status") === "False";
  const hasFailed = isRefused && textAt(condition, "reason") === "SyncFailed";
  return {
    currentHealthy: numberAt(status, "currentHealthy") ?? 0,
    isStale,
    alwaysAllows: textAt(object, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow",
    limit: findDisruptionLimit(object),
    numbers:
      expectedPods === undefined || desiredHealthy === undefined || allowed === undefined
        ? undefined
        : { expectedPods, desiredHealthy },
    refusedSince: isRefused ? parseTimestamp(textAt(condition, "lastTransitionTime")) : undefined,
    failure: hasFailed ? textAt(condition, "message") || "no reason reported" : undefined,
  };
}

/** What the disruption controller's failure is about: a pod by its name, or a controller's resource, such as jobs of batch. */
type FailureSubject =
  | { readonly kind: "pod"; readonly name: string }
  | { readonly kind: "resource"; readonly plural: string; readonly group: string };

/** Undefined for other failures, such as an API that is not served. */
export function parseFailureSubject(message: string): FailureSubject | undefined {
  const name = /^found no controllers for pod "(.*)"$/.exec(message)?.[1];
  if (name !== undefined) return { kind: "pod", name };
  const [, plural, group = ""] = /^([^. ]+)\.?(\S*) does not implement the scale/.exec(message) ?? [];
  return plural === undefined ? undefined : { kind: "resource", plural, group };
}

/** Whether the failure is about this pod and its controller. */
export function isFailureOfPod(message: string, pod: JsonObject, controller: JsonObject | undefined): boolean {
  const subject = parseFailureSubject(message);
  if (subject === undefined || controller === undefined) return false;
  if (subject.kind === "pod") return subject.name === textAt(pod, "metadata", "name");
  const kind = (textAt(controller, "kind") ?? "").toLowerCase();
  const group = /^(.*)\//.exec(textAt(controller, "apiVersion") ?? "")?.[1] ?? "";
  return subject.group === group && subject.plural.startsWith(kind.replace(/y$/, ""));
}

/** The requirements of a label selector, "KEY OPERATOR VALUE,VALUE" each; none select all pods of the namespace, undefined selects no pod. */
export type RequirementTexts = readonly string[] | undefined;

/** Both spellings of a requirement give the same text. */
export function parseSelector(spec: JsonObject): RequirementTexts {
  return isObject(at(spec, "selector"))
    ? sortNames(parseRequirements(spec, "selector").map(formatRequirement))
    : undefined;
}

/** Keys and values of labels contain neither spaces nor commas. */
function formatRequirement({ key, operator, values }: Requirement): string {
  return [key, operator, values.toSorted(compareText).join(",")].join(" ");
}

export function parseRequirement(text: string): Requirement {
  const [key = "", operator = "", values = ""] = text.split(" ");
  return { key, operator, values: values.split(",") };
}

/** Whether no pod can have the labels that both selectors require. False if that can't be told. */
export function areDisjoint(one: RequirementTexts, other: RequirementTexts): boolean {
  if (one === undefined || other === undefined) return true;
  const others = other.map(parseRequirement);
  return one.map(parseRequirement).some((a) => others.some((b) => a.key === b.key && contradicts(a, b)));
}

function contradicts(a: Requirement, b: Requirement): boolean {
  if (a.operator === "DoesNotExist") return b.operator === "In" || b.operator === "Exists";
  if (b.operator === "DoesNotExist") return contradicts(b, a);
  return a.operator === "In" && b.operator === "In" && !a.values.some((value) => b.values.includes(value));
}

/** The positions of the selectors that select a pod with these labels, in ascending order. */
export type SelectorIndex = (labels: JsonObject) => readonly number[];

/** Compares a pod only with selectors that require one of its labels: a namespace with thousands of both has too many pairs. */
export function buildSelectorIndex(selectors: readonly RequirementTexts[]): SelectorIndex {
  const byLabel = new Map<string, number[]>();
  const others: number[] = [];
  for (const [i, selector = []] of selectors.entries()) {
    const first = selector.map(parseRequirement).find(({ operator }) => operator === "In");
    if (first === undefined) others.push(i);
    else for (const value of new Set(first.values)) addTo(byLabel, `${first.key} ${value}`, i);
  }
  return (labels) => {
    const candidates = Object.entries(labels).flatMap(([key, value]) =>
      typeof value === "string" ? (byLabel.get(`${key} ${value}`) ?? []) : [],
    );
    const meets = (text: string): boolean => {
      const requirement = parseRequirement(text);
      return matchesRequirement(requirement, textAt(labels, requirement.key));
    };
    const matches = (i: number): boolean => selectors[i]?.every(meets) ?? false;
    return [...others, ...candidates].filter(matches).toSorted((a, b) => a - b);
  };
}

function addTo(groups: Map<string, number[]>, key: string, item: number): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** An operator that creates or relaxes its budgets itself while nodes are drained. */
type Manager = {
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

function findManager(object: JsonObject): Manager | undefined {
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
