import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTar, unpackTar } from "modern-tar";
import { MODIFIED } from "./archive.ts";
import type { BuildPlatform } from "./platform.ts";
import { ROOT } from "./project.ts";
import { run } from "./run.ts";

/** Stands for a base without a registry, made of this machine's files: for trials, since it differs from machine to machine. */
export const LOCAL = "local";
export const NO_IMAGES = "none";

/** The image for a platform as an OCI archive. `base` is an image, `default` for the Dockerfile's, or `local`. */
export async function buildImageArchive({ oci }: BuildPlatform, base: string): Promise<Buffer> {
  const work = await mkdtemp(join(tmpdir(), "preflight-image-"));
  const output = join(work, "image.tar");
  const baseArgs = base === LOCAL ? [] : ["--base", base];
  const args = ["--arch", oci.architecture, ...baseArgs, "--storage", work, "--output", output];
  try {
    await run(join("tools", "image.sh"), args, ROOT);
    return await normalize(await readFile(output));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** buildah gives an archive's files the time of the build. */
async function normalize(archive: Uint8Array): Promise<Buffer> {
  const entries = await unpackTar(archive);
  const sorted = entries.toSorted((a, b) => (a.header.name < b.header.name ? -1 : 1));
  const fixed = sorted.map(({ header, data }) => ({ header: { ...header, mtime: MODIFIED }, body: data }));
  return Buffer.from(await packTar(fixed));
}
