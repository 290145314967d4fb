import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError } from "../../model/errors.ts";
import { compareText, type JsonObject } from "../../model/json.ts";
import type { Absence, BeginList, LineVisitor, ReadFailure, Reader } from "../../model/reader.ts";
import { buildResourcePath } from "../../model/resource.ts";
import { RECORDING_FILE } from "./recorded-reader.ts";
import { redactContent } from "./redact-content.ts";
import { redact, redactMetadataOnly } from "./redact.ts";

/** Recorded reads as JSON text, by the API's path. */
export type Recording = Map<string, readonly string[]>;

/** Passes reads through and records their results, redacted; of annotations, it keeps the values that checks read. */
export function createRecordingReader(reader: Reader, recording: Recording, annotations: readonly string[]): Reader {
  const formatObject = (object: JsonObject): string => JSON.stringify(redact(object, annotations));
  const formatMetadata = (object: JsonObject): string => JSON.stringify(redactMetadataOnly(object, annotations));
  return {
    async get(place, signal) {
      const result = await reader.get(place, signal);
      const text = result.kind === "found" ? formatObject(result.object) : formatFailure(result);
      recording.set(buildResourcePath(place.resource, place.namespace, place.name), [text]);
      return result;
    },
    async list(resource, begin, signal, part) {
      const format = part === "metadata" ? formatMetadata : formatObject;
      let items: string[] = [];
      const restart: BeginList = (held) => {
        const visit = begin(held);
        items = [];
        return (object) => {
          items.push(format(object));
          visit(object);
        };
      };
      const result = await reader.list(resource, restart, signal, part);
      recording.set(
        buildResourcePath(resource),
        result.kind === "listed" ? formatList("items", items) : [formatFailure(result)],
      );
      return result;
    },
    async raw(path, begin, signal) {
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
      const result = await reader.raw(path, restart, signal);
      recording.set(path, result.kind === "read" ? formatList("lines", lines) : [formatFailure(result)]);
      return result;
    },
    forCycle: () => createRecordingReader(reader.forCycle?.() ?? reader, recording, annotations),
  };
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
