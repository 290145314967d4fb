import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isRegularFile } from "../../../files/named-file.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { MAX_IMAGE_BYTES } from "../image-manifest.ts";
import type { ImageSource } from "../image-source.ts";
import type { LocalReference } from "../reference.ts";
import { type TarEntry, createTarBudget, visitTar } from "../../../encoding/tar.ts";
import { createDockerArchiveSource, isSafePath } from "./docker-archive-source.ts";
import { createLayoutSource, readBlobFile } from "./layout-source.ts";

/** Of an archive: an image has a file or three for each of its layers. */
const MAX_FILES = 10_000;

/** Unpacks an archive of podman, docker or skopeo into an empty folder, since its index may be at its end. */
export async function openArchive(
  reference: LocalReference,
  folder: string,
  maxBytes = MAX_IMAGE_BYTES,
): Promise<ImageSource> {
  const where = `${reference.kind}:${reference.path}`;
  if (!(await isRegularFile(reference.path))) throw new FailedError(`${where} is not a file that can be read`);
  const links = new Map<string, string>();
  const budget = createTarBudget(maxBytes, MAX_FILES);
  await visitTar(readBlobFile(reference.path, `${where} can't be read`), where, budget, async (entry) => {
    if (!isSafePath(entry.name)) return;
    if (entry.type === "link" && entry.target !== undefined) links.set(entry.name, entry.target);
    if (entry.type === "file") await unpack(entry, folder);
  });
  if (reference.kind === "oci-archive") return createLayoutSource(folder, reference);
  return createDockerArchiveSource(folder, links, reference);
}

async function unpack({ name, body }: TarEntry, folder: string): Promise<void> {
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(body, createWriteStream(path, { mode: 0o600 }));
  } catch (thrown) {
    throw new FailedError(`${path} can't be written (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
