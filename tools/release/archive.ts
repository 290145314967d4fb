import { constants, gzipSync } from "node:zlib";
import { type PackedFile, packFiles } from "../../src/encoding/tar-writer.ts";

/** A .tar.gz of files. */
export async function packArchive(files: readonly PackedFile[]): Promise<Buffer> {
  return gzipSync(await packFiles(files), { level: constants.Z_BEST_COMPRESSION });
}
