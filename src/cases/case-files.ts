import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FailedError } from "../model/errors.ts";
import type { Check } from "../model/check.ts";
import { type Json, type JsonObject, parseObject } from "../model/json.ts";
import { isBaseFile } from "./base-file.ts";
import { readBase } from "./base.ts";
import { type CaseText, parseCase } from "./parser.ts";

const RECORDED = "cluster.json";

/** A case of a check: NAME.yaml, or a recorded cluster's folder with cluster.json and case.yaml. */
export type CaseFile = { readonly name: string; readonly file: string; readonly check: Check };
export type CheckCase = CaseFile & CaseText;
/** A case whoever judges it. */
export type FileCase = CaseText & Pick<CaseFile, "name" | "file">;

/** The cases in a folder, by name; none if there is no such folder. */
export function listCaseFiles(folder: string, check: Check): readonly CaseFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith(".") && !isBaseFile(entry.name))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isFolder }) =>
      isFolder
        ? { name, file: join(folder, name, "case.yaml"), check }
        : { name: name.replace(/\.yaml$/, ""), file: join(folder, name), check },
    );
}

export function readCase<File extends Pick<CaseFile, "name" | "file">>(one: File): File & CaseText {
  try {
    if (isBaseFile(basename(one.file))) throw new Error("it is what cases share, and no case");
    const findBase = (name: Json | undefined) => readBase(dirname(one.file), name);
    return { ...one, ...parseCase(readFileSync(one.file, "utf8"), recordedCluster(one), findBase) };
  } catch (cause) {
    throw new FailedError(`reading ${one.file}`, { cause });
  }
}

function recordedCluster({ file }: Pick<CaseFile, "file">): JsonObject | undefined {
  if (!file.endsWith("/case.yaml")) return undefined;
  const cluster = parseObject(readFileSync(file.replace(/case\.yaml$/, RECORDED), "utf8"));
  if (!cluster) throw new Error(`${RECORDED} holds no JSON object`);
  return cluster;
}
