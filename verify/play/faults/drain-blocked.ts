import { type JsonObject, listAt, textAt } from "../../../src/model/json.ts";
import { findCondition } from "../../../src/model/object.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import {
  DRAIN_NAMESPACE,
  getBudgetsPath,
  getPodsPath,
  isReadyPod,
  listSelected,
  plantDrains,
  setPhase,
  waitForBudgets,
} from "./drains.ts";
import { getName, list, listNamespaces } from "./objects.ts";

/** Budgets over real workloads: evictions are asked for now, and again once every pod is healthy. */
export const blockedDrains: PlantedFault = {
  check: "drain-blocked",
  name: "budgets that keep pods",
  risks: [
    "DisruptionBudgetExhausted",
    "DisruptionBudgetNotComputed",
    "DrainBlockedByDisruptionBudget",
    "PodsInSeveralDisruptionBudgets",
  ],
  applies: () => true,
  plant: plantDrains,
  async observe(world) {
    const fates: Fate[] = [];
    for (const namespace of await listNamespaces(world, DRAIN_NAMESPACE))
      fates.push(...(await observeNamespace(world, namespace)));
    return fates;
  },
};

async function observeNamespace(world: PlayedWorld, namespace: string): Promise<readonly Fate[]> {
  const budgets = await list(world, getBudgetsPath(namespace));
  const now = await evictAll(world, namespace);
  for (const pod of await list(world, getPodsPath(namespace)))
    if (!isReadyPod(pod) && textAt(pod, "status", "phase") !== "Failed")
      await setPhase(world, `${getPodsPath(namespace)}/${getName(pod)}`, "Running", true);
  await waitForBudgets(world, namespace);
  const healthy = await evictAll(world, namespace);
  const fates: Fate[] = [];
  for (const budget of budgets) {
    const pods = new Set((await listSelected(world, namespace, budget)).map(getName));
    const risk = findRisk(budget, selectOf(now, pods, budget), selectOf(healthy, pods, budget));
    const object = `PodDisruptionBudget ${namespace}/${getName(budget)}`;
    if (risk !== undefined) fates.push({ risk, object, effect: "evictionRefused" });
  }
  return fates;
}

/** Why the API server refuses an eviction; `budget` is the name that it tells. */
type Refusal = { readonly pod: string; readonly kind: "budget" | "failed" | "several"; readonly budget: string };

async function evictAll(world: PlayedWorld, namespace: string): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const pod of await list(world, getPodsPath(namespace))) {
    const refusal = isOfDaemonSet(pod) ? undefined : await evict(world, namespace, getName(pod));
    if (refusal !== undefined) refusals.push(refusal);
  }
  return refusals;
}

/** A drain leaves these where they are. */
function isOfDaemonSet(pod: JsonObject): boolean {
  return listAt(pod, "metadata", "ownerReferences").some((owner) => textAt(owner, "kind") === "DaemonSet");
}

async function evict({ api }: PlayedWorld, namespace: string, pod: string): Promise<Refusal | undefined> {
  const path = `${getPodsPath(namespace)}/${pod}/eviction?dryRun=All`;
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name: pod } };
  const { code, body } = await api.attempt("POST", path, eviction);
  if (code === 201 && textAt(body, "status") !== "Failure") return undefined;
  const message = `${textAt(body, "message") ?? ""} ${textAt(body, "details", "causes", 0, "message") ?? ""}`;
  if (/more than one PodDisruptionBudget/.test(message)) return { pod, kind: "several", budget: "" };
  const budget = /disruption budget (\S+) /i.exec(message)?.[1];
  if (code !== 429 || budget === undefined) throw new Error(`eviction of ${namespace}/${pod}: ${code} ${message}`);
  // The status of a budget that was never computed covers no generation.
  return { pod, kind: /failed sync|being processed/.test(message) ? "failed" : "budget", budget };
}

/** The refusals for a budget's pods, by the budget's name or by all of theirs. */
function selectOf(refusals: readonly Refusal[], pods: ReadonlySet<string>, budget: JsonObject): readonly Refusal[] {
  return refusals.filter(
    ({ pod, kind, budget: name }) => pods.has(pod) && (kind === "several" || name === getName(budget)),
  );
}

/** What may end by itself counts only once it has lasted as long as the risk says. */
function findRisk(budget: JsonObject, now: readonly Refusal[], healthy: readonly Refusal[]): string | undefined {
  if (now.some(({ kind }) => kind === "several")) return "PodsInSeveralDisruptionBudgets";
  const since = textAt(findCondition(budget, "DisruptionAllowed"), "lastTransitionTime") ?? "";
  const minutes = (Date.now() - new Date(since).getTime()) / 60_000;
  if ([...now, ...healthy].some(({ kind }) => kind === "failed"))
    return minutes >= 10 ? "DisruptionBudgetNotComputed" : undefined;
  if (healthy.length > 0) return "DrainBlockedByDisruptionBudget";
  return now.length > 0 && minutes >= 120 ? "DisruptionBudgetExhausted" : undefined;
}
