import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, errorText } from "../model/errors.ts";
import { byText, type JsonObject } from "../model/json.ts";
import type { Absent } from "../model/read.ts";
import type { LineVisitor, ReadFailure, Reader } from "../model/reader.ts";
import { resourcePath } from "../model/resource.ts";
import { FILE } from "./recorded.ts";
import { redactText } from "./redact-text.ts";
import { redact, redactMetadata } from "./redact.ts";

/** Recorded reads as JSON text, by the API's path. */
export type Recording = Map<string, readonly string[]>;

/** Passes reads through and puts what came of them, redacted, into `recording`. */
export function recordingReader(reader: Reader, recording: Recording): Reader {
  return {
    async get(place, signal) {
      const got = await reader.get(place, signal);
      const text = got.kind === "found" ? objectText(got.object) : failureText(got);
      recording.set(resourcePath(place.resource, place.namespace, place.name), [text]);
      return got;
    },
    async list(resource, begin, signal, part) {
      const textOf = part === "metadata" ? metadataText : objectText;
      let items: string[] = [];
      const restart = (): ((object: JsonObject) => void) => {
        const visit = begin();
        items = [];
        return (object) => {
          items.push(textOf(object));
          visit(object);
        };
      };
      const got = await reader.list(resource, restart, signal, part);
      recording.set(resourcePath(resource), got.kind === "listed" ? listText("items", items) : [failureText(got)]);
      return got;
    },
    async raw(path, begin, signal) {
      let lines: string[] = [];
      const restart = (): LineVisitor => {
        const visit = begin();
        lines = [];
        return (line) => {
          const wanted = visit(line);
          if (wanted) lines.push(JSON.stringify(redactText(line)));
          return wanted;
        };
      };
      const got = await reader.raw(path, restart, signal);
      recording.set(path, got.kind === "read" ? listText("lines", lines) : [failureText(got)]);
      return got;
    },
  };
}

function objectText(object: JsonObject): string {
  return JSON.stringify(redact(object));
}

function metadataText(object: JsonObject): string {
  return JSON.stringify(redactMetadata(object));
}

/** One object a line, so that two recordings can be compared. */
function listText(key: "items" | "lines", items: readonly string[]): readonly string[] {
  if (items.length === 0) return [`{ "${key}": [] }`];
  const last = items.length - 1;
  return [`{ "${key}": [\n`, ...items.map((item, i) => (i === last ? `${item}\n` : `${item},\n`)), "] }"];
}

function failureText(got: Absent | ReadFailure): string {
  if (got.kind === "absent") return JSON.stringify({ error: "404 not found", what: got.what });
  return JSON.stringify({ error: { reason: got.reason, message: got.message } });
}

/**
 * Writes `folder/cluster.json`, sorted by path: whole, or not at all. Makes the folder. Throws a FailedError where that can't be done.
 */
export async function writeRecording(recording: Recording, folder: string): Promise<void> {
  const file = join(folder, FILE);
  const temporary = `${file}.new`;
  try {
    await mkdir(folder, { recursive: true });
    await writeParts(temporary, parts(recording));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new FailedError(`The recording ${file} can't be written: ${errorText(error)}`);
  }
}

function* parts(recording: Recording): Generator<string> {
  yield "{\n";
  const entries = [...recording].toSorted(([a], [b]) => byText(a, b));
  for (const [i, [path, texts]] of entries.entries()) {
    yield `${i === 0 ? "" : ",\n"}${JSON.stringify(path)}: `;
    yield* texts;
  }
  yield "\n}\n";
}

const FLUSH_AT = 1 << 20;

async function writeParts(path: string, texts: Iterable<string>): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    let waiting = "";
    for (const text of texts) {
      waiting += text;
      if (waiting.length < FLUSH_AT) continue;
      await file.writeFile(waiting);
      waiting = "";
    }
    await file.writeFile(waiting);
    await file.sync();
  } finally {
    await file.close();
  }
}
