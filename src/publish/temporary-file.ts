import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pid } from "node:process";
import { errorCode } from "../model/errors.ts";

const SUFFIX = /^\d+-[0-9a-f]{16}\.tmp$/;

function buildPrefix(path: string): string {
  return `.${basename(path)}.`;
}

/** A new random name beside `path`. The process id is for people; in a container it is always the same. */
export function buildTemporaryPath(path: string): string {
  return join(dirname(path), `${buildPrefix(path)}${pid}-${randomBytes(8).toString("hex")}.tmp`);
}

/**
 * Removes the temporary files of killed writers of `path` and returns their names. Call it before the first write. Touches nothing else;
 * a concurrent writer restarts its write. Files that can't be removed stay.
 */
export async function removeStaleFiles(path: string): Promise<readonly string[]> {
  const directory = dirname(path);
  const names = await findStaleFiles(directory, buildPrefix(path));
  const removals = names.map((name) =>
    rm(join(directory, name)).then(
      () => [name],
      () => [],
    ),
  );
  return (await Promise.all(removals)).flat();
}

async function findStaleFiles(directory: string, prefix: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return files.filter((name) => name.startsWith(prefix) && SUFFIX.test(name.slice(prefix.length))).toSorted();
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return [];
    throw new Error(`listing temporary files in ${directory}`, { cause: thrown });
  }
}
