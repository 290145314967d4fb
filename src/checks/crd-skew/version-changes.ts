import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type CrdPair, refOfCrd } from "./crd-pair.ts";
import { formatTargetName } from "./target-name.ts";
import { SUBRESOURCE_REMOVED } from "./risk-names.ts";

function findStorageVersion(crd: Crd): string | undefined {
  return crd.versions.find((version) => version.storage)?.name;
}

/**
 * Objects stay stored in the old version until they are written again, and are converted when they are read. Nothing fails as long
 * as the target's CRD still has the old version, served or not. If it lacks that version, that is a separate risk.
 */
export function buildStorageNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  const [before, after] = [findStorageVersion(installed), findStorageVersion(target)];
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
