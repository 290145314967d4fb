import { listAt, parseObject, textAt } from "../../model/json.ts";

/** The groups and versions that an API server serves ("policy/v1"), from its answer to /apis. */
export function parseGroupVersions(text: string): readonly string[] {
  const list = parseObject(text);
  if (textAt(list, "kind") !== "APIGroupList")
    throw new Error("/apis was answered with something other than an APIGroupList");
  const versions = listAt(list, "groups").flatMap((group) => listAt(group, "versions"));
  return versions.flatMap((version) => textAt(version, "groupVersion") ?? []);
}
