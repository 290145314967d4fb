import type { Blind, Finding, Judgement } from "../../model/check.ts";
import { joinSome } from "../../model/names.ts";
import { quote } from "../../model/quote.ts";
import { refText } from "../../model/resource.ts";
import { ageOf } from "../../model/time.ts";
import type { Refusal, Unclear } from "./condition.ts";
import { operatorRefuses } from "./risks.ts";
import type { PendingUpdate } from "./subscription.ts";

const QUOTED = 160;
/** Operators say so for a while whenever what they manage is not whole, such as storage while a node restarts. */
const PASSING_MS = 30 * 60_000;

export function judgeOperators(
  conditions: readonly (Refusal | Unclear)[],
  pending: readonly PendingUpdate[],
  now: Date,
): Judgement {
  const refusals = conditions.filter((one) => one.kind === "refusal");
  const passing = new Set(refusals.filter((one) => mayPass(one, now)));
  return {
    findings: refusals.filter((one) => !passing.has(one)).map((one) => findingOf(one, pending)),
    notices: [
      ...passingNotice([...passing]),
      ...approvalNotice(pending.filter(({ waitsForApproval }) => waitsForApproval)),
    ],
    blind: conditions.flatMap((one) => (one.kind === "unclear" ? [blindOf(one)] : [])),
  };
}

/** An administrator's word stands at once. */
function mayPass({ overridden, since }: Refusal, now: Date): boolean {
  return !overridden && (ageOf(since, now) ?? PASSING_MS) < PASSING_MS;
}

function passingNotice(refusals: readonly Refusal[]): readonly string[] {
  if (refusals.length === 0) return [];
  const names = joinSome(refusals.map(({ object }) => refText(object)));
  return [
    `Operators have said for less than half an hour that they must not be updated: ${names}. If it lasts, it is a risk.`,
  ];
}

function findingOf(refusal: Refusal, pending: readonly PendingUpdate[]): Finding {
  const { object, path, overridden, reason } = refusal;
  const who = overridden ? "An administrator's override says" : "The operator says";
  const held = pending.find(({ namespace, installed }) => namespace === object.namespace && installed === object.name);
  const message = `${who} that it must not be updated now${whyText(refusal)}.${held ? ` OLM holds back its update to ${held.next}.` : ""}`;
  const detail = { ...(reason === "" ? {} : { reason }), ...(held ? { next: held.next } : {}) };
  return { risk: operatorRefuses.name, object, path, message, detail };
}

function whyText({ reason, message }: Refusal): string {
  const parts = [reason, message === "" ? "" : `"${quote(message, QUOTED)}"`].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

/** Worth knowing: when the cluster has moved on, the catalogs have too, and may no longer hold a step of the way. */
function approvalNotice(waiting: readonly PendingUpdate[]): readonly string[] {
  if (waiting.length === 0) return [];
  const names = joinSome(waiting.map(({ namespace, name, next }) => `Subscription ${namespace}/${name} (to ${next})`));
  return [
    `Updates of operators wait for approval, which are better done before the cluster's update, since the default catalogs change with it: ${names}.`,
  ];
}

function blindOf({ object, path, status }: Unclear): Blind {
  const message = `the status of Upgradeable is "${status.slice(0, 40)}", which is none`;
  return { reason: "NotUnderstood", where: `${refText(object)} ${path}`, message };
}
