import { APPLIES } from "./objects/conditions.ts";
import {
  compareReleaseVersions,
  findAlertTarget,
  hasOrigin,
  getClusterUpdates,
  isAlertRisk,
  nameOf,
  risksOf,
  versionOf,
} from "./objects/cluster-version.ts";
import { type JsonObject, listAt, textAt, objectsAt, compareText } from "../model/json.ts";
import { findConditionIn } from "../model/object.ts";
import type { RetainedResult } from "./progress/retained-result.ts";
import { isSameDefinition } from "./risk-merge.ts";
import { isPreflightRisk } from "../model/cluster-version-risks.ts";

/** Who reports a risk: the preflight's document, an alert of a preflight, or another source such as the update service. */
type RiskSource = "document" | "alert" | "other";

/** One risk of an update, as shown to an administrator. */
export type RiskSummary = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly applies: "True" | "False" | "Unknown";
  /** The transition time, RFC 3339, if known. */
  readonly since?: string;
  readonly isAccepted: boolean;
  readonly sources: readonly RiskSource[];
};

/** The risks of the result's update in a published or proposed status, in its order. */
export function summarizeUpdateRisks(
  status: JsonObject,
  { target, risks: documentRisks }: RetainedResult,
  accepted: readonly string[],
): readonly RiskSummary[] {
  const updates = objectsAt(status, "conditionalUpdates").filter((one) => versionOf(one) === target);
  return updates.flatMap(risksOf).flatMap((risk) => summarizeListedRisk(risk, documentRisks, accepted));
}

/** An update lists each name once. The text of an alert names no objects, and what another source says of a name is another risk. */
function summarizeListedRisk(
  risk: JsonObject,
  documentRisks: readonly JsonObject[],
  accepted: readonly string[],
): readonly RiskSummary[] {
  const listed = summarizeRisk(risk, accepted);
  const found = documentRisks.find((one) => nameOf(one) === nameOf(risk));
  if (found === undefined || isSameDefinition(found, risk)) return [listed];
  const own = summarizeRisk(found, accepted);
  return isAlertRisk(risk) ? [{ ...own, sources: [...own.sources, "alert"] }] : [own, listed];
}

/** The risks that apply or may apply, and are not accepted. */
export function selectPending(risks: readonly RiskSummary[]): readonly RiskSummary[] {
  return risks.filter(({ applies, isAccepted }) => applies !== "False" && !isAccepted);
}

/** The risks of a preflight that no update shows, for example because the target isn't offered. */
export function summarizeRisks(risks: readonly JsonObject[], accepted: readonly string[]): readonly RiskSummary[] {
  return risks.map((risk) => summarizeRisk(risk, accepted));
}

function summarizeRisk(risk: JsonObject, accepted: readonly string[]): RiskSummary {
  const condition = findConditionIn(risk, APPLIES);
  const time = textAt(condition, "lastTransitionTime");
  return {
    name: nameOf(risk),
    message: textAt(risk, "message") ?? "",
    url: textAt(risk, "url") ?? "",
    applies: getApplies(textAt(condition, "status"), risk),
    since: time,
    isAccepted: accepted.includes(nameOf(risk)),
    sources: [findSource(risk)],
  };
}

function findSource(risk: JsonObject): RiskSource {
  if (hasOrigin(risk)) return "document";
  return isPreflightRisk(risk) ? "alert" : "other";
}

/** A risk with the rule Always applies, even if the CRD has no conditions for risks. */
function getApplies(status: string | undefined, risk: JsonObject): RiskSummary["applies"] {
  if (status === "True" || status === "False") return status;
  if (status === undefined && textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return "True";
  return "Unknown";
}

/** A risk that the operator made of an alert on a preflight's risk. */
export type AlertRisk = {
  readonly name: string;
  /** The preflight's target. */
  readonly target: string;
  /** The other offered updates that have this risk too, in the order of their versions. */
  readonly otherUpdates: readonly string[];
};

/** The alerts' risks in ClusterVersion, by name and target. An alert has no target of its own, so the operator shows it on every update. */
export function findAlertRisks(clusterVersion: JsonObject): readonly AlertRisk[] {
  const found = getClusterUpdates(clusterVersion).conditional.flatMap((update) =>
    risksOf(update).flatMap((risk) => {
      const target = findAlertTarget(risk);
      return target === undefined ? [] : [{ name: nameOf(risk), target, version: versionOf(update) }];
    }),
  );
  const groups = Map.groupBy(found, ({ name, target }) => `${name} ${target}`);
  return [...groups.values()].flatMap(summarizeGroup).toSorted((a, b) => compareText(a.name, b.name));
}

function summarizeGroup(
  group: readonly { readonly name: string; readonly target: string; readonly version: string }[],
): readonly AlertRisk[] {
  const [first] = group;
  if (first === undefined) return [];
  const { name, target } = first;
  const versions = new Set(group.map(({ version }) => version).filter((version) => version !== target));
  return [{ name, target, otherUpdates: [...versions].toSorted(compareReleaseVersions) }];
}
