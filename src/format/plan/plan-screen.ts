import { formatCount } from "../../model/text.ts";
import { isComplete } from "../../model/unseen.ts";
import type { Recommendation } from "../../model/route.ts";
import { type Block, formatLabel, isShown, type PageDecision, type TableBlock, TERMINAL_ONLY } from "../text/page.ts";
import { listNotices } from "../view/lists.ts";
import { buildLeftOut } from "../view/partial-result.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { countUnseenChecks } from "../view/decision.ts";
import { buildOverviewRows, buildRiskSections, OVERVIEW_REST, type OverviewRow } from "../view/risk-sections.ts";
import { type CheckedStep, judgeStep, type StepView } from "./plan-view.ts";

/** A step with its risks in a line each. */
type ShortStep = StepView & { readonly rows: readonly OverviewRow[] };

/** Of a terminal: a line for each step with what it needs, and one for each risk; and at its end the decision again. */
export function buildPlanScreen(
  views: readonly StepView[],
  decision: PageDecision,
): { readonly start: readonly Block[]; readonly end: Block } {
  const steps = views.map((step) => ({ ...step, rows: listRows(step) }));
  const start = [buildStepLines(steps), ...buildWorkTable(views, ["terminal", "html"]), ...steps.flatMap(listUnknown)];
  return { start, end: buildEnd(steps, decision) };
}

/** All risks in a line each, with the step before which each is to be mended. */
export function buildWorkTable(steps: readonly StepView[], only: TableBlock["only"]): readonly TableBlock[] {
  const risks = steps.flatMap((step) => listRows(step).map((row) => ({ ...row, step: step.number })));
  if (risks.length === 0) return [];
  return [
    {
      kind: "table",
      only,
      head: ["Before", "Effect", "Risk", ...OVERVIEW_REST],
      rows: risks.map(({ step, effect, title, origin, rest }) => [
        `step ${step}`,
        effect,
        formatLabel(title, undefined, origin),
        ...rest,
      ]),
      tones: risks.map(({ tone }) => tone),
      flexible: 3,
      linked: 2,
    },
  ];
}

/** What a step could not see, and no step before it either. */
function listUnknown({ result, accepted }: StepView): readonly Block[] {
  if (result.kind === "notChecked") return [];
  const blocks = [...buildUnknownSection(result.own, { accepted }), ...buildLeftOut(result.own)];
  return blocks.flatMap((block): readonly Block[] =>
    isShown(block, "terminal") ? [{ ...block, ...TERMINAL_ONLY }] : [],
  );
}

function listRows({ result, accepted }: StepView): readonly OverviewRow[] {
  if (result.kind === "notChecked") return [];
  return buildOverviewRows(result.own, buildRiskSections(result.own, { accepted }));
}

function buildStepLines(steps: readonly ShortStep[]): TableBlock {
  const offers = steps.map(({ planned }) => OFFERS[planned.step.recommendation.kind]);
  const hasOffers = offers.some((offer) => offer !== "");
  return {
    kind: "table",
    ...TERMINAL_ONLY,
    head: ["Step", "Update", ...(hasOffers ? ["Offered"] : []), "Needs"],
    rows: steps.map((step, i) => [
      String(step.number),
      `${step.planned.from} -> ${step.target}`,
      ...(hasOffers ? [offers[i] ?? ""] : []),
      listNeeds(step).join(", ") || "nothing",
    ]),
    flexible: hasOffers ? 3 : 2,
  };
}

const OFFERS: Readonly<Record<Recommendation["kind"], string>> = {
  recommended: "recommended",
  conditional: "with conditions",
  notOffered: "no",
  unknown: "",
};

/** "2 risks mended, channel stable-4.19, 1 check after step 1" */
function listNeeds({ number, result, planned, before, rows }: ShortStep): readonly string[] {
  if (result.kind === "notChecked") return [`a release to check: ${result.message}`];
  return [
    ...(rows.length === 0 ? [] : [`${formatCount(rows.length, "risk")} mended`]),
    ...result.repeatedRisks.map(([earlier]) => `what step ${earlier} needs`),
    ...(planned.channel === undefined || planned.channel === before?.channel ? [] : [`channel ${planned.channel}`]),
    ...listJudgements(planned.step.recommendation),
    ...listOpen(result),
    ...(result.pending.length === 0 ? [] : [`${formatCount(result.pending.length, "check")} after step ${number - 1}`]),
  ];
}

/** The conditions that nobody has evaluated. */
function listJudgements(recommendation: Recommendation): readonly string[] {
  if (recommendation.kind !== "conditional" || recommendation.exposure !== "notEvaluated") return [];
  return [`a verdict on ${recommendation.risks.map(({ name }) => name).join(", ")}`];
}

/** What could not be checked, and in no step before it either. */
function listOpen({ own, repeatedChecks }: CheckedStep): readonly string[] {
  const [leftOut, incomplete] = countUnseenChecks(own);
  return [
    ...(incomplete === 0 ? [] : [`${formatCount(incomplete, "check")} completed`]),
    ...(leftOut === 0 ? [] : [`${formatCount(leftOut, "left-out check")} run`]),
    ...(repeatedChecks === "" ? [] : [`${repeatedChecks} completed, as before`]),
    ...(own.unseen.some(({ check }) => check === undefined) && !isComplete(own)
      ? ["a look at the minors between"]
      : []),
  ];
}

/** The decision again, and where to begin. */
function buildEnd(steps: readonly ShortStep[], decision: PageDecision): Block {
  const step = steps.find((one) => judgeStep(one) === "risk");
  const [first] = step?.rows ?? [];
  const notices = steps.flatMap(({ result }) => (result.kind === "checked" ? listNotices(result.own) : []));
  const more = notices.length === 0 ? "" : `, with ${formatCount(notices.length, "notice")}`;
  const next = first === undefined || step === undefined ? "" : ` Next: ${first.title}, before step ${step.number}.`;
  return {
    kind: "text",
    ...TERMINAL_ONLY,
    text: `${decision.words}.${next} Each step in detail${more}: -o wide.`,
    verdict: decision.kind,
  };
}
