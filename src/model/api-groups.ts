import { type Json, listAt, parseObject, textAt } from "./json.ts";

/** The groups that an API server serves, from its answer to /apis; undefined for any other answer. */
export function parseApiGroups(text: string): readonly Json[] | undefined {
  const list = parseObject(text);
  return textAt(list, "kind") === "APIGroupList" ? listAt(list, "groups") : undefined;
}

/** The same for a read of a check or the runner. Throws for any other answer. */
export function requireApiGroups(text: string): readonly Json[] {
  const groups = parseApiGroups(text);
  if (groups === undefined) throw new Error("/apis was answered with something other than an APIGroupList");
  return groups;
}

/** The versions of each group, such as "policy/v1". */
export function listGroupVersions(groups: readonly Json[]): readonly string[] {
  const versions = groups.flatMap((group) => listAt(group, "versions"));
  return versions.flatMap((version) => textAt(version, "groupVersion") ?? []);
}
