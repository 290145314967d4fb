import type { PlannedStep } from "../../model/plan.ts";
import { formatStepTarget, isRecommended, type RouteStep } from "../../model/route.ts";
import type { Platform } from "../../model/check.ts";
import type { Block, Item } from "../text/page.ts";

/** How an update is started: the channel first, if the cluster is not subscribed to it. */
export function listStarts({ step, channel }: PlannedStep, before: PlannedStep | undefined): readonly Item[] {
  const needsChannel = channel !== undefined && channel !== before?.channel;
  return [
    ...(needsChannel
      ? [buildTask("Select the channel that has the release:", `oc adm upgrade channel ${channel}`)]
      : []),
    buildTask("Start the update:", buildStartCommand(step)),
  ];
}

/** An image by digest. A graph of others may write anything in its place, and a shell would run it. */
const PULL_SPEC = /^\w[\w.:/-]*@sha256:[0-9a-f]{64}$/;

/** What the update service does not recommend needs a flag that says so; what it does not list, its image. */
function buildStartCommand({ to, recommendation }: RouteStep): string {
  const target = formatStepTarget(to);
  if (to.kind === "minor") return `oc adm upgrade --to=<a ${target} release>`;
  if (recommendation.kind === "conditional" && !isRecommended(recommendation))
    return `oc adm upgrade --allow-not-recommended --to=${target}`;
  if (recommendation.kind === "recommended" || recommendation.kind === "conditional")
    return `oc adm upgrade --to=${target}`;
  const image = PULL_SPEC.test(to.image ?? "") ? to.image : `<image of ${target} by digest>`;
  return recommendation.kind === "notOffered"
    ? `oc adm upgrade --allow-explicit-upgrade --to-image=${image}`
    : `oc adm upgrade --to=${target}`;
}

/** What is to be looked at once the update is done. */
export function listChecksAfter(platform: Platform, target: string, arePoolsPaused: boolean): readonly Item[] {
  if (platform === "kubernetes")
    return [
      buildTask(`The API server runs ${target}:`, "kubectl version"),
      buildTask("Every node is Ready, with the new kubelet:", "kubectl get nodes"),
    ];
  const pools = arePoolsPaused
    ? "The pool master is UPDATED and not DEGRADED; paused pools are not UPDATED yet:"
    : "Every machine config pool is UPDATED and none DEGRADED:";
  return [
    buildTask(`ClusterVersion shows ${target}, AVAILABLE and no longer PROGRESSING:`, "oc get clusterversion"),
    buildTask("Every cluster operator is AVAILABLE, and none PROGRESSING or DEGRADED:", "oc get clusteroperators"),
    buildTask(pools, "oc get machineconfigpools"),
    buildTask("Every node is Ready:", "oc get nodes"),
  ];
}

/** Something to do, with the commands that do it. */
export function buildTask(text: string, ...commands: readonly string[]): Item {
  return commands.length === 0 ? { text: [{ own: text }] } : { text: [{ own: text }], commands };
}

export function buildTasks(items: readonly Item[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: "list", isToDo: true, items }];
}
