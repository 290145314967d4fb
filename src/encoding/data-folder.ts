import { globSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "../model/json.ts";
import { parseDocuments } from "./yaml.ts";

/** Reads the YAML files beside the source code, by name. Throws if one isn't a single document. */
export function readDataFolder(folder: URL): readonly { readonly name: string; readonly value: Json }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names
    .toSorted()
    .map((name) => ({ name, value: parseData(name, readFileSync(new URL(name, folder), "utf8")) }));
}

function parseData(name: string, text: string): Json {
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") throw new Error(`${name}: ${parsed.message}`);
  const [value, ...more] = parsed.documents;
  if (value === undefined || more.length > 0) throw new Error(`${name} is not one document`);
  return value;
}

/** The texts of the files of this name in the folders beside the source code, by their path: "FOLDER/FILE". */
export function readFolderFiles(
  folder: URL,
  file: string,
): readonly { readonly name: string; readonly text: string }[] {
  return globSync(`*/${file}`, { cwd: fileURLToPath(folder) })
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}
