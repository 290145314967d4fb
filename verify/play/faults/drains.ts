import { type JsonObject, numberAt, objectAt, textAt } from "../../../src/model/json.ts";
import { findCondition } from "../../../src/model/object.ts";
import { eventually } from "../../shared/eventually.ts";
import type { PlayedWorld } from "../fault.ts";
import { buildDrains, type Drain, LABELS } from "./drain-kinds.ts";
import { backdateConditions, changeStatus, createNamespace, getName, list, must } from "./objects.ts";

export const DRAIN_NAMESPACE = "play-drain-";

/** Plants every kind of drain in a namespace of its own, and waits for the statuses that the disruption controller writes. */
export async function plantDrains(world: PlayedWorld): Promise<void> {
  const drains = buildDrains(world.random);
  await Promise.all(drains.map((drain, i) => plantDrain(world, `${DRAIN_NAMESPACE}${i}-${drain.name}`, drain)));
}

async function plantDrain(world: PlayedWorld, namespace: string, drain: Drain): Promise<void> {
  await createNamespace(world, namespace);
  await createPods(world, namespace, drain);
  const pods = await list(world, getPodsPath(namespace));
  for (const [i, pod] of pods.entries()) {
    const path = `${getPodsPath(namespace)}/${getName(pod)}`;
    if (i < drain.marked) await must(world, "PATCH", path, { metadata: { labels: { part: "first" } } });
    const isFailed = i >= drain.pods - drain.failed;
    await setPhase(world, path, isFailed ? "Failed" : "Running", !isFailed && i >= drain.unhealthy);
  }
  for (const [i, spec] of drain.budgets.entries())
    await must(world, "POST", getBudgetsPath(namespace), {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: `budget-${i}` },
      spec,
    });
  await waitForBudgets(world, namespace);
  if (drain.refusedMinutes === 0) return;
  for (const budget of await list(world, getBudgetsPath(namespace)))
    await backdateConditions(world, `${getBudgetsPath(namespace)}/${getName(budget)}`, drain.refusedMinutes);
}

async function createPods(world: PlayedWorld, namespace: string, { owner, pods }: Drain): Promise<void> {
  const metadata = { name: "web", labels: LABELS };
  const spec = { nodeName: "worker-0.demo.example.com", containers: [{ name: "web", image: "example.com/web" }] };
  const template = { metadata: { labels: LABELS }, spec };
  const selector = { matchLabels: LABELS };
  if (owner === "ReplicaSet" || owner === "StatefulSet") {
    const more: JsonObject = owner === "StatefulSet" ? { serviceName: "web", podManagementPolicy: "Parallel" } : {};
    await must(world, "POST", `/apis/apps/v1/namespaces/${namespace}/${owner.toLowerCase()}s`, {
      apiVersion: "apps/v1",
      kind: owner,
      metadata,
      spec: { replicas: pods, selector, template, ...more },
    });
    return eventually(async () => {
      if ((await list(world, getPodsPath(namespace))).length !== pods) throw new Error(`${namespace} lacks pods`);
    });
  }
  const ownerReferences = await createOwner(world, namespace, owner, { metadata, selector, template });
  for (let i = 0; i < pods; i += 1)
    await must(world, "POST", getPodsPath(namespace), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `web-${i}`, labels: LABELS, ownerReferences },
      spec,
    });
}

type OwnerParts = { readonly metadata: JsonObject; readonly selector: JsonObject; readonly template: JsonObject };

/** Owners whose controllers don't run here. */
async function createOwner(
  world: PlayedWorld,
  namespace: string,
  owner: "Job" | "DaemonSet" | "none",
  { metadata, selector, template }: OwnerParts,
): Promise<readonly JsonObject[]> {
  if (owner === "none") return [];
  const [apiVersion, plural] = owner === "Job" ? ["batch/v1", "jobs"] : ["apps/v1", "daemonsets"];
  const jobTemplate = { ...template, spec: { ...objectAt(template, "spec"), restartPolicy: "Never" } };
  const spec: JsonObject = owner === "Job" ? { suspend: true, template: jobTemplate } : { selector, template };
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
  const uid = textAt(await must(world, "POST", path, { apiVersion, kind: owner, metadata, spec }), "metadata", "uid");
  return [{ apiVersion, kind: owner, name: getName({ metadata }), uid: uid ?? "", controller: true }];
}

export function setPhase(
  world: Pick<PlayedWorld, "api">,
  path: string,
  phase: "Running" | "Failed",
  isReady: boolean,
): Promise<void> {
  const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }];
  return changeStatus(world, path, (status) => ({ ...status, phase, conditions }));
}

/** Waits until the disruption controller has counted the ready pods of every budget, or has failed to. */
export function waitForBudgets(world: Pick<PlayedWorld, "api">, namespace: string): Promise<void> {
  return eventually(async () => {
    for (const budget of await list(world, getBudgetsPath(namespace))) {
      const ready = (await listSelected(world, namespace, budget)).filter(isReadyPod).length;
      const reason = textAt(findCondition(budget, "DisruptionAllowed"), "reason");
      const isCounted = reason !== undefined && numberAt(budget, "status", "currentHealthy") === ready;
      if (reason !== "SyncFailed" && !isCounted) throw new Error(`${namespace}/${getName(budget)} is not computed`);
    }
  });
}

/** The pods that a budget selects, as the API server matches their labels. */
export function listSelected(
  world: Pick<PlayedWorld, "api">,
  namespace: string,
  budget: JsonObject,
): Promise<readonly JsonObject[]> {
  const labels = objectAt(budget, "spec", "selector", "matchLabels");
  const selector = Object.keys(labels)
    .map((key) => `${key}=${textAt(labels, key) ?? ""}`)
    .join();
  return list(world, `${getPodsPath(namespace)}?labelSelector=${encodeURIComponent(selector)}`);
}

export function isReadyPod(pod: JsonObject): boolean {
  return textAt(findCondition(pod, "Ready"), "status") === "True";
}

export function getPodsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}

export function getBudgetsPath(namespace: string): string {
  return `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
}
