import { findListKind, readYamlObjects } from "../../encoding/yaml-objects.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { Resource } from "../../model/resource.ts";
import { buildIncompleteFailure, createListEvidence } from "../access/list-evidence.ts";
import { inheritKind } from "../access/response-identity.ts";
import type { ArchiveFile } from "./archive-files.ts";
import type { KindFiles, ListFile, ObjectFile } from "./archive-index.ts";

/** A file that is not what its name says. */
export class UnusableFileError extends FailedError {
  readonly failure: ReadFailure;

  constructor(failure: ReadFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Every object of a kind that the archive holds, each once: the folders of several images may have the same. */
export async function* readKind(
  files: KindFiles,
  signal: AbortSignal,
  resource?: Resource,
): AsyncGenerator<JsonObject> {
  requireNoLinks(files.links);
  const all = [...files.lists, ...files.objects];
  const hasCopies = files.lists.length > 0 && all.length > files.lists.length;
  const mayRepeat = hasCopies || new Set(all.map(({ root }) => root)).size > 1;
  const seen = new Set<string>();
  for (const file of all) {
    for await (const object of readFile(file, signal, resource)) {
      const key = `${textAt(object, "metadata", "namespace") ?? ""}/${textAt(object, "metadata", "name") ?? ""}`;
      if (seen.has(key)) continue;
      if (mayRepeat) seen.add(key);
      yield object;
    }
  }
}

export function requireNoLinks(links: readonly string[]): void {
  const [link] = links;
  if (link !== undefined) throw new FailedError(`its file ${link} is a link, and links are not followed`);
}

/** The objects of one file. Throws a FailedError that names the file. `resource`: as it was requested, with the kind if that is known. */
export function readFile(
  file: ListFile | ObjectFile,
  signal: AbortSignal,
  resource: Resource = { group: file.group, version: "", resource: file.resource },
): AsyncGenerator<JsonObject> {
  return file.kind === "list" ? readListFile(file, signal, resource) : readObjectFile(file, signal);
}

/** An object is handed on once another follows or the list has ended: of a file that was cut, the last object may be a part. */
async function* readListFile(list: ListFile, signal: AbortSignal, resource: Resource): AsyncGenerator<JsonObject> {
  const subject = `its file ${list.file.path} answers`;
  const evidence = createListEvidence({
    subject,
    resource,
    accepts: "anyVersion",
    namespace: list.namespace,
  });
  const heads: JsonObject[] = [];
  let last: JsonObject | undefined;
  for await (const object of readObjects(list.file, signal, (head) => void heads.push(head))) {
    if (last !== undefined) yield last;
    requireUsable(evidence.addItem(object));
    last = object;
  }
  const isCut = heads.length === 0 || heads.some((head) => textAt(head, "kind") === undefined);
  if (isCut) requireUsable(buildIncompleteFailure(subject, "it ends before the list's kind, so the file was cut"));
  for (const head of heads) requireUsable(evidence.endList(head));
  if (last !== undefined) yield last;
}

function requireUsable(failure: ReadFailure | undefined): void {
  if (failure !== undefined) throw new UnusableFileError(failure);
}

async function* readObjectFile({ file }: ObjectFile, signal: AbortSignal): AsyncGenerator<JsonObject> {
  let isEmpty = true;
  for await (const object of readObjects(file, signal)) {
    isEmpty = false;
    yield object;
  }
  if (isEmpty)
    requireUsable({ kind: "failed", reason: "Incomplete", message: `its file ${file.path} holds no object` });
}

async function* readObjects(
  file: ArchiveFile,
  signal: AbortSignal,
  onList?: (head: JsonObject) => void,
): AsyncGenerator<JsonObject> {
  let listHead: JsonObject | undefined;
  try {
    for await (const object of readYamlObjects(file.read(), onList)) {
      signal.throwIfAborted();
      if (textAt(object, "apiVersion") && textAt(object, "kind")) {
        yield object;
        continue;
      }
      listHead ??= (await findListKind(file.read())) ?? {};
      yield inheritKind(object, listHead) ?? object;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw new FailedError(`its file ${file.path} can't be used: ${formatError(thrown)}`);
  }
}
