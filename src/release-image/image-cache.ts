import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { FailedError, errorCode, formatError } from "../model/errors.ts";
import { type Json, listAt, numberAt, parseObject, textAt } from "../model/json.ts";
import type { ReleaseFile } from "./release-files.ts";
import { algorithmOf, computeContentDigest } from "./verified-content.ts";

/** Releases and manifests by their digests. What is in it is whole: it gets its name by a rename, and its content is verified at each use. */
export type ImageCache = {
  readonly findManifest: (digest: string) => Promise<string | undefined>;
  readonly addManifest: (digest: string, text: string) => Promise<void>;
  /** The folder of a release that is whole. */
  readonly findRelease: (digest: string) => Promise<string | undefined>;
  /** A new folder for a release that is being read. */
  readonly createPartial: () => Promise<string>;
  /** Gives the folder its place; returns it. */
  readonly addRelease: (digest: string, partial: string, files: readonly ReleaseFile[]) => Promise<string>;
  /** Removes what is left of this process; everything, if the cache had to be a temporary folder. */
  readonly close: () => Promise<void>;
};

type Env = Readonly<Record<string, string | undefined>>;

const INDEX = "files.json";
const PARTIAL = "partial-";
/** A process that still reads a release after a day has been killed. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** Opens the cache, `preflight` in the XDG cache folder; without a writable one, a temporary folder that `close` removes. */
export async function openImageCache(env: Env, now: Date): Promise<ImageCache> {
  const folder = await makeFolder(findCacheFolder(env));
  const root = folder ?? (await mkdtemp(join(tmpdir(), "preflight-")));
  if (folder !== undefined) await removeStale(folder, now);
  return createImageCache(root, folder === undefined);
}

function findCacheFolder(env: Env): string | undefined {
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg && isAbsolute(xdg)) return join(xdg, "preflight");
  return env["HOME"] ? join(env["HOME"], ".cache", "preflight") : undefined;
}

async function makeFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  try {
    for (const name of ["releases", "manifests"]) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    await rm(await mkdtemp(join(folder, PARTIAL)), { recursive: true });
    return folder;
  } catch {
    return undefined;
  }
}

async function removeStale(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PARTIAL)) continue;
    const path = join(folder, name);
    const modified = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now.getTime(),
    );
    if (now.getTime() - modified > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

function createImageCache(root: string, isTemporary: boolean): ImageCache {
  const partials = new Set<string>();
  const releasePath = (digest: string): string => join(root, "releases", digest.replace(":", "-"));
  const manifestPath = (digest: string): string => join(root, "manifests", `${digest.replace(":", "-")}.json`);
  const createPartial = async (): Promise<string> => {
    const partial = await failAsOneLine(mkdtemp(join(root, PARTIAL)), root);
    partials.add(partial);
    return partial;
  };
  return {
    async findManifest(digest) {
      const text = await readFile(manifestPath(digest), "utf8").catch(() => undefined);
      return text !== undefined && computeContentDigest(Buffer.from(text), algorithmOf(digest)) === digest
        ? text
        : undefined;
    },
    async addManifest(digest, text) {
      const partial = await createPartial();
      await failAsOneLine(writeFile(join(partial, "manifest.json"), text), root);
      await mkdir(join(root, "manifests"), { recursive: true });
      await failAsOneLine(rename(join(partial, "manifest.json"), manifestPath(digest)), root);
    },
    async findRelease(digest) {
      const folder = releasePath(digest);
      return (await isRelease(folder)) ? folder : undefined;
    },
    createPartial,
    async addRelease(digest, partial, files) {
      const folder = releasePath(digest);
      await failAsOneLine(writeFile(join(partial, INDEX), JSON.stringify({ files })), root);
      await mkdir(join(root, "releases"), { recursive: true });
      if (!(await isRelease(folder))) await replaceFolder(partial, folder, await createPartial());
      return folder;
    },
    async close() {
      for (const path of isTemporary ? [root] : partials) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Another process may add the same release at the same time; either's is as good. */
async function replaceFolder(partial: string, folder: string, trash: string): Promise<void> {
  await rename(folder, join(trash, "damaged")).catch(() => undefined);
  try {
    await rename(partial, folder);
  } catch (thrown) {
    if (!(await isRelease(folder))) throw new FailedError(`${folder} can't be written: ${formatError(thrown)}`);
  }
}

/** Whether a folder has exactly the files that its index names, with their content. */
async function isRelease(folder: string): Promise<boolean> {
  const index = parseObject(await readFile(join(folder, INDEX), "utf8").catch(() => ""));
  const files = listAt(index, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (files.length === 0 || entries.filter((entry) => !entry.isDirectory()).length !== files.length + 1) return false;
  for (const file of files) if (!(await isIntact(folder, file))) return false;
  return true;
}

async function isIntact(folder: string, file: Json): Promise<boolean> {
  const [path, size, digest] = [textAt(file, "path"), numberAt(file, "size"), textAt(file, "digest")];
  if (path === undefined) return false;
  const bytes = await readFile(join(folder, path)).catch(() => undefined);
  return bytes?.length === size && bytes !== undefined && computeContentDigest(bytes) === digest;
}

async function failAsOneLine<T>(writing: Promise<T>, root: string): Promise<T> {
  try {
    return await writing;
  } catch (thrown) {
    throw new FailedError(`the cache ${root} can't be written (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
