import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { readYamlObjects } from "../../../encoding/yaml-objects.ts";
import { COMMAND_TIMEOUT_MS, readFileChunks } from "../../../files/named-file.ts";
import { listFiles as listFolderFiles } from "../../../files/named-folder.ts";
import { FailedError, failWith } from "../../../model/errors.ts";
import type { JsonObject } from "../../../model/json.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
/** Of all objects together, since they are held in memory. Samples have a few KiB. */
const MAX_OBJECTS = 100_000;
const MAX_BYTES = 32 << 20;

/** An object, or what else a file holds, and the file. */
export type GivenObject = { readonly file: string; readonly object: JsonObject };

/** The objects of a file, or of a folder and its sub-folders. Throws a FailedError if one can't be used, or if there is none. */
export async function readGivenObjects(path: string): Promise<readonly GivenObject[]> {
  const objects: GivenObject[] = [];
  const budget = { bytes: MAX_BYTES };
  const files = await listFiles(path).catch(failWith(`--objects ${path} can't be read`));
  for (const file of files) await addObjects(file, objects, budget).catch(failWith(`--objects ${file} can't be used`));
  if (objects.length > 0) return objects;
  throw new FailedError(`${path} has no object: --objects needs a file or a folder with some`);
}

async function addObjects(file: string, objects: GivenObject[], budget: { bytes: number }): Promise<void> {
  for await (const object of readYamlObjects(readChunks(file, budget))) {
    objects.push({ file, object });
    if (objects.length > MAX_OBJECTS) throw new Error(`there are more than ${MAX_OBJECTS}`);
  }
}

async function* readChunks(file: string, budget: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of readFileChunks(file, MAX_BYTES, { pipeTimeoutMs: COMMAND_TIMEOUT_MS })) {
    budget.bytes -= chunk.length;
    if (budget.bytes < 0) throw new Error(`all objects together have more than ${MAX_BYTES >> 20} MiB`);
    yield chunk;
  }
}

async function listFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await listFolderFiles(path);
  return names.filter((name) => EXTENSIONS.has(extname(name))).map((name) => join(path, name));
}
