import type { Context } from "../../model/check.ts";
import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type CompiledSchema, type CompileOptions, compileSchema } from "../../schema/object-validation.ts";
import { hasRatcheting } from "../../schema/ratcheting.ts";
import type { CrdPair } from "./crd-pair.ts";

/** In which version a CRD's objects are read, which is today's side, and by which version of the target they are judged. */
export type VersionPair = {
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
export function findVersionPair({ installed, target }: CrdPair): VersionPair | undefined {
  if (installed.scope !== target.scope || installed.kind !== target.kind) return undefined;
  const common = sortStorageFirst(target).flatMap((after) => {
    const before = installed.versions.find((version) => version.served && version.name === after.name);
    return before && after.served ? [{ before, after, webhook: false }] : [];
  });
  return common.length > 0 ? common.find(isChanged) : findPairWithoutCommonVersion({ installed, target });
}

/** Without a webhook a version is changed by its name alone, so an object of the one can be judged by the other. */
function findPairWithoutCommonVersion({ installed, target }: CrdPair): VersionPair | undefined {
  const before = sortStorageFirst(installed).find((version) => version.served);
  const [after] = sortStorageFirst(target);
  if (before === undefined || after === undefined) return undefined;
  const versions = { before, after, webhook: target.conversion.strategy === "Webhook" };
  return versions.webhook || isChanged(versions) ? versions : undefined;
}

/** The API server takes no definition without a schema, so there is nothing to judge by where the target's is missing. */
function isChanged({ before, after }: VersionPair): boolean {
  return after.schema !== "" && before.schema !== after.schema;
}

function sortStorageFirst(crd: Crd): readonly CrdVersion[] {
  return crd.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

/** `before` is absent where there is no schema today, or none that is understood: any object is valid then. */
export type SchemaPair = {
  readonly before: CompiledSchema | undefined;
  readonly after: CompiledSchema;
  /** Do the target's API servers let values stand that a write doesn't change? */
  readonly hasRatcheting: boolean;
};

/** Throws where nothing can be judged, which fails the read, and with it the verdict on this kind alone. */
export function compileSchemas(
  { installed, target }: CrdPair,
  { before, after, webhook }: VersionPair,
  context: Context,
): SchemaPair {
  if (webhook)
    throw new Error(
      `no version is served by both releases, and what a webhook makes of ${before.name} in ${after.name} is not known`,
    );
  const compiled = compileSchema(after.schema, buildCompileOptions(target, getTargetKubernetes(context)));
  if (compiled.kind === "refused")
    throw new Error(`the target's schema of version ${after.name} is not understood: ${compiled.message}`);
  const current =
    before.schema === ""
      ? undefined
      : compileSchema(
          before.schema,
          buildCompileOptions(installed, formatKubernetesVersion(context.kubernetes.source)),
        );
  const isRatcheting = hasRatcheting(getTargetKubernetes(context));
  return { after: compiled, hasRatcheting: isRatcheting, before: current?.kind === "prepared" ? current : undefined };
}

function buildCompileOptions({ preserveUnknownFields }: Crd, kubernetesVersion: string): CompileOptions {
  return { kubernetesVersion, preserveUnknownFields };
}

function getTargetKubernetes({ release, kubernetes }: Context): string {
  return release.kubernetes ?? formatKubernetesVersion(kubernetes.target);
}

function formatKubernetesVersion(minor: number): string {
  return `1.${minor}.0`;
}
