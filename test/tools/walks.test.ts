import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";

const LONGEST: Readonly<Record<string, number>> = {
  "An object, from the API page to the table": 15,
  "A release, from its registry to manifests": 10,
  "A risk, from a check to ClusterVersion": 20,
  "A setting, from definition to use": 4,
};

test("docs/design/walks.md names existing files, and no walk exceeds its limit", () => {
  const sections = readFileSync("docs/design/walks.md", "utf8").split(/^## /m).slice(1);
  const lengths = sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    const files = lines.flatMap((line) => /^\d+\. `([^`]+)`/.exec(line)?.[1] ?? []);
    for (const file of files) assert.ok(existsSync(file.replace("<id>", "cgroup-v1")), `${file} does not exist`);
    return [title, files.length] as const;
  });
  assert.deepEqual(
    lengths.map(([title]) => title),
    Object.keys(LONGEST),
  );
  for (const [title, length] of lengths)
    assert.ok(length > 0 && length <= (LONGEST[title] ?? 0), `${title}: ${length} files`);
});
