import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError } from "../../model/errors.ts";
import { type NamedConfigMap, getDataDigest, parseChecksAnnotation } from "../../encoding/check-config-map.ts";
import { CHECKS_ANNOTATION } from "../../model/cluster-service-version.ts";
import { compareText, type JsonObject, objectAt, textAt } from "../../model/json.ts";
import type { MemberPath, NeededField } from "../../model/needed-fields.ts";
import { type Read, getReadPath } from "../../model/read.ts";
import type { Absence, BeginList, LineVisitor, ReadFailure, Reader, Visitor } from "../../model/reader.ts";
import { buildResourcePath, buildSelectionPath } from "../../model/resource.ts";
import { sortNames } from "../../model/text.ts";
import { listKeptPaths } from "./kept-fields.ts";
import { KEPT_PATH } from "./kept-part.ts";
import { RECORDING_FILE } from "./recorded-reader.ts";
import { redactContent } from "./redact-content.ts";
import { redact, redactMetadataOnly } from "./redact.ts";

/** Recorded reads as JSON text, by the API's path. */
export type Recording = Map<string, readonly string[]>;

/** What is known while a cluster is recorded. */
type RecordingState = {
  /** The digests of ConfigMaps that are recorded as they are. */
  readonly published: Set<string>;
  /** The fields that were kept of objects that have more, by the API's path. */
  readonly kept: Map<string, readonly MemberPath[]>;
};

/**
 * Passes reads through and records their results, redacted, with the fields and the values of annotations that checks read. Their reads are
 * listed at each read, since more checks may have been found by then.
 */
export function createRecordingReader(
  reader: Reader,
  recording: Recording,
  listReads: () => readonly Read[],
  state: RecordingState = { published: new Set(), kept: new Map() },
): Reader {
  const findDeclared = createDeclaredFinder(listReads);
  return {
    async get(place, signal, onProgress) {
      const result = await reader.get(place, signal, onProgress);
      // The object that it was made of is recorded, and nobody shall take this for one of the cluster.
      if (result.kind === "found" && result.isDerived === true) return result;
      const path = buildResourcePath(place.resource, place.namespace, place.name);
      const parts = findDeclared(path);
      if (result.kind === "found") noteKept(recording, state, path, parts, result.object, false);
      const format = (object: JsonObject): string => formatObject(object, parts, state.published);
      recording.set(path, [result.kind === "found" ? format(result.object) : formatFailure(result)]);
      return result;
    },
    async list(resource, begin, signal, part, onProgress) {
      const path = buildResourcePath(resource);
      const parts = findDeclared(path);
      const { annotations, fields } = parts;
      const redactPart = (object: JsonObject): JsonObject =>
        part === "metadata" ? redactMetadataOnly(object, annotations) : redact(object, annotations, fields);
      let items: string[] = [];
      let first: JsonObject | undefined;
      const restart: BeginList = (held) => {
        const visit = begin(held);
        items = [];
        return (object) => {
          first ??= object;
          items.push(JSON.stringify(redactPart(object)));
          for (const { digest } of listNamedConfigMaps(object)) state.published.add(digest);
          visit(object);
        };
      };
      const result = await reader.list(resource, restart, signal, part, onProgress);
      if (part !== "metadata" && first !== undefined) noteKept(recording, state, path, parts, first, true);
      const texts = result.kind === "listed" ? formatList("items", items) : [formatFailure(result)];
      recording.set(path, texts);
      return result;
    },
    ...recordSelections(reader, recording),
    raw: recordTexts(reader, recording),
    forCycle: () => createRecordingReader(reader.forCycle?.() ?? reader, recording, listReads, state),
  };
}

/** Only ConfigMaps are selected, for the checks in them: their texts are public. */
function recordSelections({ listSelected }: Reader, recording: Recording): Pick<Reader, "listSelected"> {
  if (listSelected === undefined) return {};
  return {
    async listSelected(resource, selection, begin, ...more) {
      let items: string[] = [];
      const restart = (): Visitor => {
        const visit = begin();
        items = [];
        return (object) => {
          items.push(JSON.stringify({ ...redact(object, [], []), data: objectAt(object, "data") }));
          visit(object);
        };
      };
      const result = await listSelected(resource, selection, restart, ...more);
      const texts = result.kind === "listed" ? formatList("items", items) : [formatFailure(result)];
      recording.set(buildSelectionPath(resource, selection), texts);
      return result;
    },
  };
}

function recordTexts(reader: Reader, recording: Recording): Reader["raw"] {
  return async (path, begin, signal, onProgress) => {
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
  };
}

/** The annotations whose values any read needs, and the fields that those of one path do. */
type DeclaredParts = { readonly annotations: readonly string[]; readonly fields: readonly NeededField[] };

function createDeclaredFinder(listReads: () => readonly Read[]): (path: string) => DeclaredParts {
  let reads: readonly Read[] = [];
  let annotations: readonly string[] = [];
  let byPath: ReadonlyMap<string, readonly Read[]> = new Map();
  return (path) => {
    const now = listReads();
    if (now !== reads) {
      reads = now;
      annotations = sortNames(now.flatMap((read) => read.annotations ?? []));
      byPath = Map.groupBy(now, getReadPath);
    }
    return { annotations, fields: (byPath.get(path) ?? []).flatMap((read) => read.fields ?? []) };
  };
}

function noteKept(
  recording: Recording,
  { kept }: RecordingState,
  path: string,
  { fields }: DeclaredParts,
  object: JsonObject,
  isOfList: boolean,
): void {
  const paths = listKeptPaths(object, fields, isOfList);
  if (paths === undefined) return;
  kept.set(path, paths);
  recording.set(KEPT_PATH, [formatKept(kept)]);
}

function formatKept(kept: RecordingState["kept"]): string {
  const entries = [...kept].toSorted(([a], [b]) => compareText(a, b));
  const texts = entries.map(([path, fields]) => {
    const paths = sortNames(fields.map((field) => JSON.stringify(field)));
    return `${JSON.stringify(path)}: [${paths.join(", ")}]`;
  });
  return `{ ${texts.join(",\n")} }`;
}

function formatObject(
  object: JsonObject,
  { annotations, fields }: DeclaredParts,
  published: ReadonlySet<string>,
): string {
  return JSON.stringify({ ...redact(object, annotations, fields), ...selectPublished(object, published) });
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
