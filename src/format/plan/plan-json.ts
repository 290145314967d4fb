import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { defined } from "../../model/optional.ts";
import { isPlanComplete, type PlannedStep } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { formatTime } from "../../model/time.ts";
import type { RunFacts } from "../document/document.ts";
import { buildTargetResult } from "../programs/json.ts";
import { buildRecommendationJson } from "../view/offer.ts";
import type { PlanView } from "./plan-page.ts";
import { formatJsonText } from "../text/json-text.ts";

/** The plan for machines; schemas/preflight-plan-v1.schema.json describes it. The result of a step is what `check -o json` prints. */
export function formatPlanJson({ plan, accepted, cluster, run }: PlanView & { readonly run: RunFacts }): string {
  const { route, observedAt, steps, controlPlaneOnly } = plan;
  const last = route.steps.at(-1);
  const value = {
    format: "preflight-plan-v1-json",
    sourceVersion: route.source.text,
    targetVersion: last === undefined ? "" : formatStepTarget(last.to),
    basis: route.basis,
    complete: isPlanComplete(plan),
    observedAt: formatTime(observedAt),
    accepted: sortNames(accepted.flatMap((names) => [...names])),
    ...defined({ cluster, controlPlaneOnly }),
    steps: steps.map((step, i) => ({
      step: i + 1,
      ...buildStepJson(step),
      ...buildResultJson(step, (report, targetVersion) =>
        buildTargetResult({ report, accepted: accepted[i] ?? new Set() }, targetVersion, observedAt, run),
      ),
    })),
    runner: { version: run.runnerVersion },
  };
  return formatJsonText(value);
}

function buildStepJson({ from, step: { to, recommendation }, channel }: PlannedStep): object {
  return {
    sourceVersion: from,
    targetVersion: formatStepTarget(to),
    ...(to.kind === "release" ? defined({ targetImage: to.image }) : {}),
    ...buildRecommendationJson(recommendation),
    ...defined({ channel }),
  };
}

type BuildResult = (report: Report, targetVersion: string) => object;

function buildResultJson({ step, result }: PlannedStep, buildResult: BuildResult): object {
  if (result.kind === "notChecked") return { state: "notChecked", reason: result.message };
  const { report, pending, repeated } = result;
  return {
    state: "checked",
    pending: pending.map(({ id, reason }) => ({ id, reason })),
    repeated: [...repeated]
      .map(([risk, number]) => ({ risk, step: number }))
      .toSorted((a, b) => compareText(a.risk, b.risk)),
    result: buildResult(report, formatStepTarget(step.to)),
  };
}
