import { randomBytes } from "node:crypto";
import { type FileHandle, chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { pid } from "node:process";
import { UsageError, errorCode } from "../model/errors.ts";

/** How often the directory may disappear during one write before the write fails. */
const MAX_ATTEMPTS = 5;
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/**
 * Replaces the file at `path` atomically: a reader sees the whole old content or the whole new one at any moment, even after a crash. The
 * content is written to a new file beside it, synced and renamed, and the directory is synced. Creates a missing directory.
 * Rejects and keeps the old content if it can't be written; with a UsageError if the path can't be a file.
 */
export async function publish(path: string, content: string | Uint8Array, mode = FILE_MODE): Promise<void> {
  await rejectNonFile(path);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createDirectory(dirname(path));
      return await replaceFile(path, content, mode);
    } catch (thrown) {
      if (errorCode(thrown) === "ENOENT" && attempt < MAX_ATTEMPTS) continue;
      throw new Error(`writing ${path}`, { cause: thrown });
    }
  }
}

/** Removes the file at `path`, also from the point of view of a reader after a crash. */
export async function unpublish(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** A rename would replace a device or a pipe (--document /dev/stdout). */
async function rejectNonFile(path: string): Promise<void> {
  if (path === "" || path.endsWith(sep)) throw new UsageError(`"${path}" is not the path of a file: give one`);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) throw new UsageError(`${path} is a directory: give the path of a file in it`);
  if (stats && !stats.isFile()) throw new UsageError(`${path} is not a regular file: give the path of one`);
}

/**
 * Creates a directory and its parents, with a fixed mode whatever the umask, since readers may run as other users.
 * Not with `recursive: true`, with which Node retries for ever on a file system that always answers ENOENT (/proc).
 */
async function createDirectory(directory: string): Promise<void> {
  const failure = await tryCreateDirectory(directory);
  if (failure === undefined) return;
  const parent = dirname(directory);
  if (errorCode(failure) !== "ENOENT" || parent === directory) throw failure;
  await createDirectory(parent);
  const secondFailure = await tryCreateDirectory(directory);
  if (secondFailure !== undefined) throw secondFailure;
}

/** The error if the directory could not be created; undefined if it exists now. */
async function tryCreateDirectory(directory: string): Promise<Error | undefined> {
  try {
    await mkdir(directory, { mode: DIRECTORY_MODE });
    await chmod(directory, DIRECTORY_MODE);
    return undefined;
  } catch (thrown) {
    if (errorCode(thrown) === "EEXIST") return undefined;
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

async function replaceFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const temporary = buildTemporaryPath(path);
  try {
    await writeAndSync(temporary, content, mode);
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw thrown;
  }
  await syncDirectory(dirname(path));
}

async function writeAndSync(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  await withFile(await open(path, "wx", mode), async (file) => {
    await file.writeFile(content);
    await file.chmod(mode);
    await file.sync();
  });
}

/** Some file systems can't sync a directory; a rename is then as durable as the file system makes it. */
async function syncDirectory(directory: string): Promise<void> {
  await withFile(await open(directory, "r"), async (handle) => {
    await handle.sync().catch((thrown: unknown) => {
      if (errorCode(thrown) !== "EINVAL" && errorCode(thrown) !== "ENOTSUP") throw thrown;
    });
  });
}

async function withFile(file: FileHandle, use: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

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
