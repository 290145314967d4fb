import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { type JsonObject, isObject, textAt } from "../../src/model/json.ts";
import { formatTable, replaceParts } from "../../verify/shared/markdown.ts";
import reasons from "../../conformance/reasons.json" with { type: "json" };
import texts from "../../conformance/texts.json" with { type: "json" };

const FOLDER = join(import.meta.dirname, "..", "..", "conformance");

/** conformance/README.md: written by hand, except for its tables. */
export function formatConformancePage(page: string): string {
  return replaceParts(page, {
    "the reasons": formatTable(["of", "reason", "rule"], listReasons()),
    "the texts": formatTable(["name", "text", "rule"], listTexts()),
    "the cases": formatTable(["case", "rule"], listCases("cases")),
    "the producers": formatTable(["case", "rule"], listCases("producers")),
  });
}

function listReasons(): readonly (readonly string[])[] {
  return Object.entries(reasons).flatMap(([group, rules]) =>
    Object.entries(rules).map(([reason, rule]) => [group, `\`${reason}\``, rule]),
  );
}

function listTexts(): readonly (readonly string[])[] {
  return Object.entries(texts).map(([name, { text, rule }]) => [name, `\`${text}\``, rule]);
}

function listCases(folder: string): readonly (readonly string[])[] {
  const files = globSync("*.yaml", { cwd: join(FOLDER, folder) }).toSorted();
  return files.map((file) => {
    const scenario = readYaml(join(FOLDER, folder, file));
    return [`[${file.replace(/\.yaml$/, "")}](${folder}/${file})`, textAt(scenario, "rule") ?? ""];
  });
}

function readYaml(path: string): JsonObject {
  const value: unknown = load(readFileSync(path, "utf8"));
  return isObject(value) ? value : {};
}
