import type { RiskText } from "../../model/check.ts";

export const drainBlockedByDisruptionBudget: RiskText = {
  name: "DrainBlockedByDisruptionBudget",
  title: "A pod disruption budget never lets a pod be evicted",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `${objects} can't spare any pod even if all are healthy, so nodes with these pods can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    "Run more pods than the budget keeps, let it spare one (spec.maxUnavailable of 1), or take it away for the time of the update.",
  liftedAs: "PodDisruptionBudgetAtLimit",
};

export const podsInSeveralDisruptionBudgets: RiskText = {
  name: "PodsInSeveralDisruptionBudgets",
  title: "Pods belong to more than one pod disruption budget",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `The pods of ${objects} belong to a second budget as well, and the API server evicts no pod with two, so their nodes can't be drained and the update to ${target.text} stops at them.`,
  remediation: "Delete one of the two budgets, or make their selectors choose different pods.",
};

export const disruptionBudgetNotComputed: RiskText = {
  name: "DisruptionBudgetNotComputed",
  title: "The disruption controller can't compute a pod disruption budget",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors",
  describe: (objects, { target }) =>
    `The disruption controller can't compute ${objects} and so allows no eviction of the pods: their nodes can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    "Use spec.minAvailable with a number of pods, which needs no controller with a scale, or take the budget away for the time of the update.",
};
