import { constants, gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { compareText } from "../../src/model/json.ts";

export type PackedFile = { readonly name: string; readonly bytes: Uint8Array; readonly isExecutable?: boolean };

/** The time that npm gives all files in its packages, too. */
export const MODIFIED = new Date("1985-10-26T08:15:00Z");

/** A .tar.gz of files. Sorted names, one time and no owner: the same files give the same bytes. */
export async function packArchive(files: readonly PackedFile[]): Promise<Buffer> {
  const sorted = files.toSorted((a, b) => compareText(a.name, b.name));
  const tar = await packTar(
    sorted.map(({ name, bytes, isExecutable }) => ({
      header: { name, size: bytes.length, mode: isExecutable ? 0o755 : 0o644, mtime: MODIFIED, uid: 0, gid: 0 },
      body: bytes,
    })),
  );
  return gzipSync(tar, { level: constants.Z_BEST_COMPRESSION });
}
