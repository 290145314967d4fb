import { judgeAcceptances } from "../../format/view/acceptances.ts";
import type { Acceptance, JudgedAcceptance } from "../../model/acceptance.ts";
import type { Plan } from "../../model/plan.ts";

/** Judges acceptances for each step, whose objects may differ; an empty list for a step that was not checked. */
export function judgeStepAcceptances(
  { steps }: Plan,
  acceptances: readonly Acceptance[],
): readonly (readonly JudgedAcceptance[])[] {
  return steps.map(({ result }) => (result.kind === "checked" ? judgeAcceptances(acceptances, result.report) : []));
}

/** One judgement for each acceptance: one that accepts nothing in one step may do so in another. */
export function combineJudgements(steps: readonly (readonly JudgedAcceptance[])[]): readonly JudgedAcceptance[] {
  const judged = steps.filter((step) => step.length > 0);
  const [first = []] = judged;
  return first.map((one, i) => {
    const ofSteps = judged.flatMap((step) => step[i] ?? []);
    return (
      ofSteps.find(({ state }) => state.kind !== "unmatched" && state.kind !== "accepted") ??
      findAccepted(ofSteps) ??
      one
    );
  });
}

function findAccepted(judged: readonly JudgedAcceptance[]): JudgedAcceptance | undefined {
  return judged.find(({ state }) => state.kind === "accepted");
}
