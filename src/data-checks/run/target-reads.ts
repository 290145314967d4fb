import type { Context } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import type { ReleaseManifest, Release } from "../../model/release.ts";
import { compareRefs, formatResource, getGroup } from "../../model/resource.ts";
import { isOfResource } from "../compile/command-rules.ts";
import type { CompiledCheck } from "../compile/compile.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { BUILT_IN_KINDS } from "../kinds/built-in-kinds.ts";
import { type CheckRead, type KeptItem, type ReadLimits, buildRead, keepFault, requireFields } from "./reads.ts";
import type { KeptResults } from "./state.ts";
import type { KeptResult } from "./values.ts";

/** Since a check may ask before and after its other reads, which would count what is kept twice. */
const found = new WeakMap<Context, WeakMap<CompiledCheck, KeptResults>>();

/** What the reads of the target's manifests find: they need no request. */
export function readTarget(check: CompiledCheck, context: Context, limits: ReadLimits): KeptResults {
  const known = found.get(context) ?? new WeakMap<CompiledCheck, KeptResults>();
  const results = known.get(check) ?? findResults(check, context.release, limits);
  found.set(context, known.set(check, results));
  return results;
}

function findResults({ reads, fields }: CompiledCheck, release: Release, limits: ReadLimits): KeptResults {
  const own = reads.filter(({ definition }) => definition.of === "target");
  return Object.fromEntries(
    own.map((read) => [read.key, findManifests(read, release, buildRead(read, requireFields(fields, read), limits))]),
  );
}

function findManifests(read: CompiledRead, release: Release, built: CheckRead): KeptResult {
  const manifests = release.manifests.filter((one) => isOfKind(one, read, release)).toSorted(compareRefs);
  if (manifests.length === 0 && !isKnown(read, release)) return { kind: "absent", what: "resource" };
  if (built.kind === "each") {
    built.begin?.();
    return { kind: "found", values: manifests.flatMap((one) => keepManifest(one, read, built) ?? []) };
  }
  const named = manifests.find((one) => one.name === built.name && one.namespace === built.namespace);
  const value = named && keepManifest(named, read, built);
  return value === undefined ? { kind: "absent", what: "object" } : { kind: "found", value };
}

function isOfKind(manifest: ReleaseManifest, read: CompiledRead, release: Release): boolean {
  const kind = findDefinition(read, release)?.kind;
  if (kind === undefined) return isOfResource(manifest, formatResource(read.resource));
  return manifest.kind === kind && getGroup(manifest.apiVersion) === read.resource.group;
}

function findDefinition({ resource }: CompiledRead, { crds }: Release): Crd | undefined {
  return crds.find(({ group, plural }) => group === resource.group && plural === resource.resource);
}

/** Whether it says anything that there is no object of a kind: there is none of one that is misspelt, either. */
function isKnown(read: CompiledRead, release: Release): boolean {
  return findDefinition(read, release) !== undefined || BUILT_IN_KINDS.find(read.resource) !== undefined;
}

function keepManifest(
  manifest: ReleaseManifest,
  { resource }: CompiledRead,
  { keep }: CheckRead,
): KeptItem | undefined {
  const { apiVersion } = manifest;
  const version = apiVersion.split("/").at(-1) ?? "";
  if (version !== resource.version) {
    const message = `the target's manifest has ${apiVersion}, and the check reads ${formatResource(resource)}`;
    return keepFault(manifest, { reason: "NotUnderstood", message });
  }
  if (manifest.read === undefined)
    return keepFault(manifest, { reason: "TooLarge", message: "the target's manifests are too many to keep this one" });
  const object = manifest.read();
  if (object !== undefined) return keep(object);
  return keepFault(manifest, {
    reason: "Unreadable",
    message: `the target's ${manifest.file} is no longer what was read`,
  });
}
