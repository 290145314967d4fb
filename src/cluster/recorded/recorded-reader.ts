import { stat } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError } from "../../model/errors.ts";
import { type JsonObject, MAX_DEPTH, decodeJson, isDeeperThan, isObject, textAt } from "../../model/json.ts";
import { selectMetadata } from "../../model/object.ts";
import type { Absence } from "../../model/reader.ts";
import type {
  FoundObject,
  LineVisitor,
  ListSummary,
  ListPart,
  ObjectLocation,
  RawSummary,
  ReadFailure,
  Reader,
  Visitor,
} from "../../model/reader.ts";
import { type Resource, buildResourcePath, buildSelectionPath } from "../../model/resource.ts";
import { buildAbortFailure, buildFailure } from "../access/failures.ts";
import { readTextFile, rethrowAbsent } from "../../files/named-file.ts";
import { findListFailure } from "../access/list-evidence.ts";
import { type OpenKeptPart, type PartBuilder, createKeptFinder } from "./kept-part.ts";
import { type RecordedEntry, parseRecordedEntry } from "./recorded-entry.ts";

export const RECORDING_FILE = "cluster.json";
const MAX_FILE_BYTES = 400 << 20;

/**
 * Reads from a recorded cluster: `folder/cluster.json`, or that file itself. Its keys are API paths, and its values an object,
 * `{ "items": [...] }`, `{ "lines": [...] }` or `{ "error": ... }`. Throws a FailedError if the file is missing or not a recording.
 */
export async function createRecordedReader(folder: string): Promise<Reader> {
  const file = await findRecordingFile(folder);
  const text = await readText(file);
  const recording = parseRecording(file, text);
  const openPart = createKeptFinder(text, recording);
  return {
    get: async (place, signal) =>
      signal.aborted ? buildAbortFailure(signal, buildPath(place)) : findObject(recording, openPart, place),
    list: async (resource, begin, signal, part) =>
      signal.aborted
        ? buildAbortFailure(signal, buildResourcePath(resource))
        : visitItems(recording, openPart, { resource, path: buildResourcePath(resource), part }, () =>
            begin(undefined),
          ),
    listSelected: async (resource, selection, begin, signal) => {
      const path = buildSelectionPath(resource, selection);
      return signal.aborted
        ? buildAbortFailure(signal, path)
        : visitItems(recording, openPart, { resource, path, namespace: selection.namespace }, begin);
    },
    raw: async (path, begin, signal) =>
      signal.aborted ? buildAbortFailure(signal, path) : visitLines(recording, path, begin),
  };
}

const RECORD = `name a folder that "preflight record" wrote`;

async function findRecordingFile(path: string): Promise<string> {
  try {
    return (await stat(path).catch(rethrowAbsent)).isDirectory() ? join(path, RECORDING_FILE) : path;
  } catch (error) {
    throw new FailedError(`The recorded cluster ${path} can't be read: ${formatError(error)}: ${RECORD}`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readTextFile(file, MAX_FILE_BYTES);
  } catch (error) {
    throw new FailedError(`The recorded cluster ${file} can't be read: ${formatError(error)}: ${RECORD}`);
  }
}

function parseRecording(file: string, text: string): ReadonlyMap<string, RecordedEntry> {
  const entries = new Map<string, RecordedEntry>();
  for (const [path, value] of Object.entries(parseRecordedJson(file, text))) {
    if (!path.startsWith("/"))
      throw new FailedError(`${file} is not a recorded cluster: the key ${path} is not an API path`);
    const entry = parseRecordedEntry(value);
    if (!entry) {
      throw new FailedError(`${file} is not a recorded cluster: ${path} holds no object, no items and no known error`);
    }
    entries.set(path, entry);
  }
  return entries;
}

function parseRecordedJson(file: string, text: string): JsonObject {
  try {
    const value = decodeJson(text);
    if (isObject(value)) return requireFlat(value);
  } catch (error) {
    throw new FailedError(`${file} is not a recorded cluster: ${formatError(error).replaceAll(/\s+/g, " ")}`);
  }
  throw new FailedError(`${file} is not a recorded cluster: it holds no JSON object`);
}

function requireFlat(value: JsonObject): JsonObject {
  if (!isDeeperThan(value, MAX_DEPTH)) return value;
  throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
}

function findObject(
  recording: ReadonlyMap<string, RecordedEntry>,
  openPart: OpenKeptPart,
  place: ObjectLocation,
): FoundObject | Absence | ReadFailure {
  const path = buildPath(place);
  const entry = recording.get(path);
  if (!entry) return findInList(recording, openPart, place);
  if (entry.kind === "object") return buildFound(entry.object, openPart(path, false));
  if (entry.kind === "absent") return { kind: "absent", what: entry.what ?? "object" };
  return entry.kind === "failed" ? entry : buildNotRecordedFailure(path);
}

/** An object that the recorded list of its kind lacks did not exist. */
function findInList(
  recording: ReadonlyMap<string, RecordedEntry>,
  openPart: OpenKeptPart,
  place: ObjectLocation,
): FoundObject | Absence | ReadFailure {
  const path = buildResourcePath(place.resource);
  const entry = recording.get(path);
  if (entry?.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry?.kind !== "list") return buildNotRecordedFailure(buildPath(place));
  const failure = judgeList(entry, { resource: place.resource, path });
  if (failure !== undefined) return failure;
  const item = entry.items.find((one) => isObjectAt(one, place));
  return item ? buildFound(item, openPart(path, true)) : { kind: "absent", what: "object" };
}

function isObjectAt(object: JsonObject, place: ObjectLocation): boolean {
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  return textAt(object, "metadata", "name") === place.name && namespace === (place.namespace ?? "");
}

/** `namespace`: the only one that its objects may have. */
type RecordedList = {
  readonly resource: Resource;
  readonly path: string;
  readonly part?: ListPart;
  readonly namespace?: string;
};

function visitItems(
  recording: ReadonlyMap<string, RecordedEntry>,
  openPart: OpenKeptPart,
  list: RecordedList,
  begin: () => Visitor,
): ListSummary | Absence | ReadFailure {
  const { path, part } = list;
  const entry = recording.get(path);
  if (!entry || entry.kind === "object" || entry.kind === "text") return buildNotRecordedFailure(path);
  if (entry.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry.kind === "failed") return entry;
  const failure = judgeList(entry, list);
  if (failure !== undefined) return failure;
  const visit = begin();
  const kept = openPart(path, true);
  let bytes = 0;
  for (const item of entry.items) {
    visit(part === "metadata" ? selectMetadata(item) : item);
    bytes += addObject(kept, item);
  }
  return { kind: "listed", objects: entry.items.length, bytes, ...kept.describe() };
}

function judgeList(
  { list }: Extract<RecordedEntry, { kind: "list" }>,
  { path, ...requested }: RecordedList,
): ReadFailure | undefined {
  const subject = `the recording of ${path} answers`;
  return findListFailure({ subject, ...requested, accepts: "untyped" }, list);
}

/** A text that holds JSON, such as that of /version, may be recorded as an object. */
function visitLines(
  recording: ReadonlyMap<string, RecordedEntry>,
  path: string,
  begin: () => LineVisitor,
): RawSummary | Absence | ReadFailure {
  const entry = recording.get(path);
  if (!entry || entry.kind === "list") return buildNotRecordedFailure(path);
  if (entry.kind === "absent") return { kind: "absent", what: "resource" };
  if (entry.kind === "failed") return entry;
  const lines = entry.kind === "object" ? [JSON.stringify(entry.object)] : entry.lines;
  const visit = begin();
  for (const line of lines) visit(line);
  return { kind: "read", bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) };
}

function buildFound(object: JsonObject, kept: PartBuilder): FoundObject {
  const bytes = addObject(kept, object);
  return { kind: "found", object, bytes, ...kept.describe() };
}

/** Returns the bytes of the object. */
function addObject(kept: PartBuilder, object: JsonObject): number {
  const text = JSON.stringify(object);
  kept.add(object, text);
  return Buffer.byteLength(text);
}

function buildNotRecordedFailure(path: string): ReadFailure {
  return buildFailure("NotRecorded", `${path} was not recorded: record the cluster again`);
}

function buildPath(place: ObjectLocation): string {
  return buildResourcePath(place.resource, place.namespace, place.name);
}
