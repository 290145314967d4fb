import { joinNames } from "../../model/names.ts";
import { getRisks, isPlanComplete, type Plan } from "../../model/plan.ts";
import { formatStepTarget, type Recommendation, type RouteBasis } from "../../model/route.ts";
import { formatCount } from "../../model/count.ts";
import { formatClusterOrigin } from "../view/headline.ts";
import { toLine } from "../../model/visible-text.ts";
import { createPainter } from "../text/painter.ts";
import { wrapText } from "../text/wrapping.ts";
import type { PlanView } from "./plan-view.ts";
import { formatStep } from "./step-section.ts";

type Options = Pick<PlanView, "cluster" | "colour" | "links" | "width">;

/** The plan for people: the route, how the nodes can skip a minor, and for each step what is to be done before it. */
export function formatPlanTable({ plan, accepted, ...options }: PlanView): string {
  const { bold } = createPainter(options.colour);
  const blocks = [
    [bold(toLine(formatHeadline(plan))), ...formatPlanCluster(plan, options)],
    formatRoute(plan, options),
    formatControlPlaneOnly(plan, options),
    ...plan.steps.map((_, i) => formatStep(plan, i, { ...options, accepted: accepted[i] ?? new Set() })),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function formatPlanCluster({ steps }: Plan, options: Options): readonly string[] {
  const checked = steps.flatMap(({ result }) => (result.kind === "checked" ? [result.report] : []))[0];
  return formatClusterOrigin(checked ?? {}, options).flatMap((line) => wrapText("", line, options.width));
}

/** "4.18.8 -> 4.20.4: 2 updates, 3 risks, 1 update could not be checked" */
function formatHeadline(plan: Plan): string {
  const { route, steps } = plan;
  const last = route.steps.at(-1);
  const risks = new Set(
    steps
      .flatMap(getRisks)
      .filter(({ unknown }) => !unknown)
      .map(({ name }) => name),
  ).size;
  const notChecked = steps.filter(({ result }) => result.kind === "notChecked").length;
  const parts = [
    formatCount(steps.length, "update"),
    risks === 0 ? "no risk found" : formatCount(risks, "risk"),
    ...(notChecked > 0 ? [`${formatCount(notChecked, "update")} could not be checked`] : []),
    ...(notChecked === 0 && !isPlanComplete(plan) ? ["not complete"] : []),
  ];
  return `${route.source.text} -> ${last === undefined ? "" : formatStepTarget(last.to)}: ${parts.join(", ")}`;
}

const BASIS_TEXT: Readonly<Record<RouteBasis, string>> = {
  graph: "Route, as the update graph offers it",
  clusterVersion: "Route, as ClusterVersion offers it",
  rule: "Route by the rule that no update skips a minor; no update graph was read",
};

function formatRoute({ route, steps }: Plan, { width }: Options): readonly string[] {
  const lines = steps.flatMap(({ from, step, channel }, i) => {
    const update = `${from} -> ${formatStepTarget(step.to)}`;
    const notes = [
      ...formatRecommendation(step.recommendation),
      ...(channel === undefined ? [] : [`channel ${channel}`]),
    ];
    return wrapText(`  ${i + 1}  `, [update, ...notes].join(", "), width);
  });
  return [...wrapText("", `${BASIS_TEXT[route.basis]}:`, width), "", ...lines];
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

function formatControlPlaneOnly({ controlPlaneOnly, steps }: Plan, { width }: Options): readonly string[] {
  if (controlPlaneOnly === undefined) return [];
  const { pools } = controlPlaneOnly;
  const text =
    `Control plane only: the nodes of ${pools.length === 1 ? "the pool" : "the pools"} ${joinNames(pools)} can skip the minor between and restart once. ` +
    `Pause ${pools.length === 1 ? "it" : "them"} before step 1 and resume ${pools.length === 1 ? "it" : "them"} ("paused":false) once step ${steps.length} is done:`;
  const commands = pools.map(
    (pool) => `  oc patch machineconfigpool/${pool} --type merge -p '{"spec":{"paused":true}}'`,
  );
  return [...wrapText("", text, width), "", ...commands];
}
