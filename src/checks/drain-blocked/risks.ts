import type { Context, Finding, RiskText } from "../../model/check.ts";
import {
  buildObjectCommand,
  buildPatchCommand,
  buildPrefix,
  formatObjectArgument,
  quoteArgument,
} from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { Platform } from "../../model/target-version.ts";

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
    `${objects} can't spare a pod even if all are healthy. The update to ${target.text} hangs on the nodes that run these pods.`,
  remediation:
    'Add a replica, set spec.maxUnavailable to 1, or delete the budget during the update. The selector must take all pods of a controller; pods without a controller need a smaller spec.minAvailable instead. "kubectl get poddisruptionbudgets -A" must show at least 1 allowed disruption.',
  knownAs: { liftedAs: "PodDisruptionBudgetAtLimit" },
  example: { object: BUDGET, detail: { limit: "maxUnavailable 1" } },
  fixKind: "weakening",
  fix: buildLimitCommands,
};

export const disruptionBudgetExhausted: RiskText = {
  name: "DisruptionBudgetExhausted",
  effect: "stuck",
  title: "A pod disruption budget has allowed no disruption for hours",
  url: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
  describe: (objects, { target }) =>
    `${objects} allowed no disruption for at least 2 hours, because no more pods are healthy than required. The update to ${target.text} hangs on the nodes that run these pods.`,
  remediation:
    'Repair the pods that are not healthy ("kubectl get pods -n NAMESPACE"), or delete the budget during the update. "kubectl get events -n NAMESPACE" shows why replicas are missing. "kubectl get poddisruptionbudgets -A" must show at least 1 allowed disruption.',
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
    `Pods of ${objects} also belong to a second budget, and the API server evicts no running pod with two. The update to ${target.text} hangs on the nodes that run these pods.`,
  remediation:
    'Delete one of the two budgets, or change their selectors so that no pod belongs to both ("kubectl get poddisruptionbudgets -A -o yaml" shows them).',
  see: ({ object, detail }, { platform }) =>
    [object, { ...object, name: detail?.["other"] ?? object.name }].map((ref) =>
      buildObjectCommand(platform, "get", ref),
    ),
  example: { object: BUDGET, detail: { other: "<other>" } },
  fixKind: "weakening",
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
    `The disruption controller can't compute ${objects}, so no healthy pod of it can be evicted. The update to ${target.text} hangs on the nodes that run these pods.`,
  remediation:
    'Set spec.minAvailable to a number of pods, which requires no controller with a scale, or delete the budget during the update. "kubectl describe poddisruptionbudget NAME" must no longer show SyncFailed.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: { object: BUDGET },
  fixKind: "weakening",
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
