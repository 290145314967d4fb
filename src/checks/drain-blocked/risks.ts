import type { Context, Finding, Platform, RiskText } from "../../model/check.ts";
import {
  buildObjectCommand,
  buildPatchCommand,
  buildPrefix,
  formatObjectArgument,
  quoteArgument,
} from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** As `explain` shows it. */
const BUDGET: ObjectRef = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  namespace: "<namespace>",
  name: "<name>",
};

export const drainBlockedByDisruptionBudget: RiskText = {
  name: "DrainBlockedByDisruptionBudget",
  effect: "stuck",
  title: "A pod disruption budget never allows a pod to be evicted",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `${objects} can't spare a pod even if all are healthy: nodes with such a healthy pod can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    'Add a replica, set spec.maxUnavailable to 1 with a selector that takes all pods of their controllers (for pods without a controller: a smaller number in spec.minAvailable), or delete the budget for the duration of the update. "kubectl get poddisruptionbudgets -A" then shows at least 1 allowed disruption.',
  knownAs: { liftedAs: "PodDisruptionBudgetAtLimit" },
  example: { object: BUDGET, detail: { limit: "maxUnavailable 1" } },
  fix: buildLimitCommands,
};

export const disruptionBudgetExhausted: RiskText = {
  name: "DisruptionBudgetExhausted",
  effect: "stuck",
  title: "A pod disruption budget has allowed no disruption for hours",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `No disruption of ${objects} has been allowed for at least 2 hours, because no more pods are healthy than required: no healthy one can be evicted, and the update to ${target.text} hangs on the nodes that run these pods.`,
  remediation:
    'Repair the pods that are not healthy ("kubectl get pods -n NAMESPACE"), and find out why replicas are missing ("kubectl get events -n NAMESPACE"), until "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption, or delete the budget for the duration of the update.',
  see: ({ object }, { platform }) => [
    buildObjectCommand(platform, "get", object),
    `${buildPrefix(platform, object.namespace)} get pods`,
    `${buildPrefix(platform, object.namespace)} get events`,
  ],
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
  see: ({ object, detail }, { platform }) =>
    [object, { ...object, name: detail?.["other"] ?? object.name }].map((ref) =>
      buildObjectCommand(platform, "get", ref),
    ),
  example: { object: BUDGET, detail: { other: "<other>" } },
  fix: ({ object }, { platform }) => [
    `${buildPrefix(platform, object.namespace)} delete ${formatObjectArgument({ ...object, name: "" })}<one-of-the-two>`,
  ],
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
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: { object: BUDGET },
  fix: ({ object }, { platform }) => [buildMinAvailable(object, platform, "<number>")],
};

/** The limit that spares a pod; where the controllers' pods decide, the selector is a choice. */
function buildLimitCommands({ object, path, detail }: Finding, { platform }: Context): readonly string[] {
  if (path === "spec.selector") return [buildObjectCommand(platform, "edit", object)];
  const limit = detail?.["limit"] ?? "";
  if (limit === "maxUnavailable 1")
    return [buildPatchCommand(platform, object, { spec: { minAvailable: null, maxUnavailable: 1 } })];
  return [buildMinAvailable(object, platform, /^minAvailable (\d+)$/.exec(limit)?.[1] ?? "<number>")];
}

/** `<number>` is no JSON: the command fails until it is replaced. */
function buildMinAvailable(object: ObjectRef, platform: Platform, number: string): string {
  const patch = `{"spec":{"maxUnavailable":null,"minAvailable":${number}}}`;
  return `${buildPrefix(platform, object.namespace)} patch ${formatObjectArgument(object)} --type=merge -p ${quoteArgument(patch)}`;
}
