import { createPageFormats } from "../text/page-formats.ts";
import { buildPlanPage } from "./plan-page.ts";
import { buildPlaybookPage } from "./playbook-page.ts";
import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import { isPlanComplete } from "../../model/plan.ts";
import { formatTime } from "../../model/time.ts";
import { buildTargetResult, type ResultFacts } from "../programs/json.ts";
import { formatJsonText } from "../../model/visible-text.ts";
import { buildRecommendationJson } from "../view/report-page.ts";
import { listSteps, type PlanView, type StepView } from "./plan-view.ts";

const page = createPageFormats(buildPlanPage);

/** The output formats of a plan, by name. */
export const planFormats = {
  table: page.table,
  wide: (view: Parameters<typeof page.table>[0]): string => page.table({ ...view, isWide: true }),
  markdown: page.markdown,
  html: page.html,
  json: formatPlanJson,
};

const { markdown, html } = createPageFormats(buildPlaybookPage);

/** Those of a plan as a checklist. */
export const playbookFormats = { markdown, html };

/** The plan for machines; schemas/preflight-plan-v1.schema.json describes it. The result of a step is what `check -o json` prints. */
export function formatPlanJson({ plan, cluster, run, judged }: PlanView & Pick<ResultFacts, "run">): string {
  const { route, observedAt, controlPlaneOnly } = plan;
  const steps = listSteps({ plan, judged });
  return formatJsonText({
    format: "preflight-plan-v1-json",
    sourceVersion: route.source.text,
    targetVersion: steps.at(-1)?.target ?? "",
    basis: route.basis,
    complete: isPlanComplete(plan),
    observedAt: formatTime(observedAt),
    accepted: sortNames(steps.flatMap(({ accepted }) => [...accepted])),
    cluster,
    controlPlaneOnly,
    steps: steps.map((step) => ({ ...buildStepJson(step), ...buildResultJson(step, { run, observedAt }) })),
    runner: { version: run.runnerVersion },
  });
}

function buildStepJson({ number, planned, target }: StepView): object {
  const { to, recommendation } = planned.step;
  return {
    step: number,
    sourceVersion: planned.from,
    targetVersion: target,
    targetImage: to.kind === "release" ? to.image : undefined,
    ...buildRecommendationJson(recommendation),
    channel: planned.channel,
  };
}

function buildResultJson({ result, target, accepted }: StepView, facts: ResultFacts): object {
  if (result.kind === "notChecked") return { state: "notChecked", reason: result.message };
  const { report, pending, repeated } = result;
  return {
    state: "checked",
    pending: pending.map(({ id, reason }) => ({ id, reason })),
    repeated: [...repeated]
      .map(([risk, number]) => ({ risk, step: number }))
      .toSorted((a, b) => compareText(a.risk, b.risk)),
    result: buildTargetResult({ report, accepted }, target, facts),
  };
}
