import type { Problem } from "../model/release.ts";
import { problem } from "./problem.ts";
import { groupOf, type PayloadManifest } from "./payload.ts";

type Unique = { readonly unique: readonly PayloadManifest[]; readonly problems: readonly Problem[] };

/** Leaves out every manifest whose object (group, kind, namespace, name) another one defines too, and names their files. */
export function withoutDuplicates(manifests: readonly PayloadManifest[]): Unique {
  const groups = Map.groupBy(manifests, objectKey);
  const unique = manifests.filter((manifest) => groups.get(objectKey(manifest))?.length === 1);
  const problems = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined || others.length === 0 ? [] : [duplicate(first, others)];
  });
  return { unique, problems };
}

function objectKey(manifest: PayloadManifest): string {
  return JSON.stringify([groupOf(manifest), manifest.kind, manifest.namespace ?? "", manifest.name]);
}

function duplicate(first: PayloadManifest, others: readonly PayloadManifest[]): Problem {
  const files = [first, ...others].map(({ file }) => file);
  const object = `${first.kind} ${first.namespace === undefined ? "" : `${first.namespace}/`}${first.name}`;
  const message = `${object} is defined more than once for this cluster, in ${files.join(" and in ")}: none of these is used`;
  return problem("DuplicateManifest", first.file, message);
}
