import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FailedError } from "../model/errors.ts";
import type { Check } from "../model/check.ts";
import { type Json, type JsonObject, parseObject, isObject } from "../model/json.ts";
import { type CaseText, parseCase } from "./parser.ts";
import { parseDocuments } from "../encoding/yaml.ts";

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

/** What the cases of a folder may share: all that the check is given. What it says of that is each case's own. */
const KEYS = ["source", "target", "now", "otherChecks", "published", "notReplayed", "notTried", "cluster"];

/** By its text, since all cases of a folder read the same one. */
const parsed = new Map<string, JsonObject>();

/** What a case of the folder differs from: base.yaml if there is one, or base-NAME.yaml if the case names it. */
export function readBase(folder: string, name: Json | undefined): JsonObject | undefined {
  if (name === "none") return undefined;
  const file = name === undefined || typeof name === "string" ? getBaseFile(name) : undefined;
  if (file === undefined) throw new Error("base: give the NAME of base-NAME.yaml, or none");
  if (existsSync(join(folder, file))) return readBaseFile(folder, file);
  if (name === undefined) return undefined;
  throw new Error(`base: there is no ${file} beside the case`);
}

function readBaseFile(folder: string, file: string): JsonObject {
  try {
    const text = readFileSync(join(folder, file), "utf8");
    const base = parsed.get(text) ?? parseBase(text);
    parsed.set(text, base);
    return base;
  } catch (cause) {
    throw new Error(file, { cause });
  }
}

function parseBase(text: string): JsonObject {
  const read = parseDocuments(text);
  if (read.kind === "invalid") throw new Error(read.message);
  const [document, ...more] = read.documents;
  if (!isObject(document) || more.length > 0) throw new Error("a base is one YAML document with keys");
  const others = Object.keys(document).filter((key) => !KEYS.includes(key));
  if (others.length > 0) throw new Error(`a base has no ${others.join(", ")}: it has ${KEYS.join(", ")}`);
  if ("cluster" in document && !isObject(document["cluster"])) throw new Error("cluster holds no map");
  return document;
}

const DEFAULT = "base.yaml";
const FILE = /^base(?:-.*)?\.yaml$/;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a file in a folder of cases is no case, but what cases share. */
export function isBaseFile(name: string): boolean {
  return FILE.test(name);
}

/** The file that a case means by the name of its base, or by naming none; undefined if it can't be a name. */
export function getBaseFile(name: string | undefined): string | undefined {
  if (name === undefined) return DEFAULT;
  return NAME.test(name) ? `base-${name}.yaml` : undefined;
}
