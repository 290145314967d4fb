import { readdirSync } from "node:fs";
import { mkdtemp, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type PrivateFolder,
  openPrivateFolder,
  openSubfolder,
  readPrivateFile,
  removeFolder,
  writePrivateFile,
} from "../../files/private-folder.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { type Json, listAt, numberAt, parseObject, textAt } from "../../model/json.ts";
import type { CachedRelease, ImageCache } from "./image-cache.ts";
import { MAX_MANIFEST_BYTES } from "./image-manifest.ts";
import { RELEASE_FOLDERS, type ReleaseFile, isReleasePath } from "./release-files.ts";
import { algorithmOf, computeContentDigest } from "./verified-content.ts";

/** How the folder of a release that is being read begins. */
export const PARTIAL = "partial-";
export const RELEASES = "releases";
export const MANIFESTS = "manifests";
const INDEX = "files.json";
/** Three times what the most files of a release take. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** A cache that stays, in a folder that only this user can write to. */
export function createStoredCache(root: PrivateFolder): ImageCache {
  const createPartial = (): Promise<string> => failAsOneLine(() => mkdtemp(join(root.path, PARTIAL)), root);
  return {
    takeWarning: () => undefined,
    findContent: (digest) => findContent(root, digest),
    addContent: (digest, bytes) =>
      failAsOneLine(() => writePrivateFile(createFolder(root, MANIFESTS), formatContentName(digest), bytes), root),
    findRelease: (digest) => findRelease(root, digest),
    createPartial,
    async addRelease(digest, partial, files) {
      const index = JSON.stringify({ image: digest, files });
      await failAsOneLine(() => writeFile(join(partial, INDEX), index, { mode: 0o600, flag: "wx" }), root);
      const added = { folder: partial, files };
      const release = findRelease(root, digest) ?? (await replaceRelease(root, digest, added, await createPartial()));
      removeFolder(partial);
      return release;
    },
    close: () => undefined,
  };
}

function findContent(root: PrivateFolder, digest: string): Buffer | undefined {
  const folder = openSubfolder(root, MANIFESTS);
  if (folder.kind !== "private") return undefined;
  const bytes = readPrivateFile(folder, formatContentName(digest), MAX_MANIFEST_BYTES);
  if (bytes === undefined || computeContentDigest(bytes, algorithmOf(digest)) !== digest) return undefined;
  return bytes;
}

function formatContentName(digest: string): string {
  return `${formatName(digest)}.json`;
}

function formatName(digest: string): string {
  return digest.replace(":", "-");
}

/** The release, if its folder has exactly the files that were verified for this image, with their content. */
function findRelease(root: PrivateFolder, digest: string): CachedRelease | undefined {
  const releases = openSubfolder(root, RELEASES);
  const folder = releases.kind === "private" ? openSubfolder(releases, formatName(digest)) : releases;
  if (folder.kind !== "private") return undefined;
  const files = parseIndex(readPrivateFile(folder, INDEX, MAX_INDEX_BYTES)?.toString("utf8"), digest);
  if (files === undefined || !RELEASE_FOLDERS.every((name) => isIntact(folder, name, files))) return undefined;
  return { folder: folder.path, files };
}

/** The index names its image, so that a folder under another name is not taken for the release of that. */
function parseIndex(text: string | undefined, digest: string): readonly ReleaseFile[] | undefined {
  const index = parseObject(text ?? "");
  if (index === undefined || textAt(index, "image") !== digest) return undefined;
  const listed = listAt(index, "files");
  const files = listed.flatMap((file) => parseFile(file) ?? []);
  const paths = new Set(files.map(({ path }) => path));
  return files.length > 0 && paths.size === listed.length ? files : undefined;
}

function parseFile(file: Json): ReleaseFile | undefined {
  const path = textAt(file, "path");
  const size = numberAt(file, "size");
  const digest = textAt(file, "digest");
  if (path === undefined || size === undefined || digest === undefined || !isReleasePath(path)) return undefined;
  return { path, size, digest };
}

function isIntact(folder: PrivateFolder, name: string, files: readonly ReleaseFile[]): boolean {
  const expected = files.filter(({ path }) => path.startsWith(`${name}/`));
  const opened = openSubfolder(folder, name);
  if (opened.kind !== "private") return opened.kind === "absent" && expected.length === 0;
  if (countEntries(opened) !== expected.length) return false;
  return expected.every(({ path, size, digest }) => {
    const bytes = readPrivateFile(opened, path.slice(name.length + 1), size);
    return bytes?.length === size && computeContentDigest(bytes) === digest;
  });
}

/** Undefined if another process has just put the folder aside. */
function countEntries({ path }: PrivateFolder): number | undefined {
  try {
    return readdirSync(path).length;
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
    return undefined;
  }
}

/** It may have been deleted since the cache was opened. */
function createFolder(root: PrivateFolder, name: string): PrivateFolder {
  const folder = openPrivateFolder(root.path, [name], "create");
  if (folder.kind === "private") return folder;
  const why = folder.kind === "refused" ? `: ${folder.message}` : "";
  throw new FailedError(`the cache ${root.path} can't be written${why}`);
}

/** Another process may add the same release at the same time; either's is as good. */
async function replaceRelease(
  root: PrivateFolder,
  digest: string,
  { folder: partial, files }: CachedRelease,
  trash: string,
): Promise<CachedRelease> {
  const folder = join(createFolder(root, RELEASES).path, formatName(digest));
  await rename(folder, join(trash, "damaged")).catch(() => undefined);
  removeFolder(trash);
  try {
    await rename(partial, folder);
    return { folder, files };
  } catch (thrown) {
    const release = findRelease(root, digest);
    if (release === undefined) throw new FailedError(`${folder} can't be written: ${formatError(thrown)}`);
    return release;
  }
}

async function failAsOneLine<T>(write: () => T | Promise<T>, root: PrivateFolder): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (thrown instanceof FailedError) throw thrown;
    throw new FailedError(`the cache ${root.path} can't be written (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
