import { readTextFile } from "../files/named-file.ts";
import { errorCode } from "../model/errors.ts";

/** Far larger than any document. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the runner's own document at `path`; undefined if it does not exist. Rejects if it can't be read, is not a regular file or is too
 * large. A symbolic link is not followed: the runner never writes one, and its target is not for the runner to read.
 */
export async function readPublishedDocument(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, MAX_BYTES, { pipes: "refuse", links: "refuse" });
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    const cause = errorCode(thrown) === "ELOOP" ? new Error("it is a symbolic link") : thrown;
    throw new Error(`reading ${path}`, { cause });
  }
}
