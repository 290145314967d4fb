import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packTar, unpackTar } from "modern-tar";
import { compareText } from "../../src/model/json.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { MODIFIED } from "../../src/encoding/tar-writer.ts";
import type { BuildPlatform } from "./platform.ts";
import { ROOT } from "./project.ts";
import { run } from "../../verify/shared/run.ts";

/** Stands for a base without a registry, made of this machine's files: for trials, since it differs from machine to machine. */
export const LOCAL = "local";
export const NO_IMAGES = "none";

/** The image for a platform as an OCI archive. `base` is an image, `default` for the Dockerfile's, or `local`. `name`: what it is called when it is loaded. */
export async function buildImageArchive({ oci }: BuildPlatform, base: string, name: string): Promise<Buffer> {
  return withTemporaryFolder("image", async (work) => {
    const output = join(work, "image.tar");
    const baseArgs = base === LOCAL ? [] : ["--base", base];
    const args = ["--arch", oci.architecture, "--tag", name, ...baseArgs, "--storage", work, "--output", output];
    await run(join("tools", "image.sh"), args, ROOT);
    return normalize(await readFile(output));
  });
}

/** buildah gives an archive's files the time of the build. */
async function normalize(archive: Uint8Array): Promise<Buffer> {
  const entries = await unpackTar(archive);
  const sorted = entries.toSorted((a, b) => compareText(a.header.name, b.header.name));
  const fixed = sorted.map(({ header, data }) => ({ header: { ...header, mtime: MODIFIED }, body: data }));
  return Buffer.from(await packTar(fixed));
}
