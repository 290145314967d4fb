import { basename, join } from "node:path";
import { createTarBudget, visitTar } from "../../encoding/tar.ts";
import { TOO_LARGE, collectBytes, readFileBytes } from "../../files/named-file.ts";
import { findFiles } from "../../files/yaml-files.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import type { ManifestPlace, UnreadManifest } from "../../model/manifest.ts";

/** A file of a folder or of an archive. `name`: below it, with slashes. `path`: of a folder, where links lead. */
export type ListedFile = {
  readonly name: string;
  readonly path?: string;
  readonly read: () => Promise<FileContent>;
};

/** The text of a file, or why it has none. */
export type FileContent = string | UnreadManifest;

/** Texts of manifests are held in memory, one at a time; those of an archive all at once. */
export const MAX_TEXT_BYTES = 64 << 20;
const MAX_ARCHIVE_ENTRIES = 100_000;
const MAX_UNPACKED_BYTES = 2 ** 30;

const MANIFESTS = /\.(?:ya?ml|json)$|^[Kk]ustomization$/;

/** The files of a folder and its sub-folders that may have manifests, sorted. */
export async function listFolder(folder: string, root: string): Promise<readonly ListedFile[]> {
  const found = await findFiles(root, MANIFESTS);
  return found.map((file) => {
    const shown = join(folder, file.name);
    const read = async (): Promise<FileContent> =>
      file.kind === "refused" ? buildUnread("NotAFile", shown, file.message) : readNamed(file.path, shown);
    return { name: file.name, read, ...(file.kind === "file" && { path: file.path }) };
  });
}

async function readNamed(path: string, shown: string): Promise<FileContent> {
  try {
    return decodeText(await readFileBytes(path, MAX_TEXT_BYTES, { pipes: "refuse", links: "refuse" }), shown);
  } catch (thrown) {
    return buildUnreadable(shown, thrown);
  }
}

/** The files of a tar that may have manifests, sorted. Throws a FailedError if it can't be used. */
export async function listArchive(
  content: AsyncIterable<Uint8Array>,
  archive: string,
  named = MANIFESTS,
): Promise<readonly ListedFile[]> {
  const files = new Map<string, FileContent>();
  let bytes = 0;
  await visitTar(content, "it", createTarBudget(MAX_UNPACKED_BYTES, MAX_ARCHIVE_ENTRIES), async (entry) => {
    const { name } = entry;
    if (entry.type === "directory" || !named.test(basename(name)) || isHidden(name)) return;
    const shown = join(archive, name);
    bytes += entry.size;
    if (bytes > MAX_TEXT_BYTES) throw new FailedError(`its manifests have more than ${MAX_TEXT_BYTES >> 20} MiB`);
    if (entry.type !== "file")
      files.set(name, buildUnread("NotAFile", shown, "it is a link, and links of an archive are not followed"));
    else files.set(name, decodeText(await collectBytes(entry.body, MAX_TEXT_BYTES), shown));
  });
  const sorted = [...files].toSorted(([a], [b]) => compareText(a, b));
  return sorted.map(([name, text]) => ({ name, read: async () => text }));
}

function isHidden(name: string): boolean {
  return name.split("/").some((part) => part.startsWith("."));
}

/** The text of UTF-8, without a mark of its encoding. */
export function decodeText(bytes: Uint8Array, file: string): FileContent {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return buildUnread("NotUnderstood", file, "it is UTF-16: write it as UTF-8");
  if (bytes.includes(0)) return buildUnread("NotUnderstood", file, "it is not a text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return buildUnread("NotUnderstood", file, "it is not UTF-8");
  }
}

/** Of a file as a whole, unless a place in it is known. */
export function buildUnread(
  reason: UnreadManifest["reason"],
  place: string | ManifestPlace,
  message: string,
): UnreadManifest {
  return { reason, place: typeof place === "string" ? { file: place, line: 1, column: 1 } : place, message };
}

/** Of what a file could not be read for. */
export function buildUnreadable(file: string, thrown: unknown): UnreadManifest {
  return buildUnread(errorCode(thrown) === TOO_LARGE ? "TooLarge" : "NotAFile", file, formatError(thrown));
}
