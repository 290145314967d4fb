import assert from "node:assert/strict";
import { test } from "node:test";
import { drawHouse } from "../../tools/pages/house.ts";
import { listFiles, readFile } from "../support/docs/pages.ts";

/** Sources by their paths, each with the imports that it has. */
function draw(imports: Readonly<Record<string, readonly string[]>>) {
  const sources = Object.entries(imports).map(([path, specifiers]) => ({
    path,
    text: specifiers.map((specifier) => `import { a } from "${specifier}";\n`).join(""),
  }));
  return drawHouse(sources);
}

test("draws each folder above those that it imports, without arrows that others make up", () => {
  const { folders } = draw({
    "src/model/a.ts": [],
    "src/format/a.ts": ["../model/a.ts", "node:fs", "../../schemas/a.json"],
    "src/cli/a.ts": ["../model/a.ts", "../format/a.ts", "./b.ts"],
    "src/cli/b.ts": ["../lift/a.ts"],
    "src/lift/a.ts": ["../model/a.ts"],
  });
  const arrows = ["    cli --> format & lift", "    format --> model", "    lift --> model"];
  assert.equal(folders, ["```mermaid", "flowchart TD", ...arrows, "```"].join("\n"));
});

test("lists the rooms of each folder from the top, and marks an arrow that leads back up", () => {
  const { rooms } = draw({
    "src/checks/index.ts": ["./one/check.ts"],
    "src/checks/one/check.ts": ["../../checks/shared/a.ts", "./risks.ts"],
    "src/checks/one/risks.ts": [],
    "src/checks/two/check.ts": [],
    "src/checks/shared/a.ts": [],
    "src/lift/lift.ts": ["../model/a.ts"],
    "src/model/a.ts": [],
    "src/schema/cel/a.ts": ["../values/a.ts"],
    "src/schema/values/a.ts": ["../cel/deep/a.ts"],
    "src/schema/cel/deep/a.ts": [],
    "src/schema/crd/a.ts": ["../cel/a.ts"],
  });
  const checks = ["checks", "  (files) -> <id>", "  <id>    -> shared", "  shared"];
  const schema = ["schema", "  crd    -> cel", "  cel    -> values", "  values -> ^cel"];
  assert.equal(rooms, ["```text", ...checks, "", ...schema, "```"].join("\n"));
});

test("the page says of each folder of src what is in it", () => {
  const [, table = ""] = readFile("docs/design/README.md").split("| folder | what is in it |");
  const rows = [
    ...table
      .split("\n\n", 1)
      .join()
      .matchAll(/^\| ([^|]*) \|/gm),
  ].flatMap(([, cell = ""]) => cell.split(", "));
  const named = rows.filter((name) => name !== "---").map((name) => name.replaceAll("`", ""));
  const folders = new Set(listFiles("src/*.ts").map((path) => path.split("/")[1]));
  assert.deepEqual(named.toSorted(), [...folders].toSorted());
});
