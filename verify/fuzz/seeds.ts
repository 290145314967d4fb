import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isBaseFile, readCase } from "../../src/cases/case-files.ts";
import { type Json, type JsonObject, isList, isObject, parseObject } from "../../src/model/json.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A file of this project, by its path in it. */
function readSeed(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function readJsonSeed(path: string): Json {
  const value: Json = JSON.parse(readSeed(path));
  return value;
}

/** The clusters and targets of the cases that the pattern names: "crd-skew/cases/risk-*.yaml". */
export function readCases(pattern: string): readonly JsonObject[] {
  const files = globSync(`src/checks/${pattern}`, { cwd: ROOT }).toSorted();
  return files
    .filter((file) => !isBaseFile(basename(file)))
    .map((file) => readCase({ name: file, file: join(ROOT, file) }))
    .map(({ cluster, release }) => ({
      target: Object.values(release).flatMap((text) => parseObject(text) ?? []),
      cluster,
    }));
}

/** The same value with the first items of each list alone: smaller inputs run more often. */
export function shortenLists(value: Json, most: number): Json {
  if (isList(value)) return value.slice(0, most).map((item) => shortenLists(item, most));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenLists(item, most)]));
}
