import { createRandom, type Random } from "../schema/random/random.ts";

export const SOURCE = "5.0.8";
/** The targets of requests. The operator stops offering the first in some steps. */
export const TARGETS = ["5.1.2", "5.0.9"] as const;

/** What is wrong with the cluster, which checks find and the operator shows in its own way. */
export const CAUSES = ["operator", "budget", "published", "alert"] as const;
export type Cause = (typeof CAUSES)[number];

/** What becomes of the runner's container. */
const RUNNER_MODES = ["runs", "crashLoop", "imagePull", "unschedulable", "outOfMemory"] as const;
export type RunnerMode = (typeof RUNNER_MODES)[number];

/** Names that an administrator accepts: risks of ours, and one of the update service. */
const ACCEPTABLE = ["DrainBlockedByDisruptionBudget", "ConditionalUpdateRiskApplies", "DemoRisk"] as const;

/** One thing that somebody else than our controller does. */
export type Step =
  | { readonly kind: "request"; readonly to: string; readonly lifted: "show" | "leave" }
  | { readonly kind: "cancel" }
  | { readonly kind: "accept"; readonly name: string; readonly isAdded: boolean }
  | { readonly kind: "cause"; readonly cause: Cause; readonly isPresent: boolean }
  | { readonly kind: "offer"; readonly isOffered: boolean }
  | { readonly kind: "sync" }
  | { readonly kind: "operator"; readonly to: "started" | "stopped" | "killed" }
  | { readonly kind: "update"; readonly isRunning: boolean }
  | { readonly kind: "runner"; readonly mode: RunnerMode }
  | { readonly kind: "killRunner" }
  | { readonly kind: "killController"; readonly replica: 0 | 1 }
  | { readonly kind: "deleteDeployment" }
  | { readonly kind: "editDeployment" }
  | { readonly kind: "wait"; readonly ms: number };

type StepMaker = { readonly weight: number; readonly make: (random: Random) => Step };

const MAKERS: readonly StepMaker[] = [
  {
    weight: 20,
    make: (random) => ({ kind: "request", to: random.pick(TARGETS), lifted: random.chance(0.5) ? "show" : "leave" }),
  },
  { weight: 3, make: () => ({ kind: "cancel" }) },
  { weight: 8, make: (random) => ({ kind: "accept", name: random.pick(ACCEPTABLE), isAdded: random.chance(0.6) }) },
  {
    weight: 22,
    make: (random) => ({ kind: "cause", cause: random.pick(CAUSES), isPresent: random.chance(0.5) }),
  },
  { weight: 4, make: (random) => ({ kind: "offer", isOffered: random.chance(0.7) }) },
  { weight: 5, make: () => ({ kind: "sync" }) },
  {
    weight: 8,
    make: (random) => ({ kind: "operator", to: random.pick(["started", "started", "started", "stopped", "killed"]) }),
  },
  { weight: 5, make: (random) => ({ kind: "update", isRunning: random.chance(0.2) }) },
  {
    weight: 8,
    make: (random) => ({ kind: "runner", mode: random.pick(["runs", "runs", "runs", ...RUNNER_MODES]) }),
  },
  { weight: 4, make: () => ({ kind: "killRunner" }) },
  { weight: 5, make: (random) => ({ kind: "killController", replica: random.pick([0, 1]) }) },
  { weight: 2, make: () => ({ kind: "deleteDeployment" }) },
  { weight: 2, make: () => ({ kind: "editDeployment" }) },
  { weight: 7, make: (random) => ({ kind: "wait", ms: 100 * random.below(20) }) },
];
const TOTAL_WEIGHT = MAKERS.reduce((sum, { weight }) => sum + weight, 0);

/** The steps of a seed; the first ones of a longer schedule are those of a shorter. */
export function buildSchedule(seed: number, length: number): readonly Step[] {
  const random = createRandom(seed);
  return Array.from({ length }, () => buildStep(random));
}

function buildStep(random: Random): Step {
  let rest = random.below(TOTAL_WEIGHT);
  for (const { weight, make } of MAKERS) {
    if (rest < weight) return make(random);
    rest -= weight;
  }
  return { kind: "sync" };
}

/** "request to=5.1.2 lifted=show" */
export function formatStep({ kind, ...more }: Step): string {
  return [kind, ...Object.entries(more).map(([key, value]) => `${key}=${String(value)}`)].join(" ");
}
