import { join } from "node:path";
import { DamagedContentError } from "../../encoding/damaged-content.ts";
import { readFileChunks, readTextFile } from "../../files/named-file.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { type Json, at, listAt, parseObject, textAt } from "../../model/json.ts";
import type { Descriptor, ImageSource, RawManifest } from "./image-manifest.ts";
import { MAX_IMAGE_BYTES, MAX_MANIFEST_BYTES, formatBlobName, parseDescriptor } from "./image-manifest.ts";
import type { LocalReference } from "./reference.ts";
import { algorithmOf, computeContentDigest } from "./verified-content.ts";

const NAME_ANNOTATION = "org.opencontainers.image.ref.name";

/** An image in the folder of an OCI layout. `where` is what messages call it. */
export function createLayoutSource(folder: string, reference: LocalReference): ImageSource {
  const where = `${reference.kind}:${reference.path}`;
  return {
    name: where,
    async readManifest(digest) {
      const wanted = digest ?? selectImage(await readIndex(folder, where), reference.name, where).digest;
      return readManifestFile(folder, wanted, where);
    },
    readBlob: (blob) =>
      readBlobFile(join(folder, getBlobPath(blob.digest)), `${where} lacks the ${formatBlobName("layer", blob)}`),
  };
}

async function readIndex(folder: string, where: string): Promise<Json> {
  const text = await readText(join(folder, "index.json"), `${where} is not an OCI image`);
  return parseObject(text) ?? null;
}

function selectImage(index: Json, name: string | undefined, where: string): Descriptor {
  const all = listAt(index, "manifests");
  const selected = name === undefined ? all : all.filter((one) => isNamed(one, name));
  const [first] = selected.flatMap((one) => parseDescriptor(one) ?? []);
  if (first && selected.length === 1) return first;
  const count = selected.length === 0 ? "has no image" : `has ${selected.length} images`;
  throw new FailedError(
    `${where} ${count}${name === undefined ? "" : ` of the name ${name}`}: name one as ${where}:NAME`,
  );
}

/** podman writes a whole reference, skopeo the tag alone. */
function isNamed(manifest: Json, name: string): boolean {
  return textAt(at(manifest, "annotations"), NAME_ANNOTATION) === name;
}

async function readManifestFile(folder: string, digest: string, where: string): Promise<RawManifest> {
  const text = await readText(join(folder, getBlobPath(digest)), `${where} lacks the image ${digest}`);
  const actual = computeContentDigest(Buffer.from(text), algorithmOf(digest));
  if (actual === digest) return { text, digest };
  throw new DamagedContentError(`the manifest ${digest} in ${where} is damaged: its content has the digest ${actual}`);
}

function getBlobPath(digest: string): string {
  return join("blobs", digest.replace(":", "/"));
}

async function readText(path: string, failure: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_MANIFEST_BYTES, { pipes: "refuse" });
  } catch (thrown) {
    throw new FailedError(`${failure} (${path}: ${errorCode(thrown) ?? formatError(thrown)})`);
  }
}

/** Reads a file; `failure` is the beginning of the error if that fails. */
export async function* readBlobFile(path: string, failure: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readFileChunks(path, MAX_IMAGE_BYTES, { pipes: "refuse" });
  } catch (thrown) {
    throw new FailedError(`${failure} (${path}: ${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
