import { type AlertRisk, findAlertRisks } from "../../../lift/alert-risks.ts";
import { type HistoryEntry, parseHistory } from "../../../lift/objects/preflight-history.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import { joinNames } from "../../../model/names.ts";
import { toLine } from "../../../model/visible-text.ts";
import { formatColumns } from "../../io/columns.ts";
import { getPreflightConditions, type StatusInput } from "./facts.ts";
import { formatHeadline } from "./headline.ts";
import { formatRisks } from "./risks.ts";

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

const EXPLANATION =
  "The operator turns each alert labelled openShiftUpdatePrecheck into a risk of every offered update, because alerts name no target.";

/** Which updates besides the preflight's target have a risk, because the operator makes it of an alert. */
function formatAlertRisks({ clusterVersion }: StatusInput): string {
  const groups = Map.groupBy(
    findAlertRisks(clusterVersion).filter(({ otherUpdates }) => otherUpdates.length > 0),
    ({ target, otherUpdates }) => [target, ...otherUpdates].join(" "),
  );
  return [...groups.values()].map((risks) => toLine(formatGroup(risks))).join("\n\n");
}

function formatGroup(risks: readonly AlertRisk[]): string {
  const { target = "", otherUpdates = [] } = risks[0] ?? {};
  const names = joinNames(risks.map(({ name }) => name));
  const updates = joinNames(otherUpdates);
  const shown =
    otherUpdates.length === 1 ? `The update to ${updates} also shows` : `The updates to ${updates} also show`;
  return risks.length === 1
    ? `${shown} the risk ${names}, although a preflight of ${target} found it. ${EXPLANATION}`
    : `${shown} the risks ${names}, although a preflight of ${target} found them. ${EXPLANATION}`;
}
