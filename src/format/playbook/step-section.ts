import { formatVerification } from "../view/image-verification.ts";
import { joinNames } from "../../model/names.ts";
import { listCheckedReports, type PlannedStep, type StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { selectAcceptedNames } from "../view/acceptances.ts";
import { listIncompleteChecks } from "../view/unknown-causes.ts";
import type { Block, Card, Item, Section, Text } from "../text/page.ts";
import { selectNewNotices } from "../plan/new-notices.ts";
import { omitRepeatedUnknowns } from "../plan/repeated-unknowns.ts";
import { buildListSection, listUnseen } from "../view/lists.ts";
import { buildRiskCard } from "../view/risk-sections.ts";
import { formatAcceptance, groupRisks, type RiskEntry, type RiskGroup } from "../view/work-order.ts";
import { buildTask, buildTasks, listChecksAfter, listStarts } from "./update-commands.ts";
import type { PlaybookView } from "./playbook-view.ts";
import { buildPauseCommands } from "../plan/plan-page.ts";

type Checked = Extract<StepResult, { kind: "checked" }>;

/** The check whose risks are acknowledgements: they are given last, once what they speak of is done. */
const ACKNOWLEDGEMENTS = "admin-acks";

/** One update: what to do before it, how to start it, and what to look at after it. */
export function buildStepSection(view: PlaybookView, index: number): readonly Section[] {
  const planned = view.plan.steps[index];
  if (planned === undefined) return [];
  const number = index + 1;
  return [
    {
      ...buildSection(`Step ${number}: ${planned.from} to ${formatStepTarget(planned.step.to)}`, [
        ...buildConditions(planned),
        buildSection(`Before step ${number}`, buildBefore(view, planned, index)),
        buildSection(`Step ${number}`, buildUpdate(view, planned, index)),
        buildSection(`After step ${number}`, buildAfter(view, planned, index)),
      ]),
      anchor: `step-${number}`,
    },
  ];
}

function buildSection(heading: string, blocks: readonly Block[]): Section {
  return { kind: "section", heading, blocks };
}

/** `text`: words of our own, and texts of others as parts of their own. */
function buildText(text: string | readonly Exclude<Text, string>[number][]): Block {
  return { kind: "text", text: typeof text === "string" ? [{ own: text }] : text };
}

function buildConditions({ step: { recommendation } }: PlannedStep): readonly Block[] {
  if (recommendation.kind !== "conditional") return [];
  const items = recommendation.risks.map(({ name, message, url }) => ({ lead: name, text: `${message} ${url}` }));
  return [buildText("The update service offers it with conditions:"), { kind: "list", items }];
}

function buildBefore(view: PlaybookView, planned: PlannedStep, index: number): readonly Block[] {
  const { result } = planned;
  if (result.kind === "notChecked") {
    const text = [{ own: "This update was not checked: " }, result.message, { own: ". Check it first." }];
    return buildTasks([{ text }]);
  }
  const earlier = listCheckedReports(view.plan.steps.slice(0, index));
  const blocks = [
    ...buildImage(result.report),
    ...buildWork(view, result, index),
    ...buildRepeated(result),
    ...buildUnknowns(view, result.report, earlier),
    ...buildListSection("Worth knowing", selectNewNotices(result.report, earlier)),
  ];
  return blocks.length === 0 ? [buildText("Nothing to do before this step.")] : blocks;
}

function buildImage({ image, imageVerification }: Report): readonly Block[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [
    buildText([{ own: "Release image " }, { code: image }, { own: ": " }, formatVerification(imageVerification)]),
  ];
}

function buildWork(view: PlaybookView, { report, repeated }: Checked, index: number): readonly Block[] {
  const acceptances = view.judged[index] ?? [];
  const own = { ...report, risks: report.risks.filter(({ name }) => !repeated.has(name)) };
  const groups = groupRisks(own, { accepted: selectAcceptedNames(acceptances), acceptances });
  const open = groups.filter(({ kind }) => kind !== "accepted");
  const build = (entries: readonly RiskEntry[], kind: RiskGroup["kind"]): readonly Card[] =>
    entries.map((entry) => buildWorkCard(entry, kind, { report, recheck: view.recheckSome }));
  const acknowledgements = open.flatMap(({ entries, kind }) => build(entries.filter(isAcknowledgement), kind));
  const canWait = index > 0 && view.plan.steps.slice(0, index).every(({ result }) => result.kind === "checked");
  return [
    ...(canWait && open.length > 0 ? [buildText(`This can wait until step ${index} is done.`)] : []),
    ...open.flatMap(({ heading, kind, entries }) => {
      const work = entries.filter((entry) => !isAcknowledgement(entry));
      return work.length === 0 ? [] : [{ ...buildSection(heading, build(work, kind)), tone: kind }];
    }),
    ...(acknowledgements.length === 0 ? [] : [buildSection("Acknowledgements", acknowledgements)]),
    ...groups.flatMap(({ kind, entries }) =>
      kind === "accepted" ? buildListSection("Accepted", entries.map(buildAccepted)) : [],
    ),
  ];
}

type WorkPlace = { readonly report: Report; readonly recheck: string };

/** A risk as work, with the command that shows that it is done. */
function buildWorkCard(entry: RiskEntry, tone: Card["tone"], { report, recheck }: WorkPlace): Card {
  const { check = "" } = entry.risk;
  const isLimited = report.checks.some(({ id, omittedFindings }) => id === check && omittedFindings !== undefined);
  const done = `${recheck} --only ${check} --fail-on risk`;
  return { ...buildRiskCard(entry, tone, isLimited, {}), task: { done, list: `${done} -o json` } };
}

/** An accepted risk: why, and until when. */
function buildAccepted({ risk, acceptances }: RiskEntry): Item {
  const reasons = acceptances.length === 0 ? ["Accepted by a flag"] : acceptances.map(formatAcceptance);
  return { lead: risk.name, text: `${risk.description} ${reasons.join("; ")}` };
}

function isAcknowledgement({ risk }: RiskEntry): boolean {
  return risk.check === ACKNOWLEDGEMENTS;
}

function buildRepeated({ repeated }: Checked): readonly Block[] {
  const bySteps = Map.groupBy([...repeated], ([, step]) => step);
  return [...bySteps].map(([step, risks]) => {
    const names = joinNames(risks.map(([name]) => name));
    return buildText(`Already to do before step ${step}, and needed for this step too: ${names}.`);
  });
}

function buildUnknowns(view: PlaybookView, report: Report, earlier: readonly Report[]): readonly Block[] {
  const { report: own, repeatedChecks } = omitRepeatedUnknowns(report, earlier);
  const items = listUnseen(own);
  const ids = listIncompleteChecks(own);
  const again = { code: `${view.recheckSome} --only ${ids.join(",")} --fail-on risk -o json` };
  const remedy: Block = buildText([
    { own: "Grant the rights that " },
    { code: "preflight rbac" },
    { own: " prints, or fix what is named, then: " },
    again,
  ]);
  const blocks = [...buildTasks(items), ...(ids.length === 0 ? [] : [remedy])];
  const others = `Could not be checked in an earlier step either: ${joinNames(repeatedChecks)}.`;
  return [
    ...(items.length === 0 ? [] : [buildSection("Could not be checked", blocks)]),
    ...(repeatedChecks.length === 0 ? [] : [buildText(others)]),
  ];
}

function buildUpdate({ plan }: PlaybookView, planned: PlannedStep, index: number): readonly Block[] {
  if (getPlatform(plan.route.source) === "kubernetes") {
    const text = `Update the cluster to ${formatStepTarget(planned.step.to)} as its distribution describes.`;
    return buildTasks([buildTask(text)]);
  }
  const pools = index === 0 ? (plan.controlPlaneOnly?.pools ?? []) : [];
  const pause = "If the nodes are to skip the minor between, pause their pools:";
  return buildTasks([
    ...(pools.length === 0 ? [] : [buildTask(pause, ...buildPauseCommands(pools, true))]),
    ...listStarts(planned, plan.steps[index - 1]),
  ]);
}

function buildAfter({ plan, recheck }: PlaybookView, { step }: PlannedStep, index: number): readonly Block[] {
  const isLast = index === plan.steps.length - 1;
  const pools = plan.controlPlaneOnly?.pools ?? [];
  const platform = getPlatform(plan.route.source);
  const next = plan.steps[index + 1]?.result;
  const resume = "Resume the pools that were paused, and wait for their nodes:";
  return [
    ...buildTasks([
      ...(isLast && pools.length > 0 ? [buildTask(resume, ...buildPauseCommands(pools, false))] : []),
      ...listChecksAfter(platform, formatStepTarget(step.to), pools.length > 0 && !isLast),
    ]),
    ...(next?.kind === "checked" ? buildPending(next) : []),
    ...buildTasks(isLast ? [] : [buildTask("Check the rest of the way again:", recheck)]),
  ];
}

function buildPending({ pending }: Checked): readonly Block[] {
  if (pending.length === 0) return [];
  const items = pending.map(({ id, reason }) => ({ lead: id, text: reason }));
  return [buildText("These checks of the next step have a verdict only now:"), { kind: "list", items }];
}
