import { FailedError } from "../../model/errors.ts";

/** Of a tar when it is unpacked. A gather of the largest clusters has some GiB, most of it logs. */
export const MAX_ARCHIVE_BYTES = 16 * 2 ** 30;

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

/**
 * Of files with objects, whose paths are held: 5,000 nodes with ten pods of the platform each, which have a file of their own, take some
 * 60,000. They fit into 192 MiB.
 */
const MAX_FILES = 150_000;
/** With logs and everything else: such a cluster has some 1,000,000. They are passed over one by one, which takes some 7 s for each 1,000,000. */
export const MAX_ENTRIES = 5_000_000;

export function requireFewFiles(count: number, where: string): void {
  if (count > MAX_FILES) throw new FailedError(`${where} has more than ${MAX_FILES} files with objects: ${REDUCE}`);
}

export function requireFewEntries(count: number, where: string): void {
  if (count > MAX_ENTRIES) throw new FailedError(`${where} has more than ${MAX_ENTRIES} files and folders: ${REDUCE}`);
}

const REDUCE = "leave out what is not of one cluster's must-gather";
