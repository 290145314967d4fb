import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type CrdPair, refOfCrd } from "./crd-pair.ts";
import { formatTargetName } from "./target-name.ts";
import { SUBRESOURCE_REMOVED } from "./risks.ts";

function findStorageVersion(crd: Crd): string | undefined {
  return crd.versions.find((version) => version.storage)?.name;
}

/**
 * Objects stay stored as they are until somebody writes them, and are converted when they are read: nothing fails while the target's
 * definition still has the old version, served or not. Where it lacks it, that is a risk of its own.
 */
export function buildStorageNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  const [before, after] = [findStorageVersion(installed), findStorageVersion(target)];
  if (before === undefined || after === undefined || before === after) return [];
  if (!target.versions.some(({ name }) => name === before)) return [];
  return [
    `${formatTargetName(context)} stores ${installed.name} as ${after}; objects stored as ${before} stay so until they are written again, and are still read.`,
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

/** A request to a subresource that is gone gets a 404. A rollback brings back the operators that never knew it. */
export function buildSubresourceFindings(pair: CrdPair, { update }: Context): readonly Finding[] {
  if (update === "rollback") return [];
  return findMissingSubresources(pair).map(({ version, name }) => ({
    risk: SUBRESOURCE_REMOVED,
    detail: { kind: "shape" },
    object: refOfCrd(pair.installed),
    path: `spec.versions[${version}].subresources.${name}`,
    message: `Version ${version} has no /${name} any more.`,
  }));
}

export function buildSubresourceNotices(pair: CrdPair, context: Context): readonly string[] {
  if (context.update !== "rollback") return [];
  return findMissingSubresources(pair).map(
    ({ version, name }) =>
      `${formatTargetName(context)} has no /${name} of ${pair.installed.name} as ${version}, which came later; other clients that use it fail with 404.`,
  );
}
