import type { Blind, Context, Finding } from "../../model/check.ts";
import { refText } from "../../model/resource.ts";
import { isOnTheWay } from "./on-the-way.ts";
import { type Pool, degradedBy, isTrue } from "./pool.ts";
import { buildInterrupted, degraded, pausedBehind, requiredPaused, unmovable } from "./risks.ts";

export function poolFindings(pool: Pool, context: Context): readonly Finding[] {
  return [...degradedFindings(pool), ...buildFindings(pool), ...pausedFindings(pool, context), ...stuckFindings(pool)];
}

function degradedFindings(pool: Pool): readonly Finding[] {
  if (!isTrue(pool, "Degraded")) return [];
  return degradedBy(pool).map(({ type, message }) => ({
    risk: degraded.name,
    object: pool.object,
    path: `status.conditions[${type}]`,
    message: `The pool's condition ${type} is True.`,
    ...(message === "" ? {} : { detail: { message } }),
  }));
}

function buildFindings(pool: Pool): readonly Finding[] {
  if (!isTrue(pool, "BuildInterrupted")) return [];
  const [path, message] = ["status.conditions[BuildInterrupted]", "The build of the pool's image was interrupted."];
  return [{ risk: buildInterrupted.name, object: pool.object, path, message }];
}

function pausedFindings(pool: Pool, context: Context): readonly Finding[] {
  const risk = pausedRisk(pool, context);
  if (risk === undefined) return [];
  const message =
    risk === requiredPaused.name
      ? "The pool is paused, and the update waits for it."
      : "The pool is paused, and not all of its nodes have the configuration that it should have.";
  return [{ risk, object: pool.object, path: "spec.paused", message }];
}

/** Pools of workers may be paused on purpose over an update; for the ones left behind see the README. */
function pausedRisk(pool: Pool, context: Context): string | undefined {
  if (!pool.paused || !pool.populated) return undefined;
  if (pool.required) return requiredPaused.name;
  if (!pool.behind || context.update !== "minor" || isOnTheWay(context)) return undefined;
  return pausedBehind.name;
}

function stuckFindings({ populated, maxUnavailable, object }: Pool): readonly Finding[] {
  if (!populated || maxUnavailable.kind !== "unusable") return [];
  const message = `It is ${maxUnavailable.text}, which is neither a number from 0 nor a percentage.`;
  return [{ risk: unmovable.name, object, path: "spec.maxUnavailable", message }];
}

/** What passes by itself, or may be meant so. */
export function poolNotices(pool: Pool, context: Context): readonly string[] {
  const text = refText(pool.object);
  if (!pool.populated || isTrue(pool, "Degraded")) return [];
  if (pool.paused) return pausedRisk(pool, context) === undefined ? [pausedNotice(pool, context)] : [];
  if (isTrue(pool, "Updating")) return [`${text} is still updating its nodes: wait until it has finished.`];
  if (!pool.crowded) return [];
  return [
    `${text} has as many unavailable nodes as it may have (spec.maxUnavailable): no other node is updated before one of these is back.`,
  ];
}

function pausedNotice({ object, behind }: Pool, { target }: Context): string {
  const already = behind
    ? " and its nodes were left behind already, which is right in a Control Plane Only update alone"
    : "";
  return `${refText(object)} is paused${already}: its nodes keep their configuration, kubelet and operating system, and don't come to ${target.text} before it is resumed.`;
}

export function poolBlind({ reported, object }: Pool): readonly Blind[] {
  if (reported) return [];
  const message = "its status has no condition Degraded, so whether it is degraded is not known";
  return [{ reason: "NotReported", where: refText(object), message }];
}
