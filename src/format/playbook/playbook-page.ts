import { getRisks, listCheckedReports, type Plan, type PlannedStep } from "../../model/plan.ts";
import { formatStepTarget, type Recommendation, type RouteBasis } from "../../model/route.ts";
import { joinNames } from "../../model/names.ts";
import { formatTime } from "../../model/time.ts";
import { decidePlan, listCounts } from "../plan/plan-page.ts";
import { selectAcceptedNames } from "../view/acceptances.ts";
import { formatCount } from "../../model/count.ts";
import { countUnseenChecks } from "../view/headline.ts";
import { type Block, LINEAR, type Page, type Text } from "../text/page.ts";
import { buildAcceptanceSection } from "./acceptance-section.ts";
import type { PlaybookView } from "./playbook-view.ts";
import { buildStepSection } from "./step-section.ts";

/**
 * A page to work from. As markdown, which is kept in git, the same state of the cluster gives the same text: it has no times of its own.
 * It names neither a context nor a machine.
 */
export function buildPlaybookPage(view: PlaybookView): Page {
  const { plan, judged } = view;
  const accepted = judged.map(selectAcceptedNames);
  const last = plan.steps.at(-1);
  const [from, to] = [plan.route.source.text, last === undefined ? "" : formatStepTarget(last.step.to)];
  return {
    title: [from, to],
    context: "playbook",
    headline: { only: LINEAR, text: [{ own: `Update from ${from} to ${to}` }] },
    lines: listClusters(plan).map((text) => ({ text })),
    observedAt: formatTime(plan.observedAt),
    decision: { ...decidePlan(plan, accepted), basis: `${listCounts(plan, accepted).join(", ")}.` },
    blocks: [
      { kind: "text", text: describeOrigin(view) },
      ...buildOverview(view, accepted),
      ...buildMinorsBetween(view),
      ...plan.steps.flatMap((_, i) => buildStepSection(view, i)),
      ...buildAcceptanceSection(plan, accepted),
    ],
  };
}

function describeOrigin({ command }: PlaybookView): Text {
  const again = [{ own: ": run it again after each change, and compare with " }, { code: "git diff" }, { own: "." }];
  return [{ own: "Written by " }, { code: command }, ...again];
}

function listClusters({ steps }: Plan): readonly string[] {
  const id = listCheckedReports(steps).flatMap(({ clusterId }) => clusterId ?? [])[0];
  return id === undefined ? [] : [`Cluster ${id}`];
}

const BASIS_TEXT: Readonly<Record<RouteBasis, string>> = {
  graph: "The route is one that the update graph offers.",
  clusterVersion: "The update is one that ClusterVersion offers.",
  rule: "The route follows the rule that no update skips a minor; no update graph was read.",
};

function buildOverview({ plan, isRoute }: PlaybookView, accepted: readonly ReadonlySet<string>[]): readonly Block[] {
  const rows = plan.steps.map((step, i) => [
    `${i + 1}`,
    [{ own: `${step.from} to ${formatStepTarget(step.step.to)}` }],
    describeRecommendation(step.step.recommendation),
    describeResult(step, accepted[i] ?? new Set()),
  ]);
  return [
    ...(isRoute ? [{ kind: "text", text: BASIS_TEXT[plan.route.basis] } as const] : []),
    { kind: "table", head: ["step", "update", "update service", "result"], rows },
  ];
}

/** A target that was given may be several updates away; a route has no such step. */
function buildMinorsBetween({ plan, isRoute }: PlaybookView): readonly Block[] {
  const result = plan.steps[0]?.result;
  if (isRoute || result?.kind !== "checked" || result.report.minorsBetween === undefined) return [];
  const { target, minorsBetween } = result.report;
  const { names, unknown } = minorsBetween;
  const verb = names.length === 1 ? "lies" : "lie";
  const need = unknown === undefined ? "each minor needs" : "each minor may need";
  const text = [
    { strong: unknown === undefined ? "This is not the whole way:" : "This may not be the whole way:" },
    { own: ` ${joinNames(names)} ${verb} between, and ${need} an update of its own. ` },
    { code: `preflight playbook --to ${target.text}` },
    { own: " writes all of them." },
  ];
  return [{ kind: "text", text }];
}

function describeRecommendation(recommendation: Recommendation): Text {
  switch (recommendation.kind) {
    case "recommended":
      return "recommended";
    case "conditional":
      return [{ own: "with conditions (" }, joinNames(recommendation.risks.map(({ name }) => name)), { own: ")" }];
    case "notOffered":
      return "not offered";
    case "unknown":
      return "not read";
  }
}

function describeResult(step: PlannedStep, accepted: ReadonlySet<string>): string {
  const { result } = step;
  if (result.kind === "notChecked") return "not checked";
  const found = getRisks(step).filter(({ unknown, name }) => !unknown && !result.repeated.has(name));
  const open = found.filter(({ name }) => !accepted.has(name)).length;
  const [leftOut, incomplete] = countUnseenChecks(result.report);
  const parts = [
    open === 0 ? "nothing to do" : `${formatCount(open, "risk")} to fix`,
    ...(found.length > open ? [`${found.length - open} accepted`] : []),
    ...(result.repeated.size > 0 ? [`${result.repeated.size} as before`] : []),
    ...(incomplete > 0 ? [`${formatCount(incomplete, "check")} incomplete`] : []),
    ...(leftOut > 0 ? [`${formatCount(leftOut, "check")} left out`] : []),
  ];
  return parts.join(", ");
}
