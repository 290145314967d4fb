import { getRisks, listCheckedReports, type Plan, type PlannedStep } from "../../model/plan.ts";
import { formatStepTarget, type Recommendation, type RouteBasis } from "../../model/route.ts";
import { findMinorsBetween } from "../../model/minors-between.ts";
import { joinNames } from "../../model/names.ts";
import { selectAcceptedNames } from "../view/acceptances.ts";
import { formatCount } from "../../model/count.ts";
import { countUnseenChecks } from "../view/headline.ts";
import { formatTable } from "../text/markdown.ts";
import type { Text } from "../text/page.ts";
import { escapeMarkdown, formatCode } from "../text/markdown-text.ts";
import { formatAcceptanceSection } from "./acceptance-section.ts";
import type { PlaybookView } from "./playbook-view.ts";
import { formatStepSection } from "./step-section.ts";

/**
 * Markdown to work from and to keep in git. The same state of the cluster gives the same text: it has no times of its own, and names
 * neither a context nor a machine.
 */
export function formatPlaybook(view: PlaybookView): string {
  const { plan, judged } = view;
  const accepted = judged.map(selectAcceptedNames);
  const last = plan.steps.at(-1);
  const blocks = [
    `# Update from ${plan.route.source.text} to ${last === undefined ? "" : formatStepTarget(last.step.to)}`,
    ...formatCluster(plan),
    `Written by ${formatCode(view.command)}: run it again after each change, and compare with \`git diff\`.`,
    ...formatOverview(view, accepted),
    ...formatMinorsBetween(view),
    ...plan.steps.flatMap((_, i) => formatStepSection(view, i)),
    ...formatAcceptanceSection(plan, accepted),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function formatCluster({ steps }: Plan): readonly string[] {
  const id = listCheckedReports(steps).flatMap(({ clusterId }) => clusterId ?? [])[0];
  return id === undefined ? [] : [`Cluster ${escapeMarkdown(id)}`];
}

const BASIS_TEXT: Readonly<Record<RouteBasis, string>> = {
  graph: "The route is one that the update graph offers.",
  clusterVersion: "The update is one that ClusterVersion offers.",
  rule: "The route follows the rule that no update skips a minor; no update graph was read.",
};

function formatOverview({ plan, isRoute }: PlaybookView, accepted: readonly ReadonlySet<string>[]): readonly string[] {
  const rows = plan.steps.map((step, i) => [
    `${i + 1}`,
    [{ own: `${step.from} to ${formatStepTarget(step.step.to)}` }],
    describeRecommendation(step.step.recommendation),
    describeResult(step, accepted[i] ?? new Set()),
  ]);
  const table = formatTable({ head: ["step", "update", "update service", "result"], rows });
  return [...(isRoute ? [BASIS_TEXT[plan.route.basis]] : []), table];
}

/** A target that was given may be several updates away; a route has no such step. */
function formatMinorsBetween({ plan, isRoute }: PlaybookView): readonly string[] {
  const [first] = plan.steps;
  if (isRoute || first === undefined || first.step.to.kind === "minor") return [];
  const { version } = first.step.to;
  const names = findMinorsBetween(plan.route.source, version).map(({ text }) => text);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? "lies" : "lie";
  return [
    `**This is not the whole way:** ${joinNames(names)} ${verb} between, and each minor needs an update of its own. \`preflight playbook --to ${version.text}\` writes all of them.`,
  ];
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
