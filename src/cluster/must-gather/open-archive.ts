import { stat } from "node:fs/promises";
import { FailedError, formatError } from "../../model/errors.ts";
import type { ArchiveFiles } from "./archive-files.ts";
import { collectFolder } from "./folder-files.ts";
import { collectTar } from "./tar-files.ts";

/** Opens the folder of `oc adm must-gather` or `oc adm inspect`, or a tar of it. Throws a FailedError if it can't be read. */
export async function openArchiveFiles(path: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const stats = await stat(path).catch((thrown: unknown) => {
    throw new FailedError(`The must-gather ${path} can't be read: ${formatError(thrown)}`);
  });
  if (stats.isDirectory()) return collectFolder(path, signal);
  if (stats.isFile()) return collectTar(path, signal);
  throw new FailedError(`The must-gather ${path} is neither a folder nor a file`);
}
