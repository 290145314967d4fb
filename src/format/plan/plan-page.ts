import { formatCount, joinNames } from "../../model/text.ts";
import { listReports, type Plan } from "../../model/plan.ts";
import { formatStepTarget, type Recommendation, type RouteBasis } from "../../model/route.ts";
import { getPlatform } from "../../model/version.ts";
import { quoteArgument } from "../../model/commands.ts";
import { toLine } from "../../model/visible-text.ts";
import { type Block, FULL, LINEAR, type Page } from "../text/page.ts";
import { formatClusterOrigin, VERDICTS } from "../view/decision.ts";
import { buildListAge, buildListSection, listNotices } from "../view/lists.ts";
import { buildImageFacts, buildImageLines } from "../view/report-page.ts";
import { buildRiskSections } from "../view/risk-sections.ts";
import { buildLeftOut } from "../view/partial-result.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { buildPlanScreen } from "./plan-screen.ts";
import type { CheckedStep, PlanView, StepView } from "./plan-view.ts";
import {
  buildHostedChange,
  buildPauseCommands,
  buildPlanHead,
  listConditions,
  listCounts,
  listPending,
  listSteps,
} from "./plan-view.ts";

/** What each step needs in a line, and how the nodes can skip a minor; then each step in detail, which a terminal shows on request. */
export function buildPlanPage(view: PlanView): Page {
  const { plan } = view;
  const steps = listSteps(view);
  const first = listReports(plan).find((report) => report !== undefined);
  const head = buildPlanHead(view, steps);
  const screen = buildPlanScreen(steps, head.decision);
  const { kind, words } = head.decision;
  return {
    ...head,
    headline: {
      only: LINEAR,
      lead: VERDICTS[kind] && (kind === "risk" ? `${words}.` : VERDICTS[kind]),
      text: `${head.title.join(" -> ")}: ${listCounts(plan, steps)}`,
    },
    lines: formatClusterOrigin({ ...first, isHosted: plan.isHosted }, view).map((text) => ({ text })),
    blocks: [
      ...buildRoute(plan),
      ...screen.start,
      ...buildControlPlaneOnly(plan),
      ...buildHostedNote(plan),
      ...steps.map((step): Block => ({ ...buildStep(step, view), only: FULL })),
      ...buildListAge(listReports(plan).flatMap((report) => report ?? [])),
      screen.end,
    ],
  };
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
    { kind: "list", only: FULL, isOrdered: true, items },
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
  const [noun, pronoun] = pools.length === 1 ? ["pool", "it"] : ["pools", "them"];
  const text = `Control plane only: the nodes of the ${noun} ${joinNames(pools)} can skip the minor between and restart once. Pause ${pronoun} before step 1:`;
  return [
    { kind: "text", text },
    { kind: "commands", commands: buildPauseCommands(pools, true) },
    { kind: "text", text: `Resume ${pronoun} once step ${steps.length} is done:` },
    { kind: "commands", commands: buildPauseCommands(pools, false) },
  ];
}

/** Who starts the updates, where no command in the cluster does. */
function buildHostedNote({ isHosted }: Plan): readonly Block[] {
  if (isHosted !== true) return [];
  return [
    buildText(
      "The control plane is hosted: each update begins with the release of the HostedCluster, on the management cluster, and its NodePools follow (preflight playbook writes the commands).",
    ),
  ];
}

/** One step: what is to be done before it, what could not be checked, and what shows only later. */
function buildStep(step: StepView, view: PlanView): Block {
  const { number, planned, target, result, accepted } = step;
  const heading = `Step ${number}: ${planned.from} -> ${target}`;
  const section = { kind: "section", heading, anchor: `step-${number}` } as const;
  if (result.kind === "notChecked")
    return { ...section, blocks: [buildText(`This update was not checked: ${result.message}.`)] };
  const blocks = [
    ...buildConditions(step),
    ...buildImageLines(result.report).map((line): Block => ({ kind: "line", only: LINEAR, ...line })),
    ...buildStart(step, result),
    ...buildRisks(step, result),
    ...buildRepeated(result),
    ...buildChannel(step, view.plan),
    ...buildUnknownSection(result.own, { accepted }),
    ...buildLeftOut(result.own),
    ...(result.repeatedChecks === ""
      ? []
      : [buildText(`Could not be checked in an earlier step either: ${result.repeatedChecks}.`)]),
    ...buildListSection("Notices", listNotices(result.own)),
    ...buildPending(step, result, view),
    ...buildImageFacts(result.report),
  ];
  return { ...section, blocks };
}

function buildText(text: string): Extract<Block, { kind: "text" }> {
  return { kind: "text", text };
}

/** The command that selects the channel, unless the step before has done so. */
function buildChannel({ planned: { channel }, before }: StepView, { isHosted }: Plan): readonly Block[] {
  if (channel === undefined || channel === before?.channel) return [];
  const [where, command] =
    isHosted === true
      ? [" (on the management cluster)", buildHostedChange("hostedcluster", { channel })]
      : ["", `oc adm upgrade channel ${channel}`];
  return [
    { ...buildText(`Select the channel that has the release${where}:`), isWhole: true },
    { kind: "commands", commands: [command] },
  ];
}

/** The check conditional-updates judges the updates that ClusterVersion lists; nobody has evaluated the conditions of others. */
function buildConditions(step: StepView): readonly Block[] {
  const { recommendation } = step.planned.step;
  if (recommendation.kind !== "conditional" || recommendation.exposure !== "notEvaluated") return [];
  return buildListSection("Conditions of the update service", listConditions(step));
}

/** A step whose predecessor's release is not at hand was checked from an earlier version. */
function buildStart({ before, planned: { from } }: StepView, { report }: CheckedStep): readonly Block[] {
  if (before === undefined || before.result.kind === "checked") return [];
  return [buildText(`Checked from ${report.source.text}, since no release of ${from} is at hand.`)];
}

/** An introduction, and the risks in the order of work; or that there are none. */
function buildRisks({ number, canWait, accepted }: StepView, { own, repeated }: CheckedStep): readonly Block[] {
  const sections = buildRiskSections(own, { accepted });
  const wait = canWait ? `; it can wait until step ${number - 1} is done` : "";
  if (sections.length > 0) return [buildText(`To do before step ${number}${wait}:`), ...sections];
  const count = own.checks.filter(({ outcome }) => outcome.kind === "clear").length;
  const nothing = repeated.size === 0 ? "no risk" : "no other risk";
  return [buildText(`${formatCount(count, "check")} found ${nothing} for this step.`)];
}

function buildRepeated({ report, repeatedRisks }: CheckedStep): readonly Block[] {
  if (repeatedRisks.length === 0) return [];
  const blocks = repeatedRisks.map(([step, names]) =>
    buildText(`Already to do before step ${step}, and for ${report.target.text} too: ${names}.`),
  );
  return [{ kind: "panel", blocks }];
}

function buildPending(
  { number, target }: StepView,
  result: CheckedStep,
  { checkFlags = "", folders }: PlanView,
): readonly Block[] {
  if (result.pending.length === 0) return [];
  const folder = folders?.get(target);
  const isOpenShift = getPlatform(result.report.target) === "openshift";
  const flag = isOpenShift ? `--to ${target}` : `--target-version v${target}`;
  const targetFlag = folder === undefined ? flag : `--target ${quoteArgument(toLine(folder))}`;
  const command = ["preflight check", targetFlag, checkFlags].filter((part) => part !== "").join(" ");
  const blocks = [listPending(result), buildText(`Then run "${command}".`)];
  return [{ kind: "section", heading: `Seen once step ${number - 1} is done`, blocks: [{ kind: "panel", blocks }] }];
}
