import { stat } from "node:fs/promises";
import { FailedError, formatError } from "../../model/errors.ts";
import { collectFolder } from "./folder-files.ts";
import { collectTar } from "./tar-files.ts";

/** A file of an archive; `path` is relative, with slashes. */
export type ArchiveFile = {
  readonly path: string;
  readonly size: number;
  readonly read: () => AsyncIterable<Uint8Array>;
};

/** The files of an archive that hold objects, and facts about it. */
export type ArchiveFiles = {
  readonly files: readonly ArchiveFile[];
  /** Files that would be among them, but are links. */
  readonly links: readonly string[];
  readonly close: () => Promise<void>;
};

/** More than any cluster's archive has. */
export const MAX_FILES = 1_000_000;

export function requireFewFiles(count: number, where: string): void {
  if (count > MAX_FILES) throw new FailedError(`${where} has more than ${MAX_FILES} files with objects`);
}

/** Opens the folder of `oc adm must-gather` or `oc adm inspect`, or a tar of it. Throws a FailedError if it can't be read. */
export async function openArchiveFiles(path: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const stats = await stat(path).catch((thrown: unknown) => {
    throw new FailedError(`The must-gather ${path} can't be read: ${formatError(thrown)}`);
  });
  if (stats.isDirectory()) return collectFolder(path, signal);
  if (stats.isFile()) return collectTar(path, signal);
  throw new FailedError(`The must-gather ${path} is neither a folder nor a file`);
}
