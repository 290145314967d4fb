import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { readYamlObjects } from "../../encoding/yaml-objects.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
/** Of all objects together, since they are held in memory. */
const MAX_OBJECTS = 100_000;

/** The objects of a file, or of a folder and its sub-folders. Throws a FailedError if one can't be used. */
export async function readGivenObjects(path: string): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for (const file of await listFiles(path)) {
    try {
      for await (const object of readYamlObjects(createReadStream(file))) objects.push(object);
    } catch (thrown) {
      throw new FailedError(`the objects in ${file} can't be used: ${formatError(thrown)}`);
    }
    if (objects.length > MAX_OBJECTS) throw new FailedError(`${path} has more than ${MAX_OBJECTS} objects`);
  }
  return objects.filter((object) => textAt(object, "apiVersion") && textAt(object, "kind"));
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
