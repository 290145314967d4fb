import { crc32 } from "node:zlib";
import { packTar } from "modern-tar";
import { compareText } from "../model/json.ts";

export type PackedFile = { readonly name: string; readonly bytes: Uint8Array; readonly isExecutable?: boolean };

/** The time that npm gives all files in its packages, too. */
export const MODIFIED = new Date("1985-10-26T08:15:00Z");

/** A tar of files. Sorted names, one time and no owner: the same files give the same bytes. */
export async function packFiles(files: readonly PackedFile[]): Promise<Uint8Array> {
  const sorted = files.toSorted((a, b) => compareText(a.name, b.name));
  return packTar(
    sorted.map(({ name, bytes, isExecutable }) => ({
      header: { name, size: bytes.length, mode: isExecutable ? 0o755 : 0o644, mtime: MODIFIED, uid: 0, gid: 0 },
      body: bytes,
    })),
  );
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const MAX_STORED = 0xffff;

/** Content in gzip's form without compression, whose bytes depend on zlib's version and the machine. */
export function storeAsGzip(content: Uint8Array): Buffer {
  const count = Math.max(1, Math.ceil(content.length / MAX_STORED));
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = content.subarray(i * MAX_STORED, (i + 1) * MAX_STORED);
    const header = Buffer.alloc(5);
    header.writeUInt8(i === count - 1 ? 1 : 0, 0);
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(MAX_STORED - block.length, 3);
    return [header, block];
  });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length % 2 ** 32, 4);
  return Buffer.concat([GZIP_HEADER, ...blocks.flat(), trailer]);
}
