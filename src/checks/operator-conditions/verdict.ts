import type { Unknown, Finding, Judgement } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { quote } from "../../model/quote.ts";
import { formatRef } from "../../model/resource.ts";
import { getAge } from "../../model/time.ts";
import type { Refusal, UnclearCondition } from "./condition.ts";
import { operatorRefusesUpdates } from "./risks.ts";
import type { PendingUpdate } from "./pending-update.ts";

const MAX_QUOTE_LENGTH = 160;
/** Operators say so for a while whenever what they manage is not whole, such as storage while a node restarts. */
const GRACE_PERIOD_MS = 30 * 60_000;

export function judgeOperators(
  conditions: readonly (Refusal | UnclearCondition)[],
  pending: readonly PendingUpdate[],
  now: Date,
): Judgement {
  const refusals = conditions.filter((one) => one.kind === "refusal");
  const transient = new Set(refusals.filter((one) => isTransient(one, now)));
  return {
    findings: refusals.filter((one) => !transient.has(one)).map((one) => buildFinding(one, pending)),
    notices: [
      ...buildTransientNotices([...transient]),
      ...buildApprovalNotices(pending.filter(({ isWaitingForApproval }) => isWaitingForApproval)),
    ],
    unknowns: conditions.flatMap((one) => (one.kind === "unclear" ? [buildUnknown(one)] : [])),
  };
}

/** An administrator's word stands at once. */
function isTransient({ isOverridden, since }: Refusal, now: Date): boolean {
  return !isOverridden && (getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS;
}

function buildTransientNotices(refusals: readonly Refusal[]): readonly string[] {
  if (refusals.length === 0) return [];
  const names = summarizeNames(refusals.map(({ object }) => formatRef(object)));
  return [
    `Operators have said for less than half an hour that they must not be updated: ${names}. If it lasts, it is a risk.`,
  ];
}

function buildFinding(refusal: Refusal, pending: readonly PendingUpdate[]): Finding {
  const { object, path, isOverridden, reason } = refusal;
  const speaker = isOverridden ? "An administrator's override says" : "The operator says";
  const pendingUpdate = pending.find(
    ({ namespace, installedCsv }) => namespace === object.namespace && installedCsv === object.name,
  );
  const message = `${speaker} that it must not be updated now${formatReason(refusal)}.${pendingUpdate ? ` OLM holds back its update to ${pendingUpdate.nextCsv}.` : ""}`;
  const detail = { ...(reason === "" ? {} : { reason }), ...(pendingUpdate ? { next: pendingUpdate.nextCsv } : {}) };
  return { risk: operatorRefusesUpdates.name, object, path, message, detail };
}

function formatReason({ reason, message }: Refusal): string {
  const parts = [reason, message === "" ? "" : `"${quote(message, MAX_QUOTE_LENGTH)}"`].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

/** Worth knowing: when the cluster has moved on, the catalogs have too, and may no longer hold a step of the way. */
function buildApprovalNotices(waiting: readonly PendingUpdate[]): readonly string[] {
  if (waiting.length === 0) return [];
  const names = summarizeNames(
    waiting.map(({ namespace, name, nextCsv }) => `Subscription ${namespace}/${name} (to ${nextCsv})`),
  );
  return [
    `Updates of operators wait for approval, which are better done before the cluster's update, since the default catalogs change with it: ${names}.`,
  ];
}

function buildUnknown({ object, path, status }: UnclearCondition): Unknown {
  const message = `the status of Upgradeable is "${status.slice(0, 40)}", which is none`;
  return { reason: "NotUnderstood", where: `${formatRef(object)} ${path}`, message };
}
