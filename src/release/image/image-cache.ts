import { lstatSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FolderRefusal, PrivateFolder } from "../../files/private-folder.ts";
import { findCacheBase, openPrivateFolder, removeFolder } from "../../files/private-folder.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import type { ReleaseFile } from "./release-files.ts";
import { MANIFESTS, PARTIAL, RELEASES, createStoredCache } from "./stored-cache.ts";

/** A release in a folder, and what the files in it were when they were verified. */
export type CachedRelease = { readonly folder: string; readonly files: readonly ReleaseFile[] };

/** Releases and manifests by their digests. A release is whole: its folder gets its name by a rename. */
export type ImageCache = {
  /** Manifests, and what else is as small. */
  readonly findContent: (digest: string) => Buffer | undefined;
  readonly addContent: (digest: string, bytes: Uint8Array) => Promise<void>;
  readonly findRelease: (digest: string) => CachedRelease | undefined;
  /** A new folder for a release that is being read. */
  readonly createPartial: () => Promise<string>;
  /** Gives the folder its place. */
  readonly addRelease: (digest: string, partial: string, files: readonly ReleaseFile[]) => Promise<CachedRelease>;
  /** Why the user's cache is not used, and what to do: once, since a process may read several images. */
  readonly takeWarning: () => string | undefined;
  /** Removes the cache if it had to be a temporary folder. */
  readonly close: () => void;
};

const NAME = "preflight";
/** A process that still reads a release after a day has been killed. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** Opens `preflight` in the user's cache folder. Where only this user can't write to it, a temporary folder takes its place until `close`. */
export function openImageCache(env: Readonly<Record<string, string | undefined>>, now: Date): ImageCache {
  const base = findCacheBase(env);
  if (base === undefined) return createTemporaryCache();
  for (const names of [
    [NAME, RELEASES],
    [NAME, MANIFESTS],
  ]) {
    const folder = openPrivateFolder(base, names, "create");
    if (folder.kind === "refused") return createTemporaryCache(formatRefusal(join(base, NAME), folder));
    if (folder.kind === "absent") return createTemporaryCache();
  }
  const root = openPrivateFolder(base, [NAME], "leave");
  if (root.kind !== "private" || !isWritable(root)) return createTemporaryCache();
  removeStale(root, now);
  return createStoredCache(root);
}

function formatRefusal(folder: string, { message, remedy }: FolderRefusal): string {
  const remedies = [...(remedy === undefined ? [] : [remedy]), "set XDG_CACHE_HOME to a folder of your own"];
  return `the cache ${folder} is not used, since ${message}: ${remedies.join(", or ")}`;
}

function isWritable({ path }: PrivateFolder): boolean {
  try {
    rmdirSync(mkdtempSync(join(path, PARTIAL)));
    return true;
  } catch {
    return false;
  }
}

function removeStale(root: PrivateFolder, now: Date): void {
  for (const name of readdirSync(root.path)) {
    if (!name.startsWith(PARTIAL)) continue;
    const path = join(root.path, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && now.getTime() - stats.mtimeMs > STALE_MS) removeFolder(path);
  }
}

/** For this process alone. What the files have to be stays in memory, where nobody else can change it. */
export function createTemporaryCache(warning?: string): ImageCache {
  const contents = new Map<string, Buffer>();
  const releases = new Map<string, CachedRelease>();
  const folders: string[] = [];
  let untaken = warning;
  return {
    takeWarning() {
      const taken = untaken;
      untaken = undefined;
      return taken;
    },
    findContent: (digest) => contents.get(digest),
    async addContent(digest, bytes) {
      contents.set(digest, Buffer.from(bytes));
    },
    findRelease: (digest) => releases.get(digest),
    async createPartial() {
      const folder = await createFolder();
      folders.push(folder);
      return folder;
    },
    async addRelease(digest, partial, files) {
      const release = { folder: partial, files };
      releases.set(digest, release);
      return release;
    },
    close() {
      for (const folder of folders) removeFolder(folder);
    },
  };
}

async function createFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "preflight-"));
  } catch (thrown) {
    const why = errorCode(thrown) ?? formatError(thrown);
    throw new FailedError(
      `no temporary folder can be created in ${tmpdir()} (${why}): set TMPDIR to a folder that can be written`,
    );
  }
}
