import { isOurCondition } from "../lift/conditions.ts";
import { type HistoryEntry, historyOf } from "../lift/history.ts";
import { isObject, type JsonObject, listAt, textAt } from "../model/json.ts";
import { columns } from "./columns.ts";
import type { Served } from "./served.ts";
import { headline } from "./status-headline.ts";
import { risksText } from "./status-risks.ts";

export type StatusInput = {
  readonly clusterVersion: JsonObject;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  readonly deployment?: JsonObject;
  readonly served: Served;
  readonly now: Date;
};

/** How the preflight stands, in the words and the layout of `oc adm upgrade recommend`. */
export function statusText(input: StatusInput): string {
  const parts = [headline(input), ...conditionBlocks(input), risksText(input), historyText(input.history)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function conditionBlocks({ clusterVersion }: StatusInput): readonly string[] {
  const conditions = listAt(clusterVersion, "status", "conditions").filter(isObject).filter(isOurCondition);
  return conditions.map((one) => {
    const [type, status] = [textAt(one, "type") ?? "", textAt(one, "status") ?? ""];
    const since = textAt(one, "lastTransitionTime") ?? "";
    return `${type}=${status}:\n\n  Reason: ${textAt(one, "reason") ?? ""}\n  Since: ${since}\n  Message: ${textAt(one, "message") ?? ""}`;
  });
}

function historyText(history: JsonObject | undefined): string {
  const entries = historyOf(history);
  if (entries.length === 0) return "";
  const rows = entries.map((entry) => [
    entry.observedAt,
    entry.source,
    entry.target,
    entry.complete ? "yes" : "no",
    found(entry),
  ]);
  return `Results, the newest first:\n\n${columns([["OBSERVED", "FROM", "TO", "COMPLETE", "RISKS"], ...rows], "  ")}`;
}

function found({ risks, accepted }: HistoryEntry): string {
  if (risks.length === 0) return "none";
  return risks.map((name) => (accepted.includes(name) ? `${name} (accepted)` : name)).join(", ");
}
