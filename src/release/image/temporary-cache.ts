import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../files/private-folder.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import type { CachedRelease, ImageCache } from "./image-cache.ts";

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
