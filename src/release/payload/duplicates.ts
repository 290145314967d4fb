import type { ReleaseProblem } from "../../model/release.ts";
import { getGroup } from "../../model/resource.ts";
import { buildProblem, type PayloadManifest } from "./payload.ts";

type UniqueManifests = { readonly unique: readonly PayloadManifest[]; readonly problems: readonly ReleaseProblem[] };

/** Drops all manifests of an object (group, kind, namespace, name) that more than one defines, and reports their files. */
export function dropDuplicates(manifests: readonly PayloadManifest[]): UniqueManifests {
  const groups = Map.groupBy(manifests, getObjectKey);
  const unique = manifests.filter((manifest) => groups.get(getObjectKey(manifest))?.length === 1);
  const problems = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined || others.length === 0 ? [] : [buildDuplicateProblem(first, others)];
  });
  return { unique, problems };
}

function getObjectKey(manifest: PayloadManifest): string {
  return JSON.stringify([getGroup(manifest.apiVersion), manifest.kind, manifest.namespace ?? "", manifest.name]);
}

function buildDuplicateProblem(first: PayloadManifest, others: readonly PayloadManifest[]): ReleaseProblem {
  const files = [first, ...others].map(({ file }) => file);
  const object = `${first.kind} ${first.namespace === undefined ? "" : `${first.namespace}/`}${first.name}`;
  const message = `${object} is defined more than once for this cluster, in ${files.join(" and in ")}: none of these is used`;
  return buildProblem("DuplicateManifest", first.file, message);
}
