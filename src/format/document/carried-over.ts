import type { PreflightDocument } from "../../model/document.ts";
import { isDifferent } from "../../model/optional.ts";

/** The result of the last completed cycle for one source and target, as in a document. */
export type CarriedOverResult = Required<Pick<PreflightDocument, "sourceVersion" | "targetVersion" | "observedAt">> &
  Pick<PreflightDocument, "targetImage" | "targetDigest" | "validUntil" | "risks">;

/** Source and target, as far as they are known now. */
export type UpdateIdentity = {
  readonly sourceVersion?: string | undefined;
  readonly targetVersion?: string | undefined;
  readonly targetImage?: string | undefined;
};

/**
 * The result in the previous document, unless that is known to be for another source or target. A version that is unknown now does not
 * differ from any: an outage must not clear a risk. Only a completed cycle sets `observedAt`, so a document without it has no result.
 */
export function carryOver(
  previous: PreflightDocument | undefined,
  identity: UpdateIdentity,
): CarriedOverResult | undefined {
  if (previous?.sourceVersion === undefined || previous.targetVersion === undefined) return undefined;
  const { sourceVersion, targetVersion, observedAt, validUntil, targetImage, targetDigest, risks } = previous;
  if (observedAt === undefined) return undefined;
  if (isDifferent(identity.sourceVersion, sourceVersion) || isDifferent(identity.targetVersion, targetVersion))
    return undefined;
  if (identity.targetVersion === undefined && isDifferent(identity.targetImage, targetImage)) return undefined;
  return { sourceVersion, targetVersion, observedAt, risks, targetImage, targetDigest, validUntil };
}

/** The time since which each risk has applied, by name. */
export function getAppliesTimes(
  carriedOver: Pick<CarriedOverResult, "risks"> | undefined,
): ReadonlyMap<string, string> {
  const risks = carriedOver?.risks ?? [];
  return new Map(
    risks.flatMap(({ name, conditions }) => (conditions ? [[name, conditions[0].lastTransitionTime]] : [])),
  );
}
