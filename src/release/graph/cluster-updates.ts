import { findConditionIn } from "../../model/object.ts";
import { type Json, type JsonObject, at, listAt, textAt, textsAt, objectsAt } from "../../model/json.ts";
import { isPreflightRisk } from "../../model/cluster-version-risks.ts";
import { type Exposure, type ListedRelease, type Recommendation, parsePublishedRisk } from "../../model/route.ts";
import { parseVersion } from "../../model/version.ts";
import { selectChannelNames } from "./graph-parser.ts";
import type { OfferedUpdate } from "./graph.ts";

/**
 * The updates that ClusterVersion lists: `availableUpdates`, and `conditionalUpdates` as the operator has evaluated them. One whose risks
 * don't apply is in both lists.
 */
export function parseClusterUpdates(clusterVersion: JsonObject): readonly OfferedUpdate[] {
  const conditional = listAt(clusterVersion, "status", "conditionalUpdates").flatMap((update) =>
    buildUpdate(at(update, "release"), parseRecommendation(update)),
  );
  const withConditions = new Set(conditional.map(({ release }) => release.version.text));
  const available = listAt(clusterVersion, "status", "availableUpdates")
    .flatMap((release) => buildUpdate(release, { kind: "recommended" }))
    .filter(({ release }) => !withConditions.has(release.version.text));
  return [...available, ...conditional];
}

function buildUpdate(value: Json | undefined, recommendation: Recommendation): readonly OfferedUpdate[] {
  const release = parseRelease(value);
  return release === undefined ? [] : [{ release, recommendation }];
}

function parseRelease(value: Json | undefined): ListedRelease | undefined {
  const version = parseVersion(textAt(value, "version") ?? "");
  const image = textAt(value, "image");
  if (version === undefined || image === undefined || image === "") return undefined;
  return { version, image, channels: selectChannelNames(textsAt(value, "channels")) };
}

/** Without the risks of an earlier preflight, the update service may have set no conditions at all. */
function parseRecommendation(update: Json): Recommendation {
  const risks = objectsAt(update, "risks").filter((risk) => !isPreflightRisk(risk));
  if (risks.length === 0) return { kind: "recommended" };
  return { kind: "conditional", risks: risks.map(parsePublishedRisk), exposure: parseExposure(update) };
}

function parseExposure(update: Json): Exposure {
  const status = textAt(findConditionIn(update, "Recommended"), "status");
  if (status === "True") return "notExposed";
  return status === "False" ? "exposed" : "notEvaluated";
}
