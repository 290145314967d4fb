import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type Pair, refOfCrd } from "./definitions.ts";
import { targetName } from "./names.ts";
import { SUBRESOURCE_REMOVED } from "./risks.ts";

function storageOf(crd: Crd): string | undefined {
  return crd.versions.find((version) => version.storage)?.name;
}

/**
 * Objects stay stored as they are until somebody writes them, and are converted when they are read: nothing fails while the target's
 * definition still has the old version, served or not. Where it lacks it, that is a risk of its own.
 */
export function storageNotices({ installed, target }: Pair, context: Context): readonly string[] {
  const [before, after] = [storageOf(installed), storageOf(target)];
  if (before === undefined || after === undefined || before === after) return [];
  if (!target.versions.some(({ name }) => name === before)) return [];
  return [
    `${targetName(context)} stores ${installed.name} as ${after}; objects stored as ${before} stay so until they are written again, and are still read.`,
  ];
}

/** A request to a subresource that is gone gets a 404, in each version for itself. */
export function subresourceFindings({ installed, target }: Pair): readonly Finding[] {
  return installed.versions.flatMap((before) => {
    const after = target.versions.find(({ name }) => name === before.name);
    if (!before.served || !after?.served) return [];
    const lost = before.subresources.filter((name) => !after.subresources.includes(name));
    return lost.map((name) => ({
      risk: SUBRESOURCE_REMOVED,
      object: refOfCrd(installed),
      path: `spec.versions[${before.name}].subresources.${name}`,
      message: `Version ${before.name} has no /${name} any more.`,
    }));
  });
}
