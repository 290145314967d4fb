import { getAcceptedRisks } from "../../lift/objects/cluster-version.ts";
import type { RetainedResult } from "../../lift/progress/retained-result.ts";
import { getRetainedResult } from "../../lift/preflight-result.ts";
import { selectPending, type RiskSummary, summarizeUpdateRisks, summarizeRisks } from "../../lift/risk-summary.ts";
import { at, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { formatColumns } from "../columns.ts";
import { isCurrent, parseDataKey } from "./document.ts";
import type { StatusInput } from "./status.ts";

/** The risks as they are proposed, else as they are held, with what to do about them; and whether that is how things are now. */
export function formatRisks(input: StatusInput): string {
  const { clusterVersion, result } = input;
  const retained = getRetainedResult(result);
  if (!retained) return "";
  const accepted = getAcceptedRisks(clusterVersion);
  const proposed = summarizeUpdateRisks(parseDataKey(result, "proposal.json"), retained.target, accepted);
  const risks = proposed.length > 0 ? proposed : summarizeRisks(retained.risks, accepted);
  if (risks.length === 0) return formatNoRisk(retained, input);
  const title = `Risks of the update from ${retained.source} to ${retained.target}${isCurrent(input) ? "" : formatObservedAt(retained)}:`;
  return [
    title,
    formatTable(risks),
    ...risks.map(formatRisk),
    formatAdvice(risks, parseDataKey(result, "proposal.json")),
  ].join("\n\n");
}

function formatNoRisk(retained: RetainedResult, input: StatusInput): string {
  const update = `the update from ${retained.source} to ${retained.target}`;
  if (!isCurrent(input))
    return `No risk of ${update} was found${formatObservedAt(retained)}. Whether there is one now is not known.`;
  const isPartial = at(parseDataKey(input.result, "document.json"), "complete") === false;
  return isPartial
    ? `No risk of ${update} was found, but not every check could look at all that it needs.`
    : `No risk is known of ${update}.`;
}

function formatObservedAt({ observedAt }: RetainedResult): string {
  return observedAt === undefined ? " before" : ` at ${observedAt}`;
}

/** Names as the commands take them. Where the API has no acceptRisks, nothing can be accepted. */
function formatAdvice(risks: readonly RiskSummary[], proposal: JsonObject): string {
  const pending = selectPending(risks).map(({ name }) => name);
  if (pending.length === 0) return "All risks that apply are accepted.";
  const names = pending.join(",");
  const isAcceptable = !listAt(proposal, "problems").some(
    (problem) => textAt(problem, "reason") === "RiskFieldsAbsent",
  );
  const how = isAcceptable
    ? `Do what the messages say, or accept what you can live with: preflight accept ${names}`
    : "Do what the messages say: in this cluster's feature set no risk can be accepted.";
  return `Not accepted: ${names}\n${how}`;
}

function formatTable(risks: readonly RiskSummary[]): string {
  const rows = risks.map((risk) => [
    risk.name,
    risk.applies,
    risk.isAccepted ? "yes" : "no",
    risk.since ?? "",
    risk.isPreflight ? "preflight" : "other",
  ]);
  return formatColumns([["NAME", "APPLIES", "ACCEPTED", "SINCE", "SOURCE"], ...rows], "  ");
}

function formatRisk({ name, message, url }: RiskSummary): string {
  return `${name}:\n\n  Message: ${message}\n  Reference: ${url}`;
}
