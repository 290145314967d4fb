import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { defined } from "../../model/optional.ts";
import { isPlanComplete, type PlannedStep } from "../../model/plan.ts";
import { formatStepTarget } from "../../model/route.ts";
import { formatTime } from "../../model/time.ts";
import type { RunFacts } from "../document/document.ts";
import { buildTargetResult } from "../programs/json.ts";
import { buildRecommendationJson } from "../view/offer.ts";
import type { PlanView } from "./plan-page.ts";
import { formatJsonText } from "../text/json-text.ts";

/** The plan for machines; schemas/preflight-plan-v1.schema.json describes it. The result of a step is what `check -o json` prints. */
export function formatPlanJson(
  { plan, accepted, cluster }: Pick<PlanView, "plan" | "accepted" | "cluster">,
  run: RunFacts,
): string {
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
    steps: steps.map((step, i) => buildStepJson(step, i, observedAt, accepted[i] ?? new Set(), run)),
    runner: { version: run.runnerVersion },
  };
  return formatJsonText(value);
}

function buildStepJson(
  { from, step, channel, result }: PlannedStep,
  index: number,
  observedAt: Date,
  accepted: ReadonlySet<string>,
  run: RunFacts,
): object {
  const { to, recommendation } = step;
  const targetVersion = formatStepTarget(to);
  return {
    step: index + 1,
    sourceVersion: from,
    targetVersion,
    ...(to.kind === "release" ? defined({ targetImage: to.image }) : {}),
    ...buildRecommendationJson(recommendation),
    ...defined({ channel }),
    ...buildResultJson(result, targetVersion, observedAt, accepted, run),
  };
}

function buildResultJson(
  result: PlannedStep["result"],
  targetVersion: string,
  observedAt: Date,
  accepted: ReadonlySet<string>,
  run: RunFacts,
): object {
  if (result.kind === "notChecked") return { state: "notChecked", reason: result.message };
  const { report, pending, repeated } = result;
  return {
    state: "checked",
    pending: pending.map(({ id, reason }) => ({ id, reason })),
    repeated: [...repeated].map(([risk, step]) => ({ risk, step })).toSorted((a, b) => compareText(a.risk, b.risk)),
    result: buildTargetResult({ report, accepted }, targetVersion, observedAt, run),
  };
}
