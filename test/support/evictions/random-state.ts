import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Random } from "../../../verify/schema/random/random.ts";
import { syncBudget } from "./disruption-controller.ts";
import {
  type DrainState,
  type PodController,
  type PodState,
  type TestBudget,
  type TestPod,
  hasScale,
} from "./state.ts";

/** A namespace with random controllers, pods and budgets, whose statuses the disruption controller wrote sooner or later. */
export function buildRandomState(random: Random, namespace: string, now: Date): DrainState {
  const controllers = Array.from({ length: random.below(4) }, (_, i) => buildController(random, `${namespace}-c${i}`));
  const pods = [
    ...controllers.flatMap((controller, i) => buildManagedPods(random, controller, `c${i}`)),
    ...Array.from({ length: random.chance(0.3) ? 1 + random.below(2) : 0 }, (_, i) =>
      buildPod(random, `bare-${i}`, pickLabels(random), i),
    ),
  ];
  const budgets = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, (_, i) =>
    buildBudget(random, `b${i}`, pods, now),
  );
  return { namespace, controllers, pods, budgets };
}

function buildController(random: Random, uid: string): PodController {
  const kind = random.pick<PodController["kind"]>([
    "ReplicaSet",
    "ReplicaSet",
    "ReplicaSet",
    "StatefulSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "Gone",
  ]);
  return { kind, uid, replicas: random.pick([0, 1, 1, 2, 2, 3, 3, 4]) };
}

function buildManagedPods(random: Random, controller: PodController, prefix: string): readonly TestPod[] {
  const labels = pickLabels(random);
  const change = random.pick([0, 0, 0, 0, -1, 1]);
  const count = Math.max(hasScale(controller) ? 0 : 1, controller.replicas + change);
  return Array.from({ length: count }, (_, i) => ({ ...buildPod(random, `${prefix}-${i}`, labels, i), controller }));
}

function pickLabels(random: Random): Readonly<Record<string, string>> {
  return { app: random.pick(["a", "a", "b"]), ...(random.chance(0.7) ? { tier: random.pick(["x", "y"]) } : {}) };
}

function buildPod(random: Random, name: string, labels: TestPod["labels"], index: number): TestPod {
  const state = random.chance(0.7)
    ? "healthy"
    : random.pick<PodState>(["unhealthy", "unhealthy", "pending", "Failed", "Succeeded", "deleting"]);
  return { name, labels: { ...labels, index: String(index) }, state };
}

/** Specs that nobody computed yet, statuses of earlier specs, and failures before and after a success. */
function buildBudget(random: Random, name: string, pods: readonly TestPod[], now: Date): TestBudget {
  const spec = buildSpec(random);
  const minutes = random.pick([1, 9, 11, 119, 121, 300]);
  const since = new Date(now.getTime() - minutes * 60_000).toISOString().replace(/\.\d+Z$/, "Z");
  const empty = { expectedPods: 0, desiredHealthy: 0, currentHealthy: 0, disruptionsAllowed: 0 };
  const sync = (syncedSpec: JsonObject, status: JsonObject, syncedPods = pods): JsonObject =>
    syncBudget({ spec: syncedSpec, generation: 1, status }, syncedPods, since);
  const computable = pods.filter(({ controller }) => controller === undefined || hasScale(controller));
  switch (random.pick(["fresh", "fresh", "fresh", "fresh", "fresh", "failedLater", "stale", "never"])) {
    case "never":
      return { name, spec, generation: 1, status: empty };
    case "stale": {
      const earlier = random.chance(0.5)
        ? { ...pickLimit(random), selector: spec["selector"] ?? {} }
        : buildSpec(random);
      return { name, spec, generation: 2, status: sync(earlier, empty) };
    }
    case "failedLater":
      return { name, spec, generation: 1, status: sync(spec, sync(spec, empty, computable)) };
    default:
      return { name, spec, generation: 1, status: sync(spec, empty) };
  }
}

function buildSpec(random: Random): JsonObject {
  const policy = random.pick([undefined, undefined, "IfHealthyBudget", "AlwaysAllow"]);
  return {
    selector: buildSelector(random),
    ...pickLimit(random),
    ...(policy === undefined ? {} : { unhealthyPodEvictionPolicy: policy }),
  };
}

function buildSelector(random: Random): JsonObject {
  const expression = (key: string, operator: string, values?: readonly string[]): JsonObject => ({
    matchExpressions: [{ key, operator, ...(values ? { values } : {}) }],
  });
  return random.pick<JsonObject>([
    { matchLabels: { app: "a" } },
    { matchLabels: { app: "a" } },
    { matchLabels: { app: "b" } },
    { matchLabels: { app: "a", tier: "x" } },
    { matchLabels: { tier: "y" } },
    expression("app", "In", ["a", "b"]),
    expression("index", "In", ["0", "1"]),
    { matchLabels: { app: "a" }, ...expression("index", "NotIn", ["0"]) },
    expression("tier", "Exists"),
    expression("tier", "DoesNotExist"),
    {},
  ]);
}

function pickLimit(random: Random): JsonObject {
  return random.chance(0.5)
    ? { maxUnavailable: random.pick<Json>([0, 0, 1, 1, 1, 2, "0%", "1%", "50%", "100%"]) }
    : { minAvailable: random.pick<Json>([0, 1, 1, 2, 2, 3, 4, "0%", "50%", "67%", "100%"]) };
}
