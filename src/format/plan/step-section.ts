import type { Plan, PlannedStep, StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { joinNames } from "../../model/names.ts";
import { formatCount } from "../../model/count.ts";
import { toLine } from "../../model/visible-text.ts";
import { createPainter } from "../text/painter.ts";
import { selectNewNotices } from "./new-notices.ts";
import { omitRepeatedUnknowns } from "./repeated-unknowns.ts";
import { formatPieces } from "../text/terminal.ts";
import { buildImageLines } from "../view/report-page.ts";
import { buildRiskSections } from "../view/risk-sections.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { formatSection } from "../text/section.ts";
import { wrapText } from "../text/wrapping.ts";
import type { View } from "../view/view.ts";

type Options = Pick<View, "accepted" | "colour" | "links" | "width">;
type Checked = Extract<StepResult, { kind: "checked" }>;

/** One step: what is to be done before it, what could not be checked, and what shows only later. */
export function formatStep({ steps }: Plan, index: number, options: Options): readonly string[] {
  const planned = steps[index];
  if (planned === undefined) return [];
  const { bold } = createPainter(options.colour);
  const heading = bold(toLine(`Step ${index + 1}: ${planned.from} -> ${formatStepTarget(planned.step.to)}`));
  const { result } = planned;
  if (result.kind === "notChecked")
    return [heading, "", ...wrapText("  ", `This update was not checked: ${result.message}.`, options.width)];
  const earlier = getReports(steps.slice(0, index));
  const blocks = [
    formatLines("Conditions of the update service", formatConditions(planned, options), options),
    buildImageLines(result.report).flatMap(({ lead, text }) => wrapText(`${lead} `, text, options.width)),
    formatStart(planned, result, steps[index - 1], options),
    ...formatRisks(result, index, index > 0 && steps.slice(0, index).every(isChecked), options),
    formatRepeated(result, options),
    formatChannel(planned, steps[index - 1]),
    ...formatUnknowns(result.report, earlier, options),
    formatNotices(result.report, earlier, options),
    formatPending(result, index, planned, options),
  ];
  return [heading, ...blocks.filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines])];
}

/** What a step that was not checked would have found may be what a later one finds, which then can't wait. */
function isChecked({ result }: PlannedStep): boolean {
  return result.kind === "checked";
}

/** The command that selects the channel, unless the step before has done so. */
function formatChannel({ channel }: PlannedStep, before: PlannedStep | undefined): readonly string[] {
  if (channel === undefined || channel === before?.channel) return [];
  return ["  Select the channel that has the release:", "", `  oc adm upgrade channel ${channel}`];
}

/** The check conditional-updates judges the updates that ClusterVersion lists; nobody has evaluated the conditions of others. */
function formatConditions({ step }: PlannedStep, { width }: Options): readonly string[] {
  const { recommendation } = step;
  if (recommendation.kind !== "conditional" || recommendation.exposure !== "notEvaluated") return [];
  return recommendation.risks.flatMap(({ name, message, url }) => wrapText(`  ${name}: `, `${message} ${url}`, width));
}

/** A step whose predecessor's release is not at hand was checked from an earlier version. */
function formatStart(
  { from }: PlannedStep,
  { report }: Checked,
  before: PlannedStep | undefined,
  { width }: Options,
): readonly string[] {
  if (before === undefined || isChecked(before)) return [];
  return wrapText("  ", `Checked from ${report.source.text}, since no release of ${from} is at hand.`, width);
}

/** An introduction, and the risks in the order of work; or that there are none. */
function formatRisks(
  { report, repeated }: Checked,
  index: number,
  canWait: boolean,
  options: Options,
): readonly (readonly string[])[] {
  const own: Report = { ...report, risks: report.risks.filter(({ name }) => !repeated.has(name)) };
  const sections = formatPieces(buildRiskSections(own, options), options);
  if (sections.length > 0) {
    const wait = canWait ? `; it can wait until step ${index} is done` : "";
    return [wrapText("  ", `To do before step ${index + 1}${wait}:`, options.width), ...sections];
  }
  const count = report.checks.filter(({ outcome }) => outcome.kind === "clear").length;
  const nothing = repeated.size === 0 ? "no risk" : "no other risk";
  return [wrapText("  ", `${formatCount(count, "check")} found ${nothing} for this step.`, options.width)];
}

function formatRepeated({ report, repeated }: Checked, { width }: Options): readonly string[] {
  const bySteps = Map.groupBy([...repeated], ([, step]) => step);
  return [...bySteps].flatMap(([step, risks]) => {
    const names = joinNames(risks.map(([name]) => name));
    return wrapText("  ", `Already to do before step ${step}, and for ${report.target.text} too: ${names}.`, width);
  });
}

function formatUnknowns(report: Report, earlier: readonly Report[], options: Options): readonly (readonly string[])[] {
  const own = omitRepeatedUnknowns(report, earlier);
  const names = joinNames(own.repeatedChecks);
  const repeated = wrapText("  ", `Could not be checked in an earlier step either: ${names}.`, options.width);
  return [...formatPieces(buildUnknownSection(own.report, options), options), names === "" ? [] : repeated];
}

function getReports(steps: readonly PlannedStep[]): readonly Report[] {
  return steps.flatMap(({ result }) => (result.kind === "checked" ? [result.report] : []));
}

function formatNotices(report: Report, earlier: readonly Report[], options: Options): readonly string[] {
  const lines = selectNewNotices(report, earlier).flatMap(({ id, notice }) =>
    wrapText(`  ${id}: `, notice, options.width),
  );
  return formatLines("Notices", lines, options);
}

function formatPending(
  { report, pending }: Checked,
  index: number,
  { step }: PlannedStep,
  options: Options,
): readonly string[] {
  if (pending.length === 0) return [];
  const lines = pending.flatMap(({ id, reason }) => wrapText(`  ${id}: `, reason, options.width));
  const target = formatStepTarget(step.to);
  const flag = getPlatform(report.target) === "openshift" ? `--to ${target}` : `--target-version v${target}`;
  const command = `Then run "preflight check ${flag}".`;
  return formatLines(`Seen once step ${index} is done`, [...lines, ...wrapText("  ", command, options.width)], options);
}

function formatLines(heading: string, lines: readonly string[], options: Options): readonly string[] {
  return formatSection(heading, lines.length === 0 ? [] : [lines], options);
}
