import type { Context } from "../../model/check.ts";
import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type Prepared, type PrepareOptions, prepare } from "../../schema/judge.ts";
import { ratchets } from "../../schema/ratchet.ts";
import type { Pair } from "./definitions.ts";

/** In which version a CRD's objects are read, which is today's side, and by which version of the target they are judged. */
export type Reading = {
  readonly before: CrdVersion;
  readonly after: CrdVersion;
  /** A webhook would turn objects of the one into the other, and what comes of that is not known. */
  readonly webhook: boolean;
};

/**
 * Objects are read in a version that both releases serve and whose schema changes, the one in which the target stores them before
 * others: each version's schema counts for the writes made in it. Undefined where no schema changes, and where scope or kind do: the
 * target's definition can't be put in place at all then, which is a finding of its own.
 */
export function readingOf({ installed, target }: Pair): Reading | undefined {
  if (installed.scope !== target.scope || installed.kind !== target.kind) return undefined;
  const common = storageFirst(target).flatMap((after) => {
    const before = installed.versions.find((version) => version.served && version.name === after.name);
    return before && after.served ? [{ before, after, webhook: false }] : [];
  });
  return common.length > 0 ? common.find(isChanged) : withoutCommonVersion({ installed, target });
}

/** Without a webhook a version is changed by its name alone, so an object of the one can be judged by the other. */
function withoutCommonVersion({ installed, target }: Pair): Reading | undefined {
  const before = storageFirst(installed).find((version) => version.served);
  const [after] = storageFirst(target);
  if (before === undefined || after === undefined) return undefined;
  const reading = { before, after, webhook: target.conversion.strategy === "Webhook" };
  return reading.webhook || isChanged(reading) ? reading : undefined;
}

/** The API server takes no definition without a schema, so there is nothing to judge by where the target's is missing. */
function isChanged({ before, after }: Reading): boolean {
  return after.schema !== "" && before.schema !== after.schema;
}

function storageFirst(crd: Crd): readonly CrdVersion[] {
  return crd.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

/** `before` is absent where there is no schema today, or none that is understood: any object is valid then. */
export type Schemas = {
  readonly before: Prepared | undefined;
  readonly after: Prepared;
  /** Do the target's API servers let values stand that a write doesn't change? */
  readonly ratchets: boolean;
};

/** Throws where nothing can be judged, which fails the read, and with it the verdict on this kind alone. */
export function schemasOf({ installed, target }: Pair, { before, after, webhook }: Reading, context: Context): Schemas {
  if (webhook)
    throw new Error(
      `no version is served by both releases, and what a webhook makes of ${before.name} in ${after.name} is not known`,
    );
  const prepared = prepare(after.schema, optionsOf(target, kubernetesOfTarget(context)));
  if (prepared.kind === "refused")
    throw new Error(`the target's schema of version ${after.name} is not understood: ${prepared.message}`);
  const today =
    before.schema === ""
      ? undefined
      : prepare(before.schema, optionsOf(installed, minorOfKubernetes(context.kubernetes.source)));
  const ratcheting = ratchets(kubernetesOfTarget(context));
  return { after: prepared, ratchets: ratcheting, before: today?.kind === "prepared" ? today : undefined };
}

function optionsOf({ preserveUnknownFields }: Crd, kubernetes: string): PrepareOptions {
  return { kubernetes, preserveUnknownFields };
}

function kubernetesOfTarget({ release, kubernetes }: Context): string {
  return release.kubernetes ?? minorOfKubernetes(kubernetes.target);
}

function minorOfKubernetes(minor: number): string {
  return `1.${minor}.0`;
}
