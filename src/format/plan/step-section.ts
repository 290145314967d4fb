import { formatCount } from "../../model/count.ts";
import { joinNames } from "../../model/names.ts";
import { listCheckedReports, type PlannedStep, type StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { type Block, LINEAR } from "../text/page.ts";
import { buildListSection } from "../view/lists.ts";
import { buildImageFacts, buildImageLines } from "../view/report-page.ts";
import { buildRiskSections } from "../view/risk-sections.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { selectNewNotices } from "./new-notices.ts";
import { omitRepeatedUnknowns } from "./repeated-unknowns.ts";

type Checked = Extract<StepResult, { kind: "checked" }>;

type StepOptions = { readonly accepted: ReadonlySet<string>; readonly checkFlags: string };

/** One step: what is to be done before it, what could not be checked, and what shows only later. `earlier`: the steps before it. */
export function buildStep(
  planned: PlannedStep,
  earlier: readonly PlannedStep[],
  { accepted, checkFlags }: StepOptions,
): Block {
  const number = earlier.length + 1;
  const heading = `Step ${number}: ${planned.from} -> ${formatStepTarget(planned.step.to)}`;
  const section = { kind: "section", heading, anchor: `step-${number}` } as const;
  const { result } = planned;
  if (result.kind === "notChecked")
    return { ...section, blocks: [buildText(`This update was not checked: ${result.message}.`)] };
  const reports = listCheckedReports(earlier);
  const blocks = [
    ...buildConditions(planned),
    ...buildImageLines(result.report).map((line): Block => ({ kind: "line", only: LINEAR, ...line })),
    ...buildStart(planned, result, earlier.at(-1)),
    ...buildRisks(result, earlier, accepted),
    ...buildRepeated(result),
    ...buildChannel(planned, earlier.at(-1)),
    ...buildUnknowns(result.report, reports, accepted),
    ...buildListSection("Notices", selectNewNotices(result.report, reports)),
    ...buildPending(result, planned, earlier.length, checkFlags),
    ...buildImageFacts(result.report),
  ];
  return { ...section, blocks };
}

function buildText(text: string): Extract<Block, { kind: "text" }> {
  return { kind: "text", text };
}

/** The command that selects the channel, unless the step before has done so. */
function buildChannel({ channel }: PlannedStep, before: PlannedStep | undefined): readonly Block[] {
  if (channel === undefined || channel === before?.channel) return [];
  return [
    { ...buildText("Select the channel that has the release:"), isWhole: true },
    { kind: "commands", commands: [`oc adm upgrade channel ${channel}`] },
  ];
}

/** The check conditional-updates judges the updates that ClusterVersion lists; nobody has evaluated the conditions of others. */
function buildConditions({ step: { recommendation } }: PlannedStep): readonly Block[] {
  if (recommendation.kind !== "conditional" || recommendation.exposure !== "notEvaluated") return [];
  const items = recommendation.risks.map(({ name, message, url }) => ({ lead: name, text: `${message} ${url}` }));
  return buildListSection("Conditions of the update service", items);
}

/** A step whose predecessor's release is not at hand was checked from an earlier version. */
function buildStart({ from }: PlannedStep, { report }: Checked, before: PlannedStep | undefined): readonly Block[] {
  if (before === undefined || isChecked(before)) return [];
  return [buildText(`Checked from ${report.source.text}, since no release of ${from} is at hand.`)];
}

function isChecked({ result }: PlannedStep): boolean {
  return result.kind === "checked";
}

/** An introduction, and the risks in the order of work; or that there are none. */
function buildRisks(
  { report, repeated }: Checked,
  earlier: readonly PlannedStep[],
  accepted: ReadonlySet<string>,
): readonly Block[] {
  const own: Report = { ...report, risks: report.risks.filter(({ name }) => !repeated.has(name)) };
  const sections = buildRiskSections(own, { accepted });
  const [number, before] = [earlier.length + 1, earlier.length];
  if (sections.length > 0) {
    // What a step that was not checked would have found may be what a later one finds, which then can't wait.
    const wait = before > 0 && earlier.every(isChecked) ? `; it can wait until step ${before} is done` : "";
    return [buildText(`To do before step ${number}${wait}:`), ...sections];
  }
  const count = report.checks.filter(({ outcome }) => outcome.kind === "clear").length;
  const nothing = repeated.size === 0 ? "no risk" : "no other risk";
  return [buildText(`${formatCount(count, "check")} found ${nothing} for this step.`)];
}

function buildRepeated({ report, repeated }: Checked): readonly Block[] {
  if (repeated.size === 0) return [];
  const bySteps = Map.groupBy([...repeated], ([, step]) => step);
  const blocks = [...bySteps].map(([step, risks]) => {
    const names = joinNames(risks.map(([name]) => name));
    return buildText(`Already to do before step ${step}, and for ${report.target.text} too: ${names}.`);
  });
  return [{ kind: "panel", blocks }];
}

function buildUnknowns(report: Report, earlier: readonly Report[], accepted: ReadonlySet<string>): readonly Block[] {
  const own = omitRepeatedUnknowns(report, earlier);
  const names = joinNames(own.repeatedChecks);
  return [
    ...buildUnknownSection(own.report, { accepted }),
    ...(names === "" ? [] : [buildText(`Could not be checked in an earlier step either: ${names}.`)]),
  ];
}

function buildPending(
  { report, pending }: Checked,
  { step }: PlannedStep,
  before: number,
  checkFlags: string,
): readonly Block[] {
  if (pending.length === 0) return [];
  const target = formatStepTarget(step.to);
  const flag = getPlatform(report.target) === "openshift" ? `--to ${target}` : `--target-version v${target}`;
  const items = pending.map(({ id, reason }) => ({ lead: id, text: reason }));
  const command = ["preflight check", flag, checkFlags].filter((part) => part !== "").join(" ");
  const blocks: readonly Block[] = [{ kind: "list", items }, buildText(`Then run "${command}".`)];
  return [{ kind: "section", heading: `Seen once step ${before} is done`, blocks: [{ kind: "panel", blocks }] }];
}
