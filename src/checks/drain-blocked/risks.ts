import type { RiskText } from "../../model/check.ts";

export const drainBlockedByDisruptionBudget: RiskText = {
  name: "DrainBlockedByDisruptionBudget",
  effect: "stuck",
  title: "A pod disruption budget never allows a pod to be evicted",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `${objects} can't spare a pod even if all are healthy: nodes with such a healthy pod can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    'Run more pods than the budget requires or replace its limit with spec.maxUnavailable 1 (for pods without a controller, with a number in spec.minAvailable), and let its selector take all pods of their controllers, so that "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption, or delete the budget for the duration of the update.',
  liftedAs: "PodDisruptionBudgetAtLimit",
};

export const disruptionBudgetExhausted: RiskText = {
  name: "DisruptionBudgetExhausted",
  effect: "stuck",
  title: "A pod disruption budget has allowed no disruption for hours",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `No disruption of ${objects} has been allowed for at least 2 hours, because no more pods are healthy than required: no healthy one can be evicted, and the update to ${target.text} stops at the nodes of the pods that can't go.`,
  remediation:
    'Repair the pods that are not healthy ("kubectl get pods -n NAMESPACE"), and find out why replicas are missing ("kubectl get events -n NAMESPACE"), until "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption, or delete the budget for the duration of the update.',
};

export const podsInSeveralDisruptionBudgets: RiskText = {
  name: "PodsInSeveralDisruptionBudgets",
  effect: "stuck",
  title: "Pods belong to more than one pod disruption budget",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `Pods of ${objects} also belong to a second budget, and the API server evicts no running pod with two: their nodes can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    'Delete one of the two budgets, or change their selectors until "kubectl get poddisruptionbudgets -A -o yaml" shows two that select different pods.',
};

export const disruptionBudgetNotComputed: RiskText = {
  name: "DisruptionBudgetNotComputed",
  effect: "stuck",
  title: "The disruption controller can't compute a pod disruption budget",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors",
  describe: (objects, { target }) =>
    `The disruption controller can't compute ${objects}, and so no healthy pod of it can be evicted: its nodes can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    'Set spec.minAvailable to a number of pods, which requires no controller with a scale, until "kubectl describe poddisruptionbudget NAME" no longer shows SyncFailed, or delete the budget for the duration of the update.',
};
