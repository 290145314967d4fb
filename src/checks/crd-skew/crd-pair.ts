import { type Crd, type CrdVersion, parseCrd } from "../../model/crd.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { Context } from "../../model/check.ts";
import { type JsonObject, objectAt } from "../../model/json.ts";
import { parseKubernetesVersion } from "../../model/version.ts";
import { type CompiledSchema, type CompileOptions, compileSchema } from "../../schema/crd/index.ts";
import { hasFeature } from "../../schema/openapi/index.ts";

/** A CRD that is installed in the cluster and shipped by the target. */
export type CrdPair = { readonly installed: Crd; readonly target: Crd };

export function pairCrds(installed: readonly Crd[], targets: readonly Crd[]): readonly CrdPair[] {
  const targetsByName = new Map(targets.map((crd) => [crd.name, crd]));
  return installed.flatMap((crd) => {
    const target = targetsByName.get(crd.name);
    return target === undefined ? [] : [{ installed: crd, target }];
  });
}

export function refOfCrd(crd: Crd): ObjectRef {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: crd.name };
}

/** The versions, served or not, that the target's CRD no longer has. */
export function findRemovedVersions({ installed, target }: CrdPair): readonly string[] {
  const names = new Set(target.versions.map(({ name }) => name));
  return installed.versions.map(({ name }) => name).filter((name) => !names.has(name));
}

/** The versions that are served today and not by the target. */
export function findUnservedVersions({ installed, target }: CrdPair): readonly string[] {
  const served = new Set(target.versions.filter((version) => version.served).map((version) => version.name));
  return installed.versions
    .filter((version) => version.served && !served.has(version.name))
    .map((version) => version.name);
}

/** The target as messages name it: a release by its version, a folder of CRDs by its name. */
export function formatTargetName({ release, target }: Context): string {
  return release.crdFolder ?? target.text;
}

const INCLUDE_PREFIX = "include.release.openshift.io/";
/** Which releases, profiles and feature sets a CRD is for, and the approval that its API group asks for. */
export const CRD_ANNOTATIONS = [
  "api-approved.kubernetes.io",
  "capability.openshift.io/",
  "exclude.release.openshift.io/",
  INCLUDE_PREFIX,
  "release.openshift.io/",
];

/** A CRD of the cluster. `isFromPayload`: a release manifest created it, so releases maintain it. */
export type InstalledCrd = { readonly crd: Crd; readonly isFromPayload: boolean };

export function keepInstalledCrd(object: JsonObject): InstalledCrd | undefined {
  const crd = parseCrd(object);
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  const isFromPayload = annotations.some((key) => key.startsWith(INCLUDE_PREFIX));
  return crd === undefined ? undefined : { crd, isFromPayload };
}

/** The installed version in which a CRD's objects are read, and the target's version that judges them. */
export type VersionPair = {
  readonly before: CrdVersion;
  readonly after: CrdVersion;
  /** A webhook would convert between the two, and its result is not known. */
  readonly hasWebhook: boolean;
};

/**
 * Objects are read in a version that both releases serve and whose schema changes; the target's storage version comes first, because
 * each version's schema validates the writes made in it. Undefined if no schema changes, or if scope or kind change: the API server
 * then refuses the target's CRD, which is a separate finding.
 */
export function findVersionPair({ installed, target }: CrdPair): VersionPair | undefined {
  if (installed.scope !== target.scope || installed.kind !== target.kind) return undefined;
  const common = sortStorageFirst(target).flatMap((after) => {
    const before = installed.versions.find((version) => version.served && version.name === after.name);
    return before && after.served ? [{ before, after, hasWebhook: false }] : [];
  });
  return common.length > 0 ? common.find(isChanged) : findPairWithoutCommonVersion({ installed, target });
}

/** Without a webhook, conversion only changes apiVersion, so an object of one version can be judged by another. */
function findPairWithoutCommonVersion({ installed, target }: CrdPair): VersionPair | undefined {
  const before = sortStorageFirst(installed).find((version) => version.served);
  const [after] = sortStorageFirst(target);
  if (before === undefined || after === undefined) return undefined;
  const versions = { before, after, hasWebhook: target.conversion.strategy === "Webhook" };
  return versions.hasWebhook || isChanged(versions) ? versions : undefined;
}

/** The API server accepts no CRD without a schema, so a target version without one judges nothing. */
function isChanged({ before, after }: VersionPair): boolean {
  const isSameScale = JSON.stringify(before.scale) === JSON.stringify(after.scale);
  return after.schema !== "" && (before.schema !== after.schema || !isSameScale);
}

function sortStorageFirst(crd: Crd): readonly CrdVersion[] {
  return crd.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

/** `before` is undefined if the installed CRD has no schema that can be compiled: any object is then valid today. */
export type SchemaPair = {
  readonly before: CompiledSchema | undefined;
  readonly after: CompiledSchema;
  /** Do the target's API servers tolerate invalid values that a write leaves unchanged? */
  readonly hasRatcheting: boolean;
  /** The target's schema of the version in which objects are stored, if it is another one: it drops fields and sets defaults first. */
  readonly storedAs?: CompiledSchema;
};

/** The schemas of a version of the target, which outlives a cycle, and what they were compiled of. */
type KeptSchemas = { readonly key: string; readonly before: string; readonly schemas: SchemaPair };
const keptSchemas = new WeakMap<CrdVersion, KeptSchemas>();
/** The longest schemas that are kept, together: a compiled one takes some ten times its text. */
const LONGEST_KEPT = 32 * 1024;

/** Throws if nothing can be judged: this fails the read, and so makes this kind unknown and no other. */
export function compileSchemas(pair: CrdPair, versions: VersionPair, context: Context): SchemaPair {
  const { before, after } = versions;
  const stored = findStoredVersion(pair.installed, pair.target, after);
  const key = JSON.stringify([
    getTargetKubernetesMinor(context),
    context.kubernetes.source,
    pair.installed.preserveUnknownFields,
    pair.target.preserveUnknownFields,
    versions.hasWebhook,
    before.scale ?? null,
    before.subresources.includes("status"),
    stored?.name ?? null,
  ]);
  const kept = keptSchemas.get(after);
  if (kept !== undefined && kept.key === key && kept.before === before.schema) return kept.schemas;
  const schemas = compilePair(pair, versions, stored, context);
  const length = before.schema.length + after.schema.length + (stored?.schema.length ?? 0);
  if (length <= LONGEST_KEPT) keptSchemas.set(after, { key, before: before.schema, schemas });
  return schemas;
}

function compilePair(
  { installed, target }: CrdPair,
  { before, after, hasWebhook }: VersionPair,
  stored: CrdVersion | undefined,
  context: Context,
): SchemaPair {
  if (hasWebhook)
    throw new Error(
      `no version is served by both releases, and how a webhook converts ${before.name} to ${after.name} is not known`,
    );
  const minor = getTargetKubernetesMinor(context);
  const compiled = compileSchema(after.schema, buildCompileOptions(target, after, minor));
  if (compiled.kind === "refused")
    throw new Error(`the target's schema of version ${after.name} could not be parsed: ${compiled.message}`);
  const current =
    before.schema === ""
      ? undefined
      : compileSchema(before.schema, buildCompileOptions(installed, before, context.kubernetes.source));
  const storedAs = stored && compileSchema(stored.schema, buildCompileOptions(target, stored, minor));
  return {
    after: compiled,
    hasRatcheting: hasFeature("ratcheting", minor),
    before: current?.kind === "prepared" ? current : undefined,
    ...(storedAs?.kind === "prepared" ? { storedAs } : {}),
  };
}

/**
 * The target's version by which the API server reads objects from etcd, if it has another schema than the one in which they are shown. A
 * webhook gives objects another shape, so that what is shown says nothing about what is stored.
 */
export function findStoredVersion(installed: Crd, target: Crd, shown: CrdVersion): CrdVersion | undefined {
  if ([installed, target].some(({ conversion }) => conversion.strategy === "Webhook")) return undefined;
  const stored = installed.versions.find(({ storage }) => storage)?.name;
  const version = target.versions.find(({ name }) => name === stored);
  return version === undefined || version.schema === shown.schema || version.schema === "" ? undefined : version;
}

function buildCompileOptions(
  { preserveUnknownFields }: Crd,
  { scale, subresources }: CrdVersion,
  kubernetesMinor: number,
): CompileOptions {
  return { kubernetesMinor, preserveUnknownFields, scale, hasStatus: subresources.includes("status") };
}

/** Of the API server in the target's payload; as the release's version says if the payload does not. */
export function getTargetKubernetesMinor({ release, kubernetes }: Context): number {
  return parseKubernetesVersion(release.kubernetes ?? "")?.minor ?? kubernetes.target;
}
