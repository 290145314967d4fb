import { flagAt, type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { buildVerdict, type InsightResource, type InsightVerdict, type UpdateProgress } from "./condition.ts";

/** The status insight about one node that a machine config pool updates. */
export type NodeInsight = {
  readonly name: string;
  readonly resource: InsightResource;
  readonly poolResource: InsightResource;
  readonly scopeType: "ControlPlane" | "WorkerPool";
  readonly version?: string;
  readonly message?: string;
  readonly conditions: readonly InsightVerdict[];
};

/** The release that made a rendered MachineConfig; undefined if that isn't known. */
export type FindConfigVersion = (config: string) => string | undefined;

/** The fields of a Node and of its annotations that matter here. */
export function keepNode(node: JsonObject): JsonObject {
  const { name, resourceVersion, labels } = objectAt(node, "metadata");
  const annotations = Object.entries(objectAt(node, "metadata", "annotations"));
  const kept = annotations.filter(([key]) => key.startsWith(PREFIX));
  return {
    metadata: { ...pick({ name, resourceVersion, labels }), annotations: Object.fromEntries(kept) },
    spec: { ...pick({ unschedulable: objectAt(node, "spec")["unschedulable"] }) },
    status: { ...pick({ conditions: objectAt(node, "status")["conditions"] }) },
  };
}

function pick(values: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

const PREFIX = "machineconfiguration.openshift.io/";

export function getMachineConfigText(node: JsonObject, key: string): string | undefined {
  return textAt(node, "metadata", "annotations", `${PREFIX}${key}`);
}

export const CONTROL_PLANE_POOL = "master";

export function buildPoolResource(name: string): InsightResource {
  return { group: "machineconfiguration.openshift.io", resource: "machineconfigpools", name };
}

/** Source: assessNode in pkg/updatestatus of openshift/cluster-version-operator, before its removal. */
export function buildNodeInsight(
  node: JsonObject,
  pool: JsonObject,
  progress: UpdateProgress,
  findVersion: FindConfigVersion,
): NodeInsight {
  const name = textAt(node, "metadata", "name") ?? "";
  const poolName = textAt(pool, "metadata", "name") ?? "";
  const scopeType = poolName === CONTROL_PLANE_POOL ? "ControlPlane" : "WorkerPool";
  const version = findVersion(getMachineConfigText(node, "currentConfig") ?? "");
  const available = judgeAvailable(node);
  const degraded = judgeDegraded(node);
  const updating = judgeUpdating(node, { isPaused: flagAt(pool, "spec", "paused") === true, scopeType }, progress, {
    version,
    desiredVersion: findVersion(getMachineConfigText(node, "desiredConfig") ?? ""),
  });
  const notable = degraded.status === "True" ? degraded : available.status === "False" ? available : undefined;
  return {
    name,
    resource: { resource: "nodes", name },
    poolResource: buildPoolResource(poolName),
    scopeType,
    ...(version === undefined ? {} : { version }),
    ...(notable === undefined ? {} : { message: notable.message }),
    conditions: [updating, available, degraded],
  };
}

type NodeVersions = { readonly version: string | undefined; readonly desiredVersion: string | undefined };
type NodePoolFacts = { readonly isPaused: boolean; readonly scopeType: NodeInsight["scopeType"] };

function judgeUpdating(
  node: JsonObject,
  { isPaused, scopeType }: NodePoolFacts,
  { target, state, isSameVersion }: UpdateProgress,
  { version, desiredVersion }: NodeVersions,
): InsightVerdict {
  const unknown = (why: string): InsightVerdict => buildVerdict("Updating", "Unknown", ["CannotDetermine", why]);
  if (version === undefined) return unknown("The release of its current MachineConfig is not known.");
  const isSettled = getMachineConfigText(node, "currentConfig") === getMachineConfigText(node, "desiredConfig");
  const isOver = scopeType === "ControlPlane" && state === "over";
  // Another configuration of the same release is rolled out without an update, unless the update itself keeps the version.
  if (version === target && (isSettled || isOver || !isSameVersion))
    return buildVerdict("Updating", "False", ["Completed", `It runs ${target}.`]);
  if (state === "unknown") return unknown("Whether the control plane is updating is not known.");
  if (isOver) return unknown(`It runs ${version}, although the update of the control plane is complete.`);
  if (desiredVersion === target) return buildPhase(node, target);
  if (isPaused) return buildVerdict("Updating", "False", ["Paused", `It runs ${version}, and its pool is paused.`]);
  return buildVerdict("Updating", "False", ["Pending", `It runs ${version}, and waits for its turn.`]);
}

function buildPhase(node: JsonObject, target: string): InsightVerdict {
  const state = getMachineConfigText(node, "state");
  if (state === "Rebooting") return buildVerdict("Updating", "True", ["Rebooting", `It reboots into ${target}.`]);
  if (isDraining(node)) return buildVerdict("Updating", "True", ["Draining", "Its pods are evicted."]);
  return buildVerdict("Updating", "True", ["Updating", `The configuration of ${target} is applied.`]);
}

/** Also before the daemon has begun: a drain is what comes first. */
function isDraining(node: JsonObject): boolean {
  const desired = getMachineConfigText(node, "desiredDrain") ?? "";
  const applied = getMachineConfigText(node, "lastAppliedDrain") ?? "";
  if (desired !== applied && desired.startsWith("drain-")) return true;
  return getMachineConfigText(node, "state") === "Done";
}

function judgeDegraded(node: JsonObject): InsightVerdict {
  const state = getMachineConfigText(node, "state") ?? "";
  if (state !== "Degraded" && state !== "Unreconcilable")
    return buildVerdict("Degraded", "False", ["AsExpected", "The machine-config daemon reports no failure."]);
  const said = getMachineConfigText(node, "reason") ?? "";
  return buildVerdict("Degraded", "True", [state, said === "" ? `The machine-config daemon is ${state}.` : said]);
}

/** What keeps pods away from a node, with the status that a condition of it has on a sound node. */
const NEEDED = [
  ["Ready", "True", "NotReady", "It is not ready"],
  ["DiskPressure", "False", "DiskPressure", "Its disk is nearly full"],
  ["NetworkUnavailable", "False", "NetworkUnavailable", "It has no network"],
] as const;

function judgeAvailable(node: JsonObject): InsightVerdict {
  if (findCondition(node, "Ready") === undefined)
    return buildVerdict("Available", "Unknown", [
      "CannotDetermine",
      "Its kubelet has not reported whether it is ready.",
    ]);
  for (const [type, sound, reason, text] of NEEDED) {
    const condition = findCondition(node, type);
    if (condition === undefined || textAt(condition, "status") === sound) continue;
    return buildVerdict("Available", "False", [reason, `${text}: ${textAt(condition, "message") ?? ""}`]);
  }
  if (flagAt(node, "spec", "unschedulable") === true)
    return buildVerdict("Available", "False", ["Unschedulable", "It is cordoned, so it gets no pods."]);
  return buildVerdict("Available", "True", ["AsExpected", "It is ready for pods."]);
}
