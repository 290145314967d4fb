import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocuments } from "../encoding/yaml.ts";
import { type Json, type JsonObject, isObject } from "../model/json.ts";
import { getBaseFile } from "./base-file.ts";

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
