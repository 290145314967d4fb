import type { Unknown, Context, Finding } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import { isControlPlaneOnlyStep } from "./control-plane-only.ts";
import { type MachineConfigPool, selectDegradedConditions, hasCondition } from "./pool.ts";
import {
  machineConfigPoolImageBuildInterrupted,
  degradedMachineConfigPool,
  pausedMachineConfigPoolLeftBehind,
  requiredMachineConfigPoolPaused,
  machineConfigPoolMaxUnavailableUnusable,
} from "./risks.ts";

export function buildPoolFindings(pool: MachineConfigPool, context: Context): readonly Finding[] {
  return [
    ...buildDegradedFindings(pool),
    ...buildInterruptedBuildFindings(pool),
    ...buildPausedFindings(pool, context),
    ...buildStuckFindings(pool),
  ];
}

function buildDegradedFindings(pool: MachineConfigPool): readonly Finding[] {
  if (!hasCondition(pool, "Degraded")) return [];
  return selectDegradedConditions(pool).map(({ type, message }) => ({
    risk: degradedMachineConfigPool.name,
    object: pool.object,
    path: `status.conditions[${type}]`,
    message: `The pool's condition ${type} is True.`,
    ...(message === "" ? {} : { detail: { message } }),
  }));
}

function buildInterruptedBuildFindings(pool: MachineConfigPool): readonly Finding[] {
  if (!hasCondition(pool, "BuildInterrupted")) return [];
  const [path, message] = ["status.conditions[BuildInterrupted]", "The build of the pool's image was interrupted."];
  return [{ risk: machineConfigPoolImageBuildInterrupted.name, object: pool.object, path, message }];
}

function buildPausedFindings(pool: MachineConfigPool, context: Context): readonly Finding[] {
  const risk = findPausedRisk(pool, context);
  if (risk === undefined) return [];
  const message =
    risk === requiredMachineConfigPoolPaused.name
      ? "The pool is paused, and the update waits for it."
      : "The pool is paused, and not all of its nodes have the configuration that it should have.";
  return [{ risk, object: pool.object, path: "spec.paused", message }];
}

/** Pools of workers may be paused on purpose over an update; for the ones left behind see the README. */
function findPausedRisk(pool: MachineConfigPool, context: Context): string | undefined {
  if (!pool.isPaused || !pool.hasNodes) return undefined;
  if (pool.isRequired) return requiredMachineConfigPoolPaused.name;
  if (!pool.isBehind || context.update !== "minor" || isControlPlaneOnlyStep(context)) return undefined;
  return pausedMachineConfigPoolLeftBehind.name;
}

function buildStuckFindings({ hasNodes, maxUnavailable, object }: MachineConfigPool): readonly Finding[] {
  if (!hasNodes || maxUnavailable.kind !== "unusable") return [];
  const message = `It is ${maxUnavailable.text}, which is neither a number from 0 nor a percentage.`;
  return [{ risk: machineConfigPoolMaxUnavailableUnusable.name, object, path: "spec.maxUnavailable", message }];
}

/** What passes by itself, or may be meant so. */
export function buildPoolNotices(pool: MachineConfigPool, context: Context): readonly string[] {
  const text = formatRef(pool.object);
  if (!pool.hasNodes || hasCondition(pool, "Degraded")) return [];
  if (pool.isPaused) return findPausedRisk(pool, context) === undefined ? [buildPausedNotice(pool, context)] : [];
  if (hasCondition(pool, "Updating")) return [`${text} is still updating its nodes: wait until it has finished.`];
  if (!pool.isAtMaxUnavailable) return [];
  return [
    `${text} has as many unavailable nodes as it may have (spec.maxUnavailable): no other node is updated before one of these is back.`,
  ];
}

function buildPausedNotice({ object, isBehind }: MachineConfigPool, { target }: Context): string {
  const already = isBehind
    ? " and its nodes were left behind already, which is right in a Control Plane Only update alone"
    : "";
  return `${formatRef(object)} is paused${already}: its nodes keep their configuration, kubelet and operating system, and don't come to ${target.text} before it is resumed.`;
}

export function buildPoolUnknowns({ isReported, object }: MachineConfigPool): readonly Unknown[] {
  if (isReported) return [];
  const message = "its status has no condition Degraded, so whether it is degraded is not known";
  return [{ reason: "NotReported", where: formatRef(object), message }];
}
