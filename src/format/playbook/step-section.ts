import { formatVerification } from "../view/image-verification.ts";
import { joinNames } from "../../model/names.ts";
import { listCheckedReports, type PlannedStep, type StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { selectAcceptedNames } from "../view/acceptances.ts";
import { listIncompleteChecks } from "../view/unknown-causes.ts";
import { toPlainItem } from "../text/page.ts";
import { escapeMarkdown, formatCode } from "../text/markdown-text.ts";
import { selectNewNotices } from "../plan/new-notices.ts";
import { omitRepeatedUnknowns } from "../plan/repeated-unknowns.ts";
import { listUnseen } from "../view/lists.ts";
import { groupRisks, type RiskEntry } from "../view/work-order.ts";
import { formatTask, formatStart, listChecksAfter } from "./update-commands.ts";
import type { PlaybookView } from "./playbook-view.ts";
import { buildPauseCommands } from "../plan/plan-page.ts";
import { formatAccepted, formatWork } from "./work.ts";

type Checked = Extract<StepResult, { kind: "checked" }>;

/** The check whose risks are acknowledgements: they are given last, once what they speak of is done. */
const ACKNOWLEDGEMENTS = "admin-acks";

/** One update: what to do before it, how to start it, and what to look at after it. */
export function formatStepSection(view: PlaybookView, index: number): readonly string[] {
  const { plan } = view;
  const planned = plan.steps[index];
  if (planned === undefined) return [];
  const heading = `## Step ${index + 1}: ${planned.from} to ${formatStepTarget(planned.step.to)}`;
  return [
    heading,
    ...formatConditions(planned),
    ...formatBefore(view, planned, index),
    ...formatUpdate(view, planned, index),
    ...formatAfter(view, planned, index),
  ];
}

function formatConditions({ step: { recommendation } }: PlannedStep): readonly string[] {
  if (recommendation.kind !== "conditional") return [];
  const lines = recommendation.risks.map(
    ({ name, message, url }) => `- ${escapeMarkdown(`${name}: ${message} ${url}`)}`,
  );
  return ["The update service offers it with conditions:", lines.join("\n")];
}

function formatBefore(view: PlaybookView, planned: PlannedStep, index: number): readonly string[] {
  const { result } = planned;
  const heading = `### Before step ${index + 1}`;
  if (result.kind === "notChecked")
    return [heading, formatTask(`This update was not checked: ${escapeMarkdown(result.message)}. Check it first.`)];
  const earlier = listCheckedReports(view.plan.steps.slice(0, index));
  const blocks = [
    ...formatImage(result.report),
    ...formatTasks(view, result, index),
    ...formatRepeated(result),
    ...formatUnknowns(view, result.report, earlier),
    ...formatNotices(result.report, earlier),
  ];
  return [heading, ...(blocks.length === 0 ? ["Nothing to do before this step."] : blocks)];
}

function formatImage({ image, imageVerification }: Report): readonly string[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [`Release image ${formatCode(image)}: ${escapeMarkdown(formatVerification(imageVerification))}`];
}

function formatTasks(view: PlaybookView, { report, repeated }: Checked, index: number): readonly string[] {
  const acceptances = view.judged[index] ?? [];
  const own = { ...report, risks: report.risks.filter(({ name }) => !repeated.has(name)) };
  const groups = groupRisks(own, { accepted: selectAcceptedNames(acceptances), acceptances });
  const open = groups.filter(({ kind }) => kind !== "accepted");
  const acknowledgements = open.flatMap(({ entries }) => entries.filter(isAcknowledgement));
  const accepted = groups.flatMap(({ kind, entries }) => (kind === "accepted" ? entries : []));
  const format = (entry: RiskEntry): string => formatWork(entry, report, view.recheck);
  const canWait = index > 0 && view.plan.steps.slice(0, index).every(({ result }) => result.kind === "checked");
  return [
    ...(canWait && open.length > 0 ? [`This can wait until step ${index} is done.`] : []),
    ...open.flatMap(({ heading, entries }) => {
      const work = entries.filter((entry) => !isAcknowledgement(entry));
      return work.length === 0 ? [] : [`#### ${heading}`, ...work.map(format)];
    }),
    ...(acknowledgements.length === 0 ? [] : ["#### Acknowledgements", ...acknowledgements.map(format)]),
    ...(accepted.length === 0 ? [] : ["#### Accepted", accepted.map(formatAccepted).join("\n")]),
  ];
}

function isAcknowledgement({ risk }: RiskEntry): boolean {
  return risk.check === ACKNOWLEDGEMENTS;
}

function formatRepeated({ repeated }: Checked): readonly string[] {
  const bySteps = Map.groupBy([...repeated], ([, step]) => step);
  return [...bySteps].map(
    ([step, risks]) =>
      `Already to do before step ${step}, and needed for this step too: ${joinNames(risks.map(([name]) => name))}.`,
  );
}

function formatUnknowns(view: PlaybookView, report: Report, earlier: readonly Report[]): readonly string[] {
  const { report: own, repeatedChecks } = omitRepeatedUnknowns(report, earlier);
  const lines = listUnseen(own).map(toPlainItem);
  const ids = listIncompleteChecks(own);
  return [
    ...(lines.length === 0
      ? []
      : [
          "#### Could not be checked",
          lines.map((line) => formatTask(escapeMarkdown(line))).join("\n"),
          ...(ids.length === 0
            ? []
            : [
                `Grant the rights that \`preflight rbac\` prints, or fix what is named, then: ${formatCode(`${view.recheck} --only ${ids.join(",")} --fail-on risk -o json`)}`,
              ]),
        ]),
    ...(repeatedChecks.length === 0
      ? []
      : [`Could not be checked in an earlier step either: ${joinNames(repeatedChecks)}.`]),
  ];
}

function formatNotices(report: Report, earlier: readonly Report[]): readonly string[] {
  const notices = selectNewNotices(report, earlier).map(({ lead, text }) => `- ${lead}: ${escapeMarkdown(text)}`);
  return notices.length === 0 ? [] : ["#### Worth knowing", notices.join("\n")];
}

function formatUpdate({ plan }: PlaybookView, planned: PlannedStep, index: number): readonly string[] {
  const heading = `### Step ${index + 1}`;
  if (getPlatform(plan.route.source) === "kubernetes")
    return [
      heading,
      formatTask(`Update the cluster to ${formatStepTarget(planned.step.to)} as its distribution describes.`),
    ];
  const pools = index === 0 ? (plan.controlPlaneOnly?.pools ?? []) : [];
  const pause =
    pools.length === 0
      ? []
      : [
          formatTask(
            "If the nodes are to skip the minor between, pause their pools:",
            ...buildPauseCommands(pools, true),
          ),
        ];
  return [heading, ...pause, ...formatStart(planned, plan.steps[index - 1])];
}

function formatAfter(view: PlaybookView, { step }: PlannedStep, index: number): readonly string[] {
  const { plan, recheck } = view;
  const isLast = index === plan.steps.length - 1;
  const pools = plan.controlPlaneOnly?.pools ?? [];
  const platform = getPlatform(plan.route.source);
  const pending = plan.steps[index + 1]?.result;
  return [
    `### After step ${index + 1}`,
    ...(isLast && pools.length > 0
      ? [
          formatTask(
            "Resume the pools that were paused, and wait for their nodes:",
            ...buildPauseCommands(pools, false),
          ),
        ]
      : []),
    ...listChecksAfter(platform, formatStepTarget(step.to), pools.length > 0 && !isLast),
    ...(pending?.kind === "checked" ? formatPending(pending) : []),
    ...(isLast ? [] : [formatTask("Check the rest of the way again:", recheck)]),
  ];
}

function formatPending({ pending }: Checked): readonly string[] {
  if (pending.length === 0) return [];
  const lines = pending.map(({ id, reason }) => `- ${id}: ${escapeMarkdown(reason)}`);
  return ["These checks of the next step have a verdict only now:", lines.join("\n")];
}
