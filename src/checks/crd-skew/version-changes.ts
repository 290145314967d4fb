import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type CrdPair, refOfCrd, formatTargetName } from "./crd-pair.ts";
import { SUBRESOURCE_REMOVED } from "./risk-names.ts";
import { at, formatCanonicalJson, type Json, objectAt, parseObject } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";

function findStorageVersion(crd: Crd): string | undefined {
  return crd.versions.find((version) => version.storage)?.name;
}

/**
 * Objects stay stored in the old version until they are written again, and are converted when they are read. Nothing fails as long
 * as the target's CRD still has the old version, served or not. If it lacks that version, that is a separate risk.
 */
export function buildStorageNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  const before = findStorageVersion(installed);
  const after = findStorageVersion(target);
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

/** Stored objects were defaulted when they were written, so a new default only reaches new objects. That is a notice, not a risk. */
export function buildDefaultNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  return target.versions.flatMap((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    if (before === undefined || before.schema === after.schema) return [];
    const changes = findDefaultChanges(parseObject(before.schema), parseObject(after.schema), "");
    if (changes.length === 0) return [];
    return [
      `${formatTargetName(context)} changes defaults in version ${after.name} of ${target.name}: ${summarizeNames(changes)}. Objects that have the field keep its value; all others get the new default.`,
    ];
  });
}

/** 'spec.mode from "A" to "B"', for fields that have a default in both schemas. */
function findDefaultChanges(before: Json | undefined, after: Json | undefined, path: string): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const current = at(before, "default");
  const next = at(after, "default");
  const own = current === undefined || next === undefined ? [] : describeChange(path, current, next);
  const properties = Object.entries(objectAt(after, "properties")).flatMap(([name, child]) =>
    findDefaultChanges(at(before, "properties", name), child, path === "" ? name : `${path}.${name}`),
  );
  const elements = ["items", "additionalProperties"].flatMap((keyword) =>
    findDefaultChanges(at(before, keyword), at(after, keyword), `${path}[*]`),
  );
  return [...own, ...properties, ...elements];
}

const MAX_LENGTH = 60;

function describeChange(path: string, before: Json, after: Json): readonly string[] {
  const current = formatCanonicalJson(before);
  const next = formatCanonicalJson(after);
  return current === next ? [] : [`${path} from ${shorten(current)} to ${shorten(next)}`];
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}... (shortened)` : text;
}
