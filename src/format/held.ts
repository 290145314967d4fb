import type { DocumentRisk, PreflightDocument } from "../model/document.ts";

/** What a document tells of the last completed cycle for one source and target. */
export type Held = {
  readonly sourceVersion: string;
  readonly targetVersion: string;
  readonly targetImage?: string;
  readonly targetDigest?: string;
  readonly observedAt: string;
  readonly validUntil?: string;
  readonly risks: readonly DocumentRisk[];
};

/** What is known now of source and target. */
export type Known = {
  readonly sourceVersion?: string | undefined;
  readonly targetVersion?: string | undefined;
  readonly targetImage?: string | undefined;
};

/**
 * The last completed cycle as the previous document tells it, unless that is known to be about another source or target.
 * What isn't known now differs from nothing: an outage that hides the versions doesn't clear a risk either.
 * Only a completed cycle gives a document its `observedAt`, so one without it has nothing to hold.
 */
export function heldFrom(previous: PreflightDocument | undefined, known: Known): Held | undefined {
  if (previous?.sourceVersion === undefined || previous.targetVersion === undefined) return undefined;
  const { sourceVersion, targetVersion, observedAt, validUntil, targetImage, targetDigest, risks } = previous;
  if (observedAt === undefined) return undefined;
  if (differ(known.sourceVersion, sourceVersion) || differ(known.targetVersion, targetVersion)) return undefined;
  if (known.targetVersion === undefined && differ(known.targetImage, targetImage)) return undefined;
  return {
    sourceVersion,
    targetVersion,
    ...(targetImage === undefined ? {} : { targetImage }),
    ...(targetDigest === undefined ? {} : { targetDigest }),
    observedAt,
    ...(validUntil === undefined ? {} : { validUntil }),
    risks,
  };
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** Since when each risk has applied, by name. */
export function firstSeen(held: Pick<Held, "risks"> | undefined): ReadonlyMap<string, string> {
  const risks = held?.risks ?? [];
  return new Map(
    risks.flatMap(({ name, conditions }) => (conditions ? [[name, conditions[0].lastTransitionTime]] : [])),
  );
}
