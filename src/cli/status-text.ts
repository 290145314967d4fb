import { acceptedOf, sourceOf } from "../lift/cluster-version.ts";
import { isOurCondition } from "../lift/conditions.ts";
import { type HistoryEntry, historyOf } from "../lift/history.ts";
import { isByMode } from "../lift/mode.ts";
import { requestOf } from "../lift/request.ts";
import { heldIn } from "../lift/result.ts";
import { pendingOf, type Standing, standingOf, standingRisks } from "../lift/standing.ts";
import { type Target, payloadOf } from "../lift/target.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../model/json.ts";
import { columns } from "./columns.ts";

export type StatusInput = {
  readonly clusterVersion: JsonObject;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  readonly deployment?: JsonObject;
};

/** How the preflight stands, in the words and the layout of `oc adm upgrade recommend`. */
export function statusText(input: StatusInput): string {
  const parts = [headline(input), ...conditionBlocks(input), risksText(input), historyText(input.history)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function headline(input: StatusInput): string {
  const { clusterVersion, request, deployment } = input;
  const read = requestOf(request);
  if (read.kind === "invalid") return `The ConfigMap preflight-request can't be served: ${read.problems.join("; ")}.`;
  const source = sourceOf(clusterVersion) ?? "an unknown version";
  const asked = read.kind === "request" ? targetText(clusterVersion, read.request.target) : byMode(clusterVersion);
  if (asked === undefined) return `No preflight is requested. The cluster runs ${source}.`;
  const since = textAt(deployment, "metadata", "creationTimestamp");
  const runs = since === undefined ? "Its runner is not deployed." : `Its runner is deployed since ${since}.`;
  const last = documentTime(input.result);
  const seen = last === undefined ? "There is no document of it yet." : `Its last document is of ${last}.`;
  return `A preflight from ${source} to ${asked} is requested.\n${runs}\n${seen}`;
}

function targetText(clusterVersion: JsonObject, target: Target): string {
  const payload = payloadOf(clusterVersion, target);
  if (payload.kind === "offered") return payload.version;
  if (payload.kind === "unverified") return `${payload.image} (unverified)`;
  return target.kind === "version" ? target.version : target.image;
}

function byMode(clusterVersion: JsonObject): string | undefined {
  if (!isByMode(clusterVersion)) return undefined;
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  return textAt(desired, "version") || textAt(desired, "image");
}

function documentTime(result: JsonObject | undefined): string | undefined {
  return textAt(jsonIn(result, "document.json"), "observedAt");
}

function conditionBlocks({ clusterVersion }: StatusInput): readonly string[] {
  const conditions = listAt(clusterVersion, "status", "conditions").filter(isObject).filter(isOurCondition);
  return conditions.map((one) => {
    const [type, status] = [textAt(one, "type") ?? "", textAt(one, "status") ?? ""];
    const since = textAt(one, "lastTransitionTime") ?? "";
    return `${type}=${status}:\n\n  Reason: ${textAt(one, "reason") ?? ""}\n  Since: ${since}\n  Message: ${textAt(one, "message") ?? ""}`;
  });
}

/** The risks as ClusterVersion shows them, else as they are proposed, else as they are held. */
function risksText({ clusterVersion, result }: StatusInput): string {
  const held = heldIn(result);
  if (!held) return "";
  const accepted = acceptedOf(clusterVersion);
  const proposed = standingOf(jsonIn(result, "proposal.json"), held.target, accepted);
  const risks = proposed.length > 0 ? proposed : standingRisks(held.risks, accepted);
  if (risks.length === 0) return `No risk is known of the update from ${held.source} to ${held.target}.`;
  const pending = pendingOf(risks).map(({ name }) => name);
  const title = `Risks of the update from ${held.source} to ${held.target}:`;
  const end = pending.length > 0 ? `Not accepted: ${pending.join(",")}` : "All risks that apply are accepted.";
  return [title, table(risks), ...risks.map(block), end].join("\n\n");
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

function jsonIn(configMap: JsonObject | undefined, key: string): JsonObject {
  try {
    const value: unknown = JSON.parse(textAt(configMap, "data", key) ?? "{}");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
