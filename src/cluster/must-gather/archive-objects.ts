import { findListKind, readYamlObjects } from "../../encoding/yaml-objects.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { inheritKind } from "../access/response-identity.ts";
import type { ArchiveFile } from "./archive-files.ts";
import type { KindFiles } from "./archive-index.ts";

/** Every object of a kind that the archive holds, each once: the folders of several images may have the same. */
export async function* readKind(files: KindFiles, signal: AbortSignal): AsyncGenerator<JsonObject> {
  requireNoLinks(files.links);
  const all = [...files.lists, ...files.objects];
  const hasCopies = files.lists.length > 0 && all.length > files.lists.length;
  const mayRepeat = hasCopies || new Set(all.map(({ root }) => root)).size > 1;
  const seen = new Set<string>();
  for (const { file } of all) {
    for await (const object of readObjects(file, signal)) {
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

/** The objects of one file. Throws a FailedError that names the file. */
export async function* readObjects(file: ArchiveFile, signal: AbortSignal): AsyncGenerator<JsonObject> {
  let listHead: JsonObject | undefined;
  try {
    for await (const object of readYamlObjects(file.read())) {
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
