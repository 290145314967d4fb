import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { packTar } from "modern-tar";
import { createTarBudget, visitTar } from "../../../src/encoding/tar.ts";
import { parseArchivePath } from "../../../src/cluster/must-gather/archive-path.ts";
import { isSafePath } from "../../../src/release/image/archive-source.ts";
import { splitChunks, toStream } from "../chunks.ts";
import type { FuzzTarget } from "../target.ts";

const PATHS = ["release-manifests/image-references", "must-gather/namespaces/a/core/pods.yaml", "a".repeat(120)];
const TAR = Buffer.from(
  await packTar([
    ...PATHS.map((name) => ({ header: { name, size: 3 }, body: "a: 1".slice(0, 3) })),
    { header: { name: "link", size: 0, type: "symlink", linkname: "../x" } },
    { header: { name: "folder/", size: 0, type: "directory" } },
  ]),
);

/** Every body has the size that its entry says, and a path that is followed stays inside. */
export const target: FuzzTarget = {
  seeds: [TAR, gzipSync(TAR), zstdCompressSync(TAR), TAR.subarray(0, 512)],
  maxBytes: 16_384,
  run: (input) =>
    visitTar(
      toStream(splitChunks(input)),
      "the archive",
      createTarBudget(2 ** 30, 100_000),
      async ({ name, type, size, body }) => {
        parseArchivePath(name);
        if (isSafePath(name)) assert.doesNotMatch(name, /(?:^|\/)\.{0,2}(?:\/|$)/);
        if (type !== "file" || size % 2 === 0) return;
        let length = 0;
        for await (const chunk of body) length += chunk.length;
        assert.equal(length, size);
      },
    ),
};
