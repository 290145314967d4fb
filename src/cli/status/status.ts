import { isPreflightCondition } from "../../lift/progress/preflight-conditions.ts";
import { type HistoryEntry, parseHistory } from "../../lift/objects/preflight-history.ts";
import { isObject, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { formatColumns } from "../columns.ts";
import type { ControllerPresence } from "../client/controller-presence.ts";
import { formatHeadline } from "./headline.ts";
import { formatRisks } from "./risks.ts";

export type StatusInput = {
  readonly clusterVersion: JsonObject;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  readonly deployment?: JsonObject;
  readonly controllerPresence: ControllerPresence;
  readonly now: Date;
};

/** How the preflight stands, in the words and the layout of `oc adm upgrade recommend`. */
export function formatStatus(input: StatusInput): string {
  const parts = [formatHeadline(input), ...formatConditions(input), formatRisks(input), formatHistory(input.history)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function formatConditions({ clusterVersion }: StatusInput): readonly string[] {
  const conditions = listAt(clusterVersion, "status", "conditions").filter(isObject).filter(isPreflightCondition);
  return conditions.map((condition) => {
    const [type, status] = [textAt(condition, "type") ?? "", textAt(condition, "status") ?? ""];
    const since = textAt(condition, "lastTransitionTime") ?? "";
    return `${type}=${status}:\n\n  Reason: ${textAt(condition, "reason") ?? ""}\n  Since: ${since}\n  Message: ${textAt(condition, "message") ?? ""}`;
  });
}

function formatHistory(history: JsonObject | undefined): string {
  const entries = parseHistory(history);
  if (entries.length === 0) return "";
  const rows = entries.map((entry) => [
    entry.observedAt,
    entry.source,
    entry.target,
    entry.complete ? "yes" : "no",
    formatRiskNames(entry),
  ]);
  return `Results, the newest first:\n\n${formatColumns([["OBSERVED", "FROM", "TO", "COMPLETE", "RISKS"], ...rows], "  ")}`;
}

function formatRiskNames({ risks, accepted }: HistoryEntry): string {
  if (risks.length === 0) return "none";
  return risks.map((name) => (accepted.includes(name) ? `${name} (accepted)` : name)).join(", ");
}
