import { formatCount } from "../../model/count.ts";
import { joinNames } from "../../model/names.ts";
import { getRisks, isPlanComplete, listCheckedReports, type Plan } from "../../model/plan.ts";
import { formatStepTarget, type Recommendation, type RouteBasis } from "../../model/route.ts";
import { formatTime } from "../../model/time.ts";
import { type Block, LINEAR, type Page, type PageDecision } from "../text/page.ts";
import { decide } from "../view/decision.ts";
import { formatClusterOrigin } from "../view/headline.ts";
import type { View } from "../view/view.ts";
import { buildStep } from "./step-section.ts";

/** The input of a plan's formats. */
export type PlanView = Pick<View, "cluster"> & {
  readonly plan: Plan;
  /** The names of accepted risks, by step. */
  readonly accepted: readonly ReadonlySet<string>[];
  /** What a later \`check\` of one step has to repeat beside its target. */
  readonly checkFlags?: string;
};

/** The route, how the nodes can skip a minor, and for each step what is to be done before it. */
export function buildPlanPage({ plan, accepted, checkFlags = "", ...view }: PlanView): Page {
  const [first] = listCheckedReports(plan.steps);
  return {
    title: [plan.route.source.text, formatTarget(plan)],
    headline: { only: LINEAR, text: formatHeadline(plan, accepted) },
    lines: formatClusterOrigin(first ?? {}, view).map((text) => ({ text })),
    observedAt: formatTime(plan.observedAt),
    decision: { ...decidePlan(plan, accepted), basis: `${listCounts(plan, accepted).join(", ")}.` },
    blocks: [
      ...buildRoute(plan),
      ...buildControlPlaneOnly(plan),
      ...plan.steps.map((step, i) =>
        buildStep(step, plan.steps.slice(0, i), { accepted: accepted[i] ?? new Set(), checkFlags }),
      ),
    ],
  };
}

function formatTarget({ route }: Plan): string {
  const last = route.steps.at(-1);
  return last === undefined ? "" : formatStepTarget(last.to);
}

/** The exit code of `plan` says the same: 3, 4 and 0. */
export function decidePlan({ steps }: Plan, accepted: PlanView["accepted"]): Pick<PageDecision, "kind" | "words"> {
  const decisions = steps.map(({ result }, i) =>
    result.kind === "checked" ? decide(result.report, { accepted: accepted[i] ?? new Set() }) : undefined,
  );
  const risky = decisions.findIndex((decision) => decision?.kind === "risk");
  if (risky === 0) return { kind: "risk", words: "Don't update yet" };
  if (risky > 0) return { kind: "risk", words: `Don't start step ${risky + 1} yet` };
  if (decisions.some((decision) => decision?.kind !== "clear"))
    return { kind: "incomplete", words: "Not decided: not every step could be checked completely" };
  return { kind: "clear", words: "No step has a risk that is not accepted" };
}

/** "4.18.8 -> 4.20.4: 2 updates, 3 risks, 1 update could not be checked" */
function formatHeadline(plan: Plan, accepted: PlanView["accepted"]): string {
  const last = plan.route.steps.at(-1);
  return `${plan.route.source.text} -> ${last === undefined ? "" : formatStepTarget(last.to)}: ${listCounts(plan, accepted).join(", ")}`;
}

/** A risk counts as accepted if it is so in every step that has it. */
export function listCounts(plan: Plan, accepted: PlanView["accepted"]): readonly string[] {
  const { steps } = plan;
  const found = steps.flatMap((step, i) =>
    getRisks(step).flatMap(({ name, unknown }) => (unknown ? [] : { name, isOpen: accepted[i]?.has(name) !== true })),
  );
  const risks = new Set(found.map(({ name }) => name)).size;
  const acceptedCount = risks - new Set(found.flatMap(({ name, isOpen }) => (isOpen ? name : []))).size;
  const notChecked = steps.filter(({ result }) => result.kind === "notChecked").length;
  return [
    formatCount(steps.length, "update"),
    risks === 0 ? "no risk found" : formatCount(risks, "risk"),
    ...(acceptedCount > 0 ? [`${acceptedCount} of them accepted`] : []),
    ...(notChecked > 0 ? [`${formatCount(notChecked, "update")} could not be checked`] : []),
    ...(notChecked === 0 && !isPlanComplete(plan) ? ["not complete"] : []),
  ];
}

const BASIS_TEXT: Readonly<Record<RouteBasis, string>> = {
  graph: "Route, as the update graph offers it",
  clusterVersion: "Route, as ClusterVersion offers it",
  rule: "Route by the rule that no update skips a minor; no update graph was read",
};

function buildRoute({ route, steps }: Plan): readonly Block[] {
  const items = steps.map(({ from, step, channel }) => {
    const notes = [
      ...formatRecommendation(step.recommendation),
      ...(channel === undefined ? [] : [`channel ${channel}`]),
    ];
    return { text: [`${from} -> ${formatStepTarget(step.to)}`, ...notes].join(", ") };
  });
  return [
    { kind: "text", text: `${BASIS_TEXT[route.basis]}:` },
    { kind: "list", isOrdered: true, items },
  ];
}

function formatRecommendation(recommendation: Recommendation): readonly string[] {
  switch (recommendation.kind) {
    case "recommended":
      return ["recommended"];
    case "conditional":
      return [`with conditions (${joinNames(recommendation.risks.map(({ name }) => name))})`];
    case "notOffered":
      return ["not offered"];
    case "unknown":
      return [];
  }
}

function buildControlPlaneOnly({ controlPlaneOnly, steps }: Plan): readonly Block[] {
  if (controlPlaneOnly === undefined) return [];
  const { pools } = controlPlaneOnly;
  const text =
    `Control plane only: the nodes of ${pools.length === 1 ? "the pool" : "the pools"} ${joinNames(pools)} can skip the minor between and restart once. ` +
    `Pause ${pools.length === 1 ? "it" : "them"} before step 1 and resume ${pools.length === 1 ? "it" : "them"} ("paused":false) once step ${steps.length} is done:`;
  return [
    { kind: "text", text },
    { kind: "commands", commands: buildPauseCommands(pools, true) },
  ];
}

export function buildPauseCommands(pools: readonly string[], paused: boolean): readonly string[] {
  return pools.map((pool) => `oc patch machineconfigpool/${pool} --type merge -p '{"spec":{"paused":${paused}}}'`);
}
