import type { Context, Finding } from "../../model/check.ts";
import { summarizeNames } from "../../model/text.ts";
import type { Crd } from "../../model/crd.ts";
import { type ListResult, valuesOf } from "../../model/read.ts";
import {
  type CrdPair,
  findRemovedVersions,
  findStorage,
  findUnservedVersions,
  refOfCrd,
  formatTargetName,
} from "./crd-pair.ts";
import { type RequestCount, describeManagedObjects, describeWriters } from "./version-usage.ts";
import {
  NAMES_CHANGED,
  SCOPE_OR_KIND_CHANGED,
  SERVED_VERSION_REMOVED,
  STORED_VERSION_REMOVED,
  IMMUTABLE_PATHS,
  SUBRESOURCE_REMOVED,
} from "./risks.ts";
import { type DefaultPlace, listOtherDefaults } from "./schema-parts.ts";
import type { ObjectWriters } from "../shared/api-use.ts";
import { formatCanonicalJson, parseObject } from "../../model/json.ts";

/**
 * The API server refuses to update a CRD if status.storedVersions lists a version that spec.versions lacks
 * (ValidateCustomResourceDefinitionStoredVersions in k8s.io/apiextensions-apiserver).
 */
export function buildStoredVersionFindings({ installed, target }: CrdPair): readonly Finding[] {
  const shipped = new Set(target.versions.map((version) => version.name));
  const missing = installed.storedVersions.filter((version) => !shipped.has(version));
  const kept = findKeptVersions(installed, shipped);
  return missing.map((version) => ({
    risk: STORED_VERSION_REMOVED,
    detail: { kind: "storedVersion", ...(kept.length > 0 ? { kept: kept.join(",") } : {}) },
    object: refOfCrd(installed),
    path: "status.storedVersions",
    message: `The new CRD drops ${version}, but status.storedVersions still lists it.`,
  }));
}

/** What status.storedVersions lists once all objects are written again; nothing if they would still be stored in a removed version. */
function findKeptVersions(installed: Crd, shipped: ReadonlySet<string>): readonly string[] {
  const storage = findStorage(installed)?.name;
  if (storage === undefined || !shipped.has(storage)) return [];
  return [...new Set([...installed.storedVersions.filter((version) => shipped.has(version)), storage])];
}

/** Evidence that a version is in use: the requests for it, if they could be read, and the objects written in it. */
export type VersionUsage = {
  readonly counts: ListResult<RequestCount> | undefined;
  readonly written: readonly ObjectWriters[];
};

/** Nothing of a CRD that the API server refuses comes with the update. */
export function buildServedVersionFindings(pair: CrdPair, usage: VersionUsage): readonly Finding[] {
  return isRefusedUpdate(pair) ? [] : findLostVersions(pair, usage);
}

function isRefusedUpdate(pair: CrdPair): boolean {
  return buildStoredVersionFindings(pair).length + buildFixedNameFindings(pair).length > 0;
}

/** What comes after a refusal that has a finding of its own. */
export function buildLaterVersionNotices(pair: CrdPair, usage: VersionUsage): readonly string[] {
  if (!isRefusedUpdate(pair)) return [];
  return findLostVersions(pair, usage).map(
    ({ message }) => `Once the API server accepts the target's CRD ${pair.target.name}, v${message.slice(1)}`,
  );
}

function findLostVersions(pair: CrdPair, usage: VersionUsage): readonly Finding[] {
  const unserved = findUnservedVersions(pair);
  const removed = findRemovedVersions(pair);
  return [...new Set([...unserved, ...removed])].flatMap((version) => {
    const use = unserved.includes(version) ? describeUse(pair, version, usage) : undefined;
    const managed = removed.includes(version) ? describeManagedObjects(version, usage.written) : undefined;
    if (use === undefined && managed === undefined) return [];
    const message = [
      use === undefined ? `Version ${version} is removed` : `Version ${version} is no longer served, and ${use}`,
      ...(managed === undefined ? [] : [`server-side apply will fail for ${managed}, whose managed fields name it`]),
    ];
    return [
      {
        risk: SERVED_VERSION_REMOVED,
        detail: { kind: "servedVersion", ...(managed === undefined ? {} : { effect: "applyRefused" }) },
        object: refOfCrd(pair.installed),
        path: `spec.versions[${version}]`,
        message: `${message.join("; ")}.`,
      },
    ];
  });
}

/** Requests show current use. Managed fields can be old, so they count only if there are no requests. */
function describeUse(pair: CrdPair, version: string, { counts, written }: VersionUsage): string | undefined {
  const count = findRequestCount(pair, version, counts);
  if (count === undefined) return describeWriters(version, written);
  return `${count.users.length === 0 ? "clients" : summarizeNames(count.users)} requested it in the last 24 hours`;
}

/** A removed version without evidence of use is a notice, not a risk. */
export function buildUnservedNotices(pair: CrdPair, usage: VersionUsage, context: Context): readonly string[] {
  if (usage.counts === undefined) return [];
  const { plural, group } = pair.installed;
  const use =
    usage.counts.kind === "absent"
      ? "this cluster does not count requests, so its clients are not known"
      : "no client that needs it requested it in the last 24 hours";
  return findUnservedVersions(pair)
    .filter((version) => !hasFinding(pair, version, usage))
    .map((version) => `${formatTargetName(context)} no longer serves ${plural}.${group} as ${version}; ${use}.`);
}

function hasFinding(pair: CrdPair, version: string, usage: VersionUsage): boolean {
  const isRemoved = findRemovedVersions(pair).includes(version);
  const isManaged = isRemoved && describeManagedObjects(version, usage.written) !== undefined;
  return isManaged || describeUse(pair, version, usage) !== undefined;
}

function findRequestCount(
  { installed }: CrdPair,
  version: string,
  counts: ListResult<RequestCount> | undefined,
): RequestCount | undefined {
  if (counts === undefined) return undefined;
  const name = `${installed.plural}.${version}.${installed.group}`;
  return valuesOf(counts).find((count) => count.name === name);
}

/** The changes of names that the API server refuses; the others do not happen if it refuses the CRD. */
export function buildFixedNameFindings(pair: CrdPair): readonly Finding[] {
  return buildNamesFindings(pair).filter(({ path }) => path !== undefined && IMMUTABLE_PATHS.has(path));
}

/** Group and plural are left out: they form the CRD's name, so a pair always shares them. */
export function buildNamesFindings({ installed, target }: CrdPair): readonly Finding[] {
  const fields = [
    ["spec.scope", installed.scope, target.scope],
    ["spec.names.kind", installed.kind, target.kind],
    ["spec.names.listKind", installed.listKind, target.listKind],
    ["spec.names.singular", installed.singular, target.singular],
  ] as const;
  return fields
    .filter(([, before, after]) => before !== after)
    .map(([path, before, after]) => ({
      risk: IMMUTABLE_PATHS.has(path) ? SCOPE_OR_KIND_CHANGED : NAMES_CHANGED,
      detail: { kind: "shape" },
      object: refOfCrd(installed),
      path,
      message: `It is "${before}" today and "${after}" in the new CRD.`,
    }));
}

/**
 * Objects stay stored in the old version until they are written again, and are converted when they are read. Nothing fails as long
 * as the target's CRD still has the old version, served or not. If it lacks that version, that is a separate risk.
 */
export function buildStorageNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  const before = findStorage(installed)?.name;
  const after = findStorage(target)?.name;
  if (before === undefined || after === undefined || before === after) return [];
  if (!target.versions.some(({ name }) => name === before)) return [];
  return [
    `${formatTargetName(context)} stores ${installed.name} as ${after}; objects stored as ${before} remain readable, and are converted when they are next written.`,
  ];
}

type MissingSubresource = { readonly version: string; readonly name: string };

function findMissingSubresources({ installed, target }: CrdPair): readonly MissingSubresource[] {
  return installed.versions.flatMap((before) => {
    const after = target.versions.find(({ name }) => name === before.name);
    if (!before.served || !after?.served) return [];
    const missing = before.subresources.filter((name) => !after.subresources.includes(name));
    return missing.map((name) => ({ version: before.name, name }));
  });
}

/** Requests to a removed subresource fail with 404. A rollback also brings back the operators that do not use it. */
export function buildSubresourceFindings(pair: CrdPair, { update }: Context): readonly Finding[] {
  if (update === "rollback") return [];
  return findMissingSubresources(pair).map(({ version, name }) => ({
    risk: SUBRESOURCE_REMOVED,
    detail: { kind: "shape" },
    object: refOfCrd(pair.installed),
    path: `spec.versions[${version}].subresources.${name}`,
    message: `Version ${version} no longer has /${name}.`,
  }));
}

export function buildSubresourceNotices(pair: CrdPair, context: Context): readonly string[] {
  if (context.update !== "rollback") return [];
  return findMissingSubresources(pair).map(
    ({ version, name }) =>
      `${formatTargetName(context)} does not have the newer subresource /${name} of ${pair.installed.name} in ${version}; clients other than operators of the release that use it fail with 404.`,
  );
}

/** Most objects have their defaults stored, and the verdicts on objects say where another one decides. That is a notice, not a risk. */
export function buildDefaultNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  return target.versions.flatMap((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    if (before === undefined || before.schema === after.schema) return [];
    const changes = listOtherDefaults(parseObject(after.schema), parseObject(before.schema)).flatMap(describeChange);
    if (changes.length === 0) return [];
    return [
      `${formatTargetName(context)} changes defaults in version ${after.name} of ${target.name}: ${summarizeNames(changes)}. Objects that have the field stored keep its value; all others get the new default.`,
    ];
  });
}

const MAX_LENGTH = 60;

/** 'spec.mode from "A" to "B"', for a field that has a default in both schemas. */
function describeChange({ path, value, other }: DefaultPlace): readonly string[] {
  if (other === undefined) return [];
  return [`${path} from ${shorten(formatCanonicalJson(other))} to ${shorten(formatCanonicalJson(value))}`];
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}... (shortened)` : text;
}
