import type { Blind, Finding, Judgement } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { refText } from "../../model/resource.ts";
import type { Refusal, Unclear } from "./condition.ts";
import { operatorRefuses } from "./risks.ts";
import type { PendingUpdate } from "./subscription.ts";

const NAMED = 3;
const QUOTED = 160;

export function judgeOperators(
  conditions: readonly (Refusal | Unclear)[],
  pending: readonly PendingUpdate[],
): Judgement {
  return {
    findings: conditions.flatMap((one) => (one.kind === "refusal" ? [findingOf(one, pending)] : [])),
    notices: approvalNotice(pending.filter(({ waitsForApproval }) => waitsForApproval)),
    blind: conditions.flatMap((one) => (one.kind === "unclear" ? [blindOf(one)] : [])),
  };
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
  const parts = [reason, message === "" ? "" : `"${quote(message)}"`].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

function quote(text: string): string {
  const characters = [...text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "")];
  return characters.length <= QUOTED ? characters.join("") : `${characters.slice(0, QUOTED).join("").trimEnd()}...`;
}

/** Worth knowing: when the cluster has moved on, the catalogs have too, and may no longer hold a step of the way. */
function approvalNotice(waiting: readonly PendingUpdate[]): readonly string[] {
  if (waiting.length === 0) return [];
  const named = waiting
    .slice(0, NAMED)
    .map(({ namespace, name, next }) => `Subscription ${namespace}/${name} (to ${next})`);
  const names = joinNames(waiting.length > NAMED ? [...named, `${waiting.length - NAMED} more`] : named);
  return [
    `Updates of operators wait for approval, which are better done before the cluster's update, since the default catalogs change with it: ${names}.`,
  ];
}

function blindOf({ object, path, status }: Unclear): Blind {
  const message = `the status of Upgradeable is "${status.slice(0, 40)}", which is none`;
  return { reason: "NotUnderstood", where: `${refText(object)} ${path}`, message };
}
