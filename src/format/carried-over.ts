import type { DocumentRisk, PreflightDocument } from "../model/document.ts";
import { defined, isDifferent } from "../model/optional.ts";

/** What a document tells of the last completed cycle for one source and target. */
export type CarriedOverResult = {
  readonly sourceVersion: string;
  readonly targetVersion: string;
  readonly targetImage?: string;
  readonly targetDigest?: string;
  readonly observedAt: string;
  readonly validUntil?: string;
  readonly risks: readonly DocumentRisk[];
};

/** What is known now of source and target. */
export type UpdateIdentity = {
  readonly sourceVersion?: string | undefined;
  readonly targetVersion?: string | undefined;
  readonly targetImage?: string | undefined;
};

/**
 * The last completed cycle as the previous document tells it, unless that is known to be about another source or target.
 * What isn't known now differs from nothing: an outage that hides the versions doesn't clear a risk either.
 * Only a completed cycle gives a document its `observedAt`, so one without it has nothing to hold.
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
  return {
    sourceVersion,
    targetVersion,
    ...defined({ targetImage, targetDigest }),
    observedAt,
    ...defined({ validUntil }),
    risks,
  };
}

/** Since when each risk has applied, by name. */
export function getAppliesTimes(
  carriedOver: Pick<CarriedOverResult, "risks"> | undefined,
): ReadonlyMap<string, string> {
  const risks = carriedOver?.risks ?? [];
  return new Map(
    risks.flatMap(({ name, conditions }) => (conditions ? [[name, conditions[0].lastTransitionTime]] : [])),
  );
}
