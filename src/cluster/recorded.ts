import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, errorText } from "../model/errors.ts";
import { type JsonObject, isObject, textAt } from "../model/json.ts";
import { metadataOf } from "../model/metadata.ts";
import type { Absent } from "../model/read.ts";
import type {
  Found,
  LineVisitor,
  ListDone,
  ListPart,
  Place,
  RawDone,
  ReadFailure,
  Reader,
  Visitor,
} from "../model/reader.ts";
import { type Resource, resourcePath } from "../model/resource.ts";
import { aborted, failed } from "./failures.ts";
import { type Recorded, parseRecorded } from "./recorded-entry.ts";

export const FILE = "cluster.json";
const LARGEST_FILE = 400 << 20;

/**
 * Answers from a recorded cluster: `folder/cluster.json`, or that file itself, whose keys are the API's paths and whose values are an
 * object, `{ "items": [...] }`, `{ "lines": [...] }` or `{ "error": ... }`. Throws a FailedError where the file is missing or no recording.
 */
export async function recordedReader(folder: string): Promise<Reader> {
  const file = await fileOf(folder);
  const recorded = parseFile(file, await readText(file));
  return {
    get: async (place, signal) => (signal.aborted ? aborted(signal, pathOf(place)) : get(recorded, place)),
    list: async (resource, begin, signal, part) =>
      signal.aborted ? aborted(signal, resourcePath(resource)) : list(recorded, resource, begin, part),
    raw: async (path, begin, signal) => (signal.aborted ? aborted(signal, path) : text(recorded, path, begin)),
  };
}

async function fileOf(path: string): Promise<string> {
  try {
    return (await stat(path)).isDirectory() ? join(path, FILE) : path;
  } catch (error) {
    throw new FailedError(`The recorded cluster ${path} can't be read: ${errorText(error)}`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_FILE) throw new Error(`it has more than ${LARGEST_FILE >> 20} MiB`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw new FailedError(`The recorded cluster ${file} can't be read: ${errorText(error)}`);
  }
}

function parseFile(file: string, text: string): ReadonlyMap<string, Recorded> {
  const entries = new Map<string, Recorded>();
  for (const [path, value] of Object.entries(parseJson(file, text))) {
    if (!path.startsWith("/")) throw new FailedError(`${file} is no recorded cluster: the key ${path} is no API path`);
    const entry = parseRecorded(value);
    if (!entry) {
      throw new FailedError(
        `${file} is no recorded cluster: ${path} holds no object, no items and no error that is known`,
      );
    }
    entries.set(path, entry);
  }
  return entries;
}

function parseJson(file: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new FailedError(`${file} is no recorded cluster: ${errorText(error).replaceAll(/\s+/g, " ")}`);
  }
  throw new FailedError(`${file} is no recorded cluster: it holds no JSON object`);
}

function get(recorded: ReadonlyMap<string, Recorded>, place: Place): Found | Absent | ReadFailure {
  const entry = recorded.get(pathOf(place));
  if (!entry) return getFromList(recorded, place);
  if (entry.kind === "object") return found(entry.object);
  if (entry.kind === "absent") return { kind: "absent", what: entry.what ?? "object" };
  return entry.kind === "failed" ? entry : notRecorded(pathOf(place));
}

/** One that a recorded list of its kind lacks was not there. */
function getFromList(recorded: ReadonlyMap<string, Recorded>, place: Place): Found | Absent | ReadFailure {
  const entry = recorded.get(resourcePath(place.resource));
  if (entry?.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry?.kind !== "list") return notRecorded(pathOf(place));
  const item = entry.items.find((one) => isAt(one, place));
  return item ? found(item) : { kind: "absent", what: "object" };
}

function isAt(object: JsonObject, place: Place): boolean {
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  return textAt(object, "metadata", "name") === place.name && namespace === (place.namespace ?? "");
}

function list(
  recorded: ReadonlyMap<string, Recorded>,
  resource: Resource,
  begin: () => Visitor,
  part?: ListPart,
): ListDone | Absent | ReadFailure {
  const path = resourcePath(resource);
  const entry = recorded.get(path);
  if (!entry || entry.kind === "object" || entry.kind === "text") return notRecorded(path);
  if (entry.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry.kind === "failed") return entry;
  const visit = begin();
  for (const item of entry.items) visit(part === "metadata" ? metadataOf(item) : item);
  return {
    kind: "listed",
    objects: entry.items.length,
    bytes: entry.items.reduce((sum, item) => sum + bytesOf(item), 0),
  };
}

/** A text that is JSON, such as that of /version, may be recorded as the object that it is. */
function text(
  recorded: ReadonlyMap<string, Recorded>,
  path: string,
  begin: () => LineVisitor,
): RawDone | Absent | ReadFailure {
  const entry = recorded.get(path);
  if (!entry || entry.kind === "list") return notRecorded(path);
  if (entry.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry.kind === "failed") return entry;
  const lines = entry.kind === "object" ? [JSON.stringify(entry.object)] : entry.lines;
  const visit = begin();
  for (const line of lines) visit(line);
  return { kind: "read", bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) };
}

function found(object: JsonObject): Found {
  return { kind: "found", object, bytes: bytesOf(object) };
}

function bytesOf(object: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(object));
}

function notRecorded(path: string): ReadFailure {
  return failed("NotRecorded", `${path} was not recorded: record the cluster again`);
}

function pathOf(place: Place): string {
  return resourcePath(place.resource, place.namespace, place.name);
}
