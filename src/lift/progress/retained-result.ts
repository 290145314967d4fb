import type { DocumentRisk, PreflightDocument } from "../../model/document.ts";
import { type JsonObject, at, isObject, textAt, parseObject, objectsAt, isDifferent } from "../../model/json.ts";
import { findConditionIn } from "../../model/object.ts";
import { formatTime } from "../../model/time.ts";
import type { ClusterUpdates, PrefixForm } from "../objects/cluster-version.ts";
import { findOrigin, nameOf, risksOf, withPrefix } from "../objects/cluster-version.ts";
import { APPLIES } from "../objects/conditions.ts";
import type { UpdateVersions } from "../../model/cluster-version-risks.ts";

/** The last completed result for one source and target, valid until another completed document replaces it. */
export type RetainedResult = UpdateVersions & {
  /** The target's pull spec, if known. */
  readonly image?: string;
  /** RFC 3339; absent if the result was recovered from ClusterVersion. */
  readonly observedAt?: string;
  /** As in ClusterVersion: with the versions' prefix and Applies conditions. */
  readonly risks: readonly JsonObject[];
  /** The proposed Recommended condition, kept for its transition time, which an operator's sync removes from ClusterVersion. */
  readonly recommended?: JsonObject;
};

/** The retained result for these versions, or, if it was lost, the risks still in ClusterVersion. */
export function selectRetainedResult(
  versions: UpdateVersions,
  image: string | undefined,
  retained: RetainedResult | undefined,
  updates: ClusterUpdates,
): RetainedResult | undefined {
  const isRetained = retained?.source === versions.source && retained.target === versions.target;
  if (isRetained) return isDifferent(retained.image, image) ? undefined : retained;
  const risks = updates.conditional.flatMap(risksOf).filter((risk) => isRiskOf(versions, risk));
  const byName = new Map(risks.toReversed().map((risk) => [nameOf(risk), risk]));
  return risks.length === 0 ? undefined : { ...versions, risks: [...byName.values()].toReversed() };
}

export type ResultContext = {
  readonly versions: UpdateVersions;
  readonly image: string | undefined;
  readonly form: PrefixForm;
  readonly previous: RetainedResult | undefined;
  readonly now: Date;
};

/** A completed document's result. Risks that already applied keep their transition times. */
export function buildRetainedResult(
  document: PreflightDocument,
  { versions, image, form, previous, now }: ResultContext,
): RetainedResult {
  const { observedAt } = document;
  const times = new Map((previous?.risks ?? []).map((risk) => [nameOf(risk), findAppliesTime(risk)]));
  const risks = document.risks.map((risk) =>
    buildRisk(risk, withPrefix(risk.message, versions, form), times.get(risk.name), now),
  );
  const recommended = previous?.recommended;
  return {
    ...versions,
    image,
    observedAt,
    risks,
    ...(recommended ? { recommended } : {}),
  };
}

function buildRisk(
  { name, url, conditions }: DocumentRisk,
  message: string,
  since: string | undefined,
  now: Date,
): JsonObject {
  const [applies] = conditions ?? [];
  const condition = applies ?? { type: APPLIES, status: "True", reason: "Match", message: "" };
  const lastTransitionTime = since ?? applies?.lastTransitionTime ?? formatTime(now);
  return {
    name,
    message,
    url,
    matchingRules: [{ type: "Always" }],
    conditions: [{ ...condition, lastTransitionTime }],
  };
}

function findAppliesTime(risk: JsonObject): string | undefined {
  const condition = findConditionIn(risk, APPLIES);
  return textAt(condition, "status") === "True" ? textAt(condition, "lastTransitionTime") : undefined;
}

function isRiskOf({ source, target }: UpdateVersions, risk: JsonObject): boolean {
  const origin = findOrigin(risk);
  return origin !== undefined && origin.target === target && (origin.source ?? source) === source;
}

/** Parses a retained result; undefined if the text is not one. */
export function parseRetainedResult(text: string): RetainedResult | undefined {
  const value = parseObject(text);
  const source = textAt(value, "source");
  const target = textAt(value, "target");
  if (source === undefined || target === undefined) return undefined;
  const image = textAt(value, "image");
  const observedAt = textAt(value, "observedAt");
  const recommended = at(value, "recommended");
  return {
    source,
    target,
    image,
    observedAt,
    risks: objectsAt(value, "risks"),
    ...(isObject(recommended) ? { recommended } : {}),
  };
}
