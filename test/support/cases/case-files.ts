import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../../src/model/check.ts";
import { type JsonObject, parseObject } from "../../../src/model/json.ts";
import { type CaseText, parseCase } from "./parser.ts";

const CHECKS = join(import.meta.dirname, "..", "..", "..", "src", "checks");
const RECORDED = "cluster.json";

/** A case of a check: cases/NAME.yaml, or a recorded cluster's folder with cluster.json and case.yaml. */
export type CaseFile = { readonly name: string; readonly file: string; readonly check: Check };
export type Case = CaseFile & CaseText;

export function checkFolder({ id }: Pick<Check, "id">): string {
  return join(CHECKS, id);
}

export function checkFolders(): readonly string[] {
  return entries(CHECKS).flatMap(({ name, isFolder }) => (isFolder && name !== "shared" ? [name] : []));
}

export function caseFiles(check: Check): readonly CaseFile[] {
  const folder = join(checkFolder(check), "cases");
  if (!existsSync(folder)) return [];
  return entries(folder).map(({ name, isFolder }) =>
    isFolder
      ? { name, file: join(folder, name, "case.yaml"), check }
      : { name: name.replace(/\.yaml$/, ""), file: join(folder, name), check },
  );
}

export function readCase(one: CaseFile): Case {
  try {
    return { ...one, ...parseCase(readFileSync(one.file, "utf8"), recordedCluster(one)) };
  } catch (cause) {
    throw new Error(`reading ${one.file}`, { cause });
  }
}

function recordedCluster({ file }: CaseFile): JsonObject | undefined {
  if (!file.endsWith("/case.yaml")) return undefined;
  const cluster = parseObject(readFileSync(file.replace(/case\.yaml$/, RECORDED), "utf8"));
  if (!cluster) throw new Error(`${RECORDED} holds no JSON object`);
  return cluster;
}

type Entry = { readonly name: string; readonly isFolder: boolean };

function entries(folder: string): readonly Entry[] {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
