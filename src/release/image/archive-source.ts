import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type TarEntry, createTarBudget, visitTar } from "../../encoding/tar.ts";
import { isRegularFile, readFileBytes } from "../../files/named-file.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { type Json, isList, isObject, parseObject, textAt, textsAt } from "../../model/json.ts";
import { type ImageSource, MAX_IMAGE_BYTES, MAX_MANIFEST_BYTES, formatBlobName } from "./image-manifest.ts";
import { createLayoutSource, readBlobFile } from "./layout-source.ts";
import { type LocalReference, isDigest } from "./reference.ts";
import { computeContentDigest } from "./verified-content.ts";

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

/** The files of the unpacked archive, and where its links lead: `docker save` writes a layer that two images share only once. */
type Archive = { readonly folder: string; readonly links: ReadonlyMap<string, string>; readonly where: string };
type Layer = { readonly digest: string; readonly size: number; readonly path: string };

/** An image in an archive of `docker save` or `podman save`. It has no manifest of its own, so one is made of its config. */
async function createDockerArchiveSource(
  folder: string,
  links: ReadonlyMap<string, string>,
  reference: LocalReference,
): Promise<ImageSource> {
  const archive = { folder, links, where: `${reference.kind}:${reference.path}` };
  const image = selectImage(await readImages(archive), reference.name, archive.where);
  const configPath = requirePath(textAt(image, "Config"), archive);
  const config = await readBytes(configPath, archive);
  const layers = await readLayers(image, parseObject(config.toString("utf8")) ?? null, archive);
  const descriptors = layers.map(({ digest, size }) => ({ digest, size }));
  const configDescriptor = { digest: computeContentDigest(config), size: config.length };
  const text = JSON.stringify({ schemaVersion: 2, config: configDescriptor, layers: descriptors });
  const digest = computeContentDigest(Buffer.from(text));
  return {
    name: archive.where,
    readManifest: async () => ({ text, digest }),
    readBlob: (blob) => {
      const layer = layers.find((one) => one.digest === blob.digest);
      return readBlobFile(layer?.path ?? folder, `${archive.where} lacks the ${formatBlobName("layer", blob)}`);
    },
  };
}

async function readImages(archive: Archive): Promise<readonly Json[]> {
  const bytes = await readBytes(join(archive.folder, "manifest.json"), archive);
  const images = parseObject(`{"images":${bytes.toString("utf8")}}`)?.["images"];
  if (isList(images)) return images;
  throw new FailedError(`${archive.where} is not an archive of docker: its manifest.json is not a list`);
}

function selectImage(images: readonly Json[], name: string | undefined, where: string): Json {
  const selected = name === undefined ? images : images.filter((one) => textsAt(one, "RepoTags").includes(name));
  const [first] = selected;
  if (isObject(first) && selected.length === 1) return first;
  const count = selected.length === 0 ? "has no image" : `has ${selected.length} images`;
  throw new FailedError(
    `${where} ${count}${name === undefined ? "" : ` of the name ${name}`}: name one as ${where}:REPOSITORY:TAG`,
  );
}

/** The config names the digest of each layer's tar. */
async function readLayers(image: Json, config: Json, archive: Archive): Promise<readonly Layer[]> {
  const paths = textsAt(image, "Layers");
  const digests = textsAt(config, "rootfs", "diff_ids");
  if (paths.length !== digests.length || !digests.every(isDigest))
    throw new FailedError(`${archive.where} is damaged: its config does not have a digest for each layer`);
  const layers: Layer[] = [];
  for (const [index, digest] of digests.entries()) {
    const path = requirePath(paths[index], archive);
    const stats = await stat(path).catch(() => undefined);
    if (!stats) throw new FailedError(`${archive.where} lacks the ${formatBlobName("layer", { digest, size: 0 })}`);
    layers.push({ digest, size: stats.size, path });
  }
  return layers;
}

/** The path of a file that the archive names; a link in it is followed once. */
function requirePath(name: string | undefined, { folder, links, where }: Archive): string {
  const target = links.get(name ?? "");
  const path = target === undefined ? (name ?? "") : join(name ?? "", "..", target);
  if (isSafePath(path)) return join(folder, path);
  throw new FailedError(`${where} is damaged: it names the file ${JSON.stringify(name ?? "")}`);
}

async function readBytes(path: string, { where }: Archive): Promise<Buffer> {
  try {
    return await readFileBytes(path, MAX_MANIFEST_BYTES);
  } catch (thrown) {
    throw new FailedError(`${where} is not an archive of docker (${path}: ${errorCode(thrown) ?? "unreadable"})`);
  }
}

/** The names in archives of images are plain; any other is of no use, and would lead out of the folder. */
export function isSafePath(name: string): boolean {
  const parts = name.split("/");
  return (
    /^[\w.:/-]+$/.test(name) && parts.length <= 4 && parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}
