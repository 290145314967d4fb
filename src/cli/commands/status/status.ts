import type { OperatorState } from "../../../controller/observation.ts";
import { type HistoryEntry, parseHistory } from "../../../lift/objects/preflight-history.ts";
import { isPreflightCondition } from "../../../lift/progress/preflight-conditions.ts";
import { isObject, type JsonObject, listAt, textAt } from "../../../model/json.ts";
import type { ControllerPresence } from "../../client/controller-presence.ts";
import { formatColumns } from "../../io/columns.ts";
import { toLine } from "../../../model/visible-text.ts";
import { parseDataKey } from "./document.ts";
import { formatAlertRisks } from "./alert-risks.ts";
import { formatHeadline } from "./headline.ts";
import { formatRisks } from "./risks.ts";

export type StatusInput = {
  readonly clusterVersion: JsonObject;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  readonly deployment?: JsonObject;
  readonly controllerPresence: ControllerPresence;
  readonly operator: OperatorState;
  readonly now: Date;
};

/** The state of the preflight, in the layout of `oc adm upgrade recommend`. */
export function formatStatus(input: StatusInput): string {
  const conditions = getPreflightConditions(input).map(formatCondition);
  const parts = [
    formatHeadline(input),
    ...conditions,
    formatRisks(input),
    formatAlertRisks(input),
    formatHistory(input.history),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** ClusterVersion's conditions of the preflight, or the proposed ones if it has none. */
export function getPreflightConditions({ clusterVersion, result }: StatusInput): readonly JsonObject[] {
  const conditions = listAt(clusterVersion, "status", "conditions").filter(isObject).filter(isPreflightCondition);
  if (conditions.length > 0) return conditions;
  return listAt(parseDataKey(result, "proposal.json"), "conditions").filter(isObject).filter(isPreflightCondition);
}

function formatCondition(condition: JsonObject): string {
  const [type, status, since, reason, message] = ["type", "status", "lastTransitionTime", "reason", "message"].map(
    (key) => toLine(textAt(condition, key) ?? ""),
  );
  return `${type}=${status}:\n\n  Reason: ${reason}\n  Since: ${since}\n  Message: ${message}`;
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
  return `Results, newest first:\n\n${formatColumns([["OBSERVED", "FROM", "TO", "COMPLETE", "RISKS"], ...rows], "  ")}`;
}

function formatRiskNames({ risks, accepted }: HistoryEntry): string {
  if (risks.length === 0) return "none";
  return risks.map((name) => (accepted.includes(name) ? `${name} (accepted)` : name)).join(", ");
}
