import type { JsonObject } from "../../../src/model/json.ts";
import type { Random } from "../../schema/random/random.ts";
import { repeat } from "./objects.ts";

/** The pods of a namespace and the budgets over them. */
export type Drain = {
  readonly name: string;
  /** ReplicaSets and StatefulSets are played by their real controllers. */
  readonly owner: "ReplicaSet" | "StatefulSet" | "Job" | "DaemonSet" | "none";
  readonly pods: number;
  readonly unhealthy: number;
  /** As many have ended; only those without a controller stay then. */
  readonly failed: number;
  /** As many pods have a label of their own. */
  readonly marked: number;
  readonly budgets: readonly JsonObject[];
  /** For how long the budgets seem to have allowed nothing. */
  readonly refusedMinutes: number;
};

export const LABELS = { app: "web" };

const selector = { matchLabels: LABELS };
const HOURS = 180;

/** So many are made up beside those with a name. */
const RANDOM_DRAINS = 10;

/** One or two of each kind and some of none: what blocks a drain, and what looks as if it did. */
export function buildDrains(random: Random): readonly Drain[] {
  const builders = [...repeat(random, KINDS), ...Array.from({ length: RANDOM_DRAINS }, () => buildAny)];
  return builders.map((build) => build(random));
}

type DrainParts = Partial<Omit<Drain, "name" | "budgets">> & { readonly pods: number };

function buildDrain(name: string, random: Random, parts: DrainParts, ...limits: readonly JsonObject[]): Drain {
  const owner = random.pick(["ReplicaSet", "StatefulSet"] as const);
  const budgets = limits.map((limit) => ({ selector, ...limit }));
  return { name, owner, unhealthy: 0, failed: 0, marked: 0, refusedMinutes: 0, ...parts, budgets };
}

function pickMany(random: Random): number {
  return 2 + random.below(4);
}

const KINDS: readonly ((random: Random) => Drain)[] = [
  (random) => buildDrain("single", random, { pods: 1 }, { minAvailable: 1 }),
  (random) => {
    const pods = pickMany(random);
    return buildDrain(
      "all",
      random,
      { pods },
      { minAvailable: random.pick<number | string>([pods, pods + 1, "100%", "99%"]) },
    );
  },
  (random) =>
    buildDrain("none", random, { pods: pickMany(random) }, { maxUnavailable: random.pick<number | string>([0, "0%"]) }),
  (random) =>
    buildDrain(
      "roomy",
      random,
      { pods: pickMany(random) },
      { maxUnavailable: random.pick<number | string>([1, "1%", "50%"]) },
    ),
  (random) => {
    const pods = pickMany(random);
    return buildDrain(
      "spare",
      random,
      { pods },
      { minAvailable: random.pick<number | string>([pods - 1, "50%", 0, 1]) },
    );
  },
  (random) => {
    const pods = 3 + random.below(3);
    const parts = { pods, unhealthy: 1 + random.below(2), refusedMinutes: HOURS };
    const unhealthyPodEvictionPolicy = random.pick(["IfHealthyBudget", "AlwaysAllow"]);
    return buildDrain("exhausted", random, parts, { maxUnavailable: 1, unhealthyPodEvictionPolicy });
  },
  (random) => buildDrain("waiting", random, { pods: pickMany(random), unhealthy: 1 }, { maxUnavailable: 1 }),
  (random) => {
    const parts = { pods: pickMany(random), unhealthy: 0 };
    return buildDrain("overlap", random, parts, { maxUnavailable: 1 }, { minAvailable: 0 });
  },
  (random) => {
    const pods = 3 + random.below(3);
    const part = { selector: { matchLabels: { ...LABELS, part: "first" } } };
    return buildDrain("part", random, { pods, marked: 1 }, { ...part, maxUnavailable: 1 });
  },
  (random) => {
    const part = { selector: { matchLabels: { ...LABELS, part: "other" } } };
    return buildDrain("empty", random, { pods: pickMany(random) }, { ...part, maxUnavailable: 0 });
  },
  (random) =>
    buildDrain(
      "bare",
      random,
      { owner: "none", pods: pickMany(random) },
      { maxUnavailable: random.pick<number | string>([1, "50%"]) },
    ),
  (random) => buildDrain("counted", random, { owner: "none", pods: pickMany(random) }, { minAvailable: 1 }),
  (random) => {
    const parts = { owner: "Job", pods: pickMany(random), refusedMinutes: HOURS } as const;
    return buildDrain("job", random, parts, { maxUnavailable: random.pick<number | string>([1, "50%"]) });
  },
  (random) => buildDrain("counted-job", random, { owner: "Job", pods: pickMany(random) }, { minAvailable: 1 }),
  (random) => {
    const parts = { owner: "DaemonSet", pods: pickMany(random), refusedMinutes: HOURS } as const;
    return buildDrain("daemons", random, parts, { maxUnavailable: 1 });
  },
];

/** Any pods under one budget: a second one would hide what the first does. */
function buildAny(random: Random): Drain {
  const owner = random.pick<Drain["owner"]>(["ReplicaSet", "StatefulSet", "Job", "DaemonSet", "none"]);
  const pods = 1 + random.below(5);
  const unhealthy = random.below(pods + 1);
  const marked = random.below(pods + 1);
  const failed = owner === "none" || owner === "Job" ? random.below(pods - unhealthy + 1) : 0;
  const parts = { owner, pods, unhealthy, failed, marked, refusedMinutes: random.pick([0, HOURS]) };
  const limit = random.pick<number | string>([0, 1, 2, pods, "0%", "1%", "50%", "100%"]);
  const field = random.pick(["maxUnavailable", "minAvailable"]);
  const part: JsonObject = random.chance(0.4) ? { selector: { matchLabels: { ...LABELS, part: "first" } } } : {};
  const policy: JsonObject = random.chance(0.4) ? { unhealthyPodEvictionPolicy: "AlwaysAllow" } : {};
  return buildDrain("any", random, parts, { [field]: limit, ...part, ...policy });
}
