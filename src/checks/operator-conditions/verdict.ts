import type { Unknown, Finding, Judgement } from "../../model/check.ts";
import { quoteText } from "../../model/quote.ts";
import { formatRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import type { OperatorRefusal, UnclearCondition, Unresolved } from "./condition.ts";
import { type PendingUpdate, findPendingUpdate } from "../shared/pending-update.ts";
import { risks } from "./risks.ts";
import { buildNamesNotice } from "../shared/notices.ts";

const MAX_QUOTE_LENGTH = 160;
/** Operators report this briefly whenever their operands are incomplete, such as storage or a catalog while a node restarts. */
const GRACE_PERIOD_MINUTES = 30;

export type Operators = {
  readonly conditions: readonly (OperatorRefusal | UnclearCondition)[];
  readonly pending: readonly PendingUpdate[];
  readonly unresolved: readonly Unresolved[];
};

export function judgeOperators({ conditions, pending, unresolved }: Operators, now: Date): Judgement {
  const refusals = conditions.filter((one) => one.kind === "refusal");
  const transient = new Set(refusals.filter((one) => isTransient(one, now)));
  const isLasting = ({ since }: Unresolved): boolean => !isWithinMinutes(since, GRACE_PERIOD_MINUTES, now);
  return {
    findings: [
      ...refusals.filter((one) => !transient.has(one)).map((one) => buildFinding(one, pending)),
      ...unresolved.filter(isLasting).map(buildUnresolvedFinding),
    ],
    notices: [
      ...buildTransientNotices([...transient]),
      ...buildApprovalNotices(pending.filter(({ isWaitingForApproval }) => isWaitingForApproval)),
    ],
    unknowns: conditions.flatMap((one) => (one.kind === "unclear" ? [buildUnknown(one)] : [])),
  };
}

/** An administrator's override counts at once. */
function isTransient({ isOverridden, since }: OperatorRefusal, now: Date): boolean {
  return !isOverridden && isWithinMinutes(since, GRACE_PERIOD_MINUTES, now);
}

function buildTransientNotices(refusals: readonly OperatorRefusal[]): readonly string[] {
  return buildNamesNotice(
    refusals.map(({ object }) => formatRef(object)),
    (names) =>
      `Operators have reported for less than half an hour that they must not be updated: ${names}. If this lasts, it becomes a risk.`,
  );
}

function buildFinding(refusal: OperatorRefusal, pending: readonly PendingUpdate[]): Finding {
  const { object, path, isOverridden, reason } = refusal;
  const refusalText = isOverridden
    ? "An administrator's override forbids updates of the operator now"
    : "The operator reports that it must not be updated now";
  const pendingUpdate = findPendingUpdate(object, pending);
  const message = `${refusalText}${formatReason(refusal)}.${pendingUpdate ? ` OLM holds back its update to ${pendingUpdate.nextCsv}.` : ""}`;
  const detail = { ...(reason === "" ? {} : { reason }), ...(pendingUpdate ? { next: pendingUpdate.nextCsv } : {}) };
  return { risk: risks.OperatorRefusesUpdates.name, object, path, message, detail };
}

function buildUnresolvedFinding(unresolved: Unresolved): Finding {
  const { object, type, reason } = unresolved;
  const message = `Its condition ${type} says that OLM can't determine or install its updates${formatReason(unresolved)}.`;
  const detail = reason === "" ? {} : { detail: { reason } };
  return {
    risk: risks.OperatorUpdatesNotResolved.name,
    object,
    path: `status.conditions[${type}]`,
    message,
    ...detail,
  };
}

function formatReason({ reason, message }: Pick<OperatorRefusal, "reason" | "message">): string {
  const parts = [reason, message === "" ? "" : quoteText(message, MAX_QUOTE_LENGTH)].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

/** The default catalogs move with the cluster, and may then lack a version that the operator needs in between. */
function buildApprovalNotices(waiting: readonly PendingUpdate[]): readonly string[] {
  return buildNamesNotice(
    waiting.map(({ namespace, name, nextCsv }) => `Subscription ${namespace}/${name} (to ${nextCsv})`),
    (names) =>
      `Updates of operators wait for approval: ${names}. Approve them before you update the cluster, since the default catalogs change with it.`,
  );
}

function buildUnknown({ object, path, status }: UnclearCondition): Unknown {
  const message = `the status of Upgradeable is "${status.slice(0, 40)}", which is not a valid status`;
  return { reason: "NotUnderstood", where: `${formatRef(object)} ${path}`, message };
}
