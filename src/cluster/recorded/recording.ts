import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError } from "../../model/errors.ts";
import { type NamedConfigMap, getDataDigest, parseChecksAnnotation } from "../../encoding/check-config-map.ts";
import { CHECKS_ANNOTATION } from "../../model/cluster-service-version.ts";
import { compareText, type JsonObject, textAt } from "../../model/json.ts";
import type { Absence, BeginList, LineVisitor, ReadFailure, Reader } from "../../model/reader.ts";
import { buildResourcePath } from "../../model/resource.ts";
import { RECORDING_FILE } from "./recorded-reader.ts";
import { redactContent } from "./redact-content.ts";
import { redact, redactMetadataOnly } from "./redact.ts";

/** Recorded reads as JSON text, by the API's path. */
export type Recording = Map<string, readonly string[]>;

/**
 * Passes reads through and records their results, redacted; of annotations, it keeps the values that checks read. These are listed at
 * each read, since more checks may have been found by then. `published`: the digests of ConfigMaps that are recorded as they are.
 */
export function createRecordingReader(
  reader: Reader,
  recording: Recording,
  listAnnotations: () => readonly string[],
  published: Set<string> = new Set(),
): Reader {
  return {
    async get(place, signal, onProgress) {
      const result = await reader.get(place, signal, onProgress);
      const path = buildResourcePath(place.resource, place.namespace, place.name);
      const format = (object: JsonObject): string => formatObject(object, listAnnotations(), published);
      recording.set(path, [result.kind === "found" ? format(result.object) : formatFailure(result)]);
      return result;
    },
    async list(resource, begin, signal, part, onProgress) {
      const annotations = listAnnotations();
      const redactPart = part === "metadata" ? redactMetadataOnly : redact;
      let items: string[] = [];
      const restart: BeginList = (held) => {
        const visit = begin(held);
        items = [];
        return (object) => {
          items.push(JSON.stringify(redactPart(object, annotations)));
          for (const { digest } of listNamedConfigMaps(object)) published.add(digest);
          visit(object);
        };
      };
      const result = await reader.list(resource, restart, signal, part, onProgress);
      const texts = result.kind === "listed" ? formatList("items", items) : [formatFailure(result)];
      recording.set(buildResourcePath(resource), texts);
      return result;
    },
    async raw(path, begin, signal, onProgress) {
      let lines: string[] = [];
      const restart = (): LineVisitor => {
        const visit = begin();
        lines = [];
        return (line) => {
          const isWanted = visit(line);
          if (isWanted) lines.push(JSON.stringify(redactContent(line)));
          return isWanted;
        };
      };
      const result = await reader.raw(path, restart, signal, onProgress);
      recording.set(path, result.kind === "read" ? formatList("lines", lines) : [formatFailure(result)]);
      return result;
    },
    forCycle: () => createRecordingReader(reader.forCycle?.() ?? reader, recording, listAnnotations, published),
  };
}

function formatObject(object: JsonObject, annotations: readonly string[], published: ReadonlySet<string>): string {
  return JSON.stringify({ ...redact(object, annotations), ...selectPublished(object, published) });
}

/** The ConfigMaps that an operator's bundle names, with their digests. */
function listNamedConfigMaps(object: JsonObject): readonly NamedConfigMap[] {
  const annotation = textAt(object, "metadata", "annotations", CHECKS_ANNOTATION);
  return (annotation === undefined ? undefined : parseChecksAnnotation(annotation)) ?? [];
}

/** Checks of an operator's bundle are public, and only their own text has their digest. */
function selectPublished(object: JsonObject, published: ReadonlySet<string>): JsonObject {
  const { kind, data } = object;
  const isPublished = kind === "ConfigMap" && data !== undefined && published.has(getDataDigest(object));
  return isPublished ? { data } : {};
}

/** Writes one object per line, so that two recordings can be compared. */
function formatList(key: "items" | "lines", items: readonly string[]): readonly string[] {
  if (items.length === 0) return [`{ "${key}": [] }`];
  const last = items.length - 1;
  return [`{ "${key}": [\n`, ...items.map((item, i) => (i === last ? `${item}\n` : `${item},\n`)), "] }"];
}

function formatFailure(result: Absence | ReadFailure): string {
  if (result.kind === "absent") return JSON.stringify({ error: "404 not found", what: result.what });
  return JSON.stringify({ error: { reason: result.reason, message: redactContent(result.message) } });
}

/** Writes `folder/cluster.json` atomically, sorted by path, and creates the folder. Throws a FailedError if that fails. */
export async function writeRecording(recording: Recording, folder: string): Promise<void> {
  const file = join(folder, RECORDING_FILE);
  const temporary = `${file}.new`;
  try {
    await mkdir(folder, { recursive: true });
    await rm(temporary, { force: true });
    await writeTexts(temporary, formatRecording(recording));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new FailedError(`The recording ${file} can't be written: ${formatError(error)}`);
  }
}

function* formatRecording(recording: Recording): Generator<string> {
  yield "{\n";
  const entries = [...recording].toSorted(([a], [b]) => compareText(a, b));
  for (const [i, [path, texts]] of entries.entries()) {
    yield `${i === 0 ? "" : ",\n"}${JSON.stringify(path)}: `;
    yield* texts;
  }
  yield "\n}\n";
}

const FLUSH_BYTES = 1 << 20;

/** The file must be new: a link in a folder of others would lead the recording into another file. */
async function writeTexts(path: string, texts: Iterable<string>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    let buffered = "";
    for (const text of texts) {
      buffered += text;
      if (buffered.length < FLUSH_BYTES) continue;
      await file.writeFile(buffered);
      buffered = "";
    }
    await file.writeFile(buffered);
    await file.sync();
  } finally {
    await file.close();
  }
}
