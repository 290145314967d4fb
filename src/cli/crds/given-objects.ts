import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { readYamlObjects } from "../../encoding/yaml-objects.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
/** Of all objects together, since they are held in memory. */
const MAX_OBJECTS = 100_000;

/** An object, or what else a file holds, and the file. */
export type GivenObject = { readonly file: string; readonly object: JsonObject };

/** The objects of a file, or of a folder and its sub-folders. Throws a FailedError if one can't be used, or if there is none. */
export async function readGivenObjects(path: string): Promise<readonly GivenObject[]> {
  const objects: GivenObject[] = [];
  for (const file of await listFiles(path)) {
    try {
      for await (const object of readYamlObjects(createReadStream(file))) objects.push({ file, object });
    } catch (thrown) {
      throw new FailedError(`the objects in ${file} can't be used: ${formatError(thrown)}`);
    }
    if (objects.length > MAX_OBJECTS) throw new FailedError(`${path} has more than ${MAX_OBJECTS} objects`);
  }
  if (objects.length === 0)
    throw new FailedError(`${path} has no object: --objects needs a file or a folder with some`);
  return objects;
}

async function listFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => EXTENSIONS.has(extname(name)))
      .toSorted()
      .map((name) => join(path, name));
  } catch (thrown) {
    throw new FailedError(`the objects in ${path} can't be read: ${formatError(thrown)}`);
  }
}
