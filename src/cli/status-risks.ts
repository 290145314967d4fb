import { acceptedOf } from "../lift/cluster-version.ts";
import type { Held } from "../lift/held.ts";
import { heldIn } from "../lift/result.ts";
import { pendingOf, type Standing, standingOf, standingRisks } from "../lift/standing.ts";
import { at, type JsonObject, listAt, textAt } from "../model/json.ts";
import { columns } from "./columns.ts";
import { isCurrent, jsonIn } from "./status-document.ts";
import type { StatusInput } from "./status-text.ts";

/** The risks as they are proposed, else as they are held, with what to do about them; and whether that is how things are now. */
export function risksText(input: StatusInput): string {
  const { clusterVersion, result } = input;
  const held = heldIn(result);
  if (!held) return "";
  const accepted = acceptedOf(clusterVersion);
  const proposed = standingOf(jsonIn(result, "proposal.json"), held.target, accepted);
  const risks = proposed.length > 0 ? proposed : standingRisks(held.risks, accepted);
  if (risks.length === 0) return noRisk(held, input);
  const title = `Risks of the update from ${held.source} to ${held.target}${isCurrent(input) ? "" : asOf(held)}:`;
  return [title, table(risks), ...risks.map(block), advice(risks, jsonIn(result, "proposal.json"))].join("\n\n");
}

function noRisk(held: Held, input: StatusInput): string {
  const update = `the update from ${held.source} to ${held.target}`;
  if (!isCurrent(input)) return `No risk of ${update} was found${asOf(held)}. Whether there is one now is not known.`;
  const isPartial = at(jsonIn(input.result, "document.json"), "complete") === false;
  return isPartial
    ? `No risk of ${update} was found, but not every check could look at all that it needs.`
    : `No risk is known of ${update}.`;
}

function asOf({ observedAt }: Held): string {
  return observedAt === undefined ? " before" : ` at ${observedAt}`;
}

/** Names as the commands take them. Where the API has no acceptRisks, nothing can be accepted. */
function advice(risks: readonly Standing[], proposal: JsonObject): string {
  const pending = pendingOf(risks).map(({ name }) => name);
  if (pending.length === 0) return "All risks that apply are accepted.";
  const names = pending.join(",");
  const isAcceptable = !listAt(proposal, "problems").some((one) => textAt(one, "reason") === "RiskFieldsAbsent");
  const how = isAcceptable
    ? `Do what the messages say, or accept what you can live with: preflight accept ${names}`
    : "Do what the messages say: in this cluster's feature set no risk can be accepted.";
  return `Not accepted: ${names}\n${how}`;
}

function table(risks: readonly Standing[]): string {
  const rows = risks.map((risk) => [
    risk.name,
    risk.applies,
    risk.isAccepted ? "yes" : "no",
    risk.since ?? "",
    risk.isPreflight ? "preflight" : "other",
  ]);
  return columns([["NAME", "APPLIES", "ACCEPTED", "SINCE", "SOURCE"], ...rows], "  ");
}

function block({ name, message, url }: Standing): string {
  return `${name}:\n\n  Message: ${message}\n  Reference: ${url}`;
}
