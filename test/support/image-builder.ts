import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { packTar } from "modern-tar";
import type { PushTarget } from "./registry.ts";

export type Files = Readonly<Record<string, string>>;
export type Compression = "gzip" | "zstd" | "none";
export type Blob = { readonly digest: string; readonly bytes: Buffer };
export type Layer = Blob & { readonly diffId: string };
export type TestImage = {
  readonly manifest: Blob;
  readonly manifestType: string;
  readonly config: Blob;
  /** From the lowest to the topmost. */
  readonly layers: readonly Layer[];
};

export const OPERATOR_PREFIX = "manifests/0000_00_cluster-version-operator_";

export function computeDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** A layer with these files and the folders that they are in. */
export async function buildLayer(files: Files, compression: Compression = "gzip"): Promise<Layer> {
  const folders = [
    ...new Set(Object.keys(files).flatMap((name) => (name.includes("/") ? [name.split("/", 1).join()] : []))),
  ];
  const tar = Buffer.from(
    await packTar([
      ...folders.map((name) => ({
        header: { name: `${name}/`, size: 0, type: "directory" as const, mtime: new Date(0) },
      })),
      ...Object.entries(files).map(([name, text]) => ({
        header: { name, size: Buffer.byteLength(text), type: "file" as const, mtime: new Date(0) },
        body: text,
      })),
    ]),
  );
  const bytes = compress(tar, compression);
  return { digest: computeDigest(bytes), bytes, diffId: computeDigest(tar) };
}

function compress(tar: Buffer, compression: Compression): Buffer {
  if (compression === "none") return tar;
  return compression === "gzip" ? gzipSync(tar) : zstdCompressSync(tar);
}

const TYPES = {
  docker: {
    manifest: "application/vnd.docker.distribution.manifest.v2+json",
    list: "application/vnd.docker.distribution.manifest.list.v2+json",
    config: "application/vnd.docker.container.image.v1+json",
    layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
  },
  oci: {
    manifest: "application/vnd.oci.image.manifest.v1+json",
    list: "application/vnd.oci.image.index.v1+json",
    config: "application/vnd.oci.image.config.v1+json",
    layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  },
};
export type ImageForm = keyof typeof TYPES;

export function buildImage(layers: readonly Layer[], form: ImageForm = "docker", architecture = "amd64"): TestImage {
  const types = TYPES[form];
  const config = toBlob({
    architecture,
    os: "linux",
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const manifest = toBlob({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: { mediaType: types.config, size: config.bytes.length, digest: config.digest },
    layers: layers.map(({ digest, bytes }) => ({ mediaType: types.layer, size: bytes.length, digest })),
  });
  return { manifest, manifestType: types.manifest, config, layers };
}

export function toBlob(value: object): Blob {
  const bytes = Buffer.from(JSON.stringify(value));
  return { digest: computeDigest(bytes), bytes };
}

/** A list of images by their architectures. */
export function buildImageList(images: Readonly<Record<string, TestImage>>, form: ImageForm = "docker"): Blob {
  return toBlob({
    schemaVersion: 2,
    mediaType: TYPES[form].list,
    manifests: Object.entries(images).map(([architecture, { manifest, manifestType }]) => ({
      mediaType: manifestType,
      size: manifest.bytes.length,
      digest: manifest.digest,
      platform: { os: "linux", architecture },
    })),
  });
}

/** Pushes an image; `tag` may also be its digest. */
export async function pushImage(
  { send }: PushTarget,
  repository: string,
  tag: string,
  image: TestImage,
): Promise<void> {
  for (const blob of [...image.layers, image.config]) await pushBlob(send, repository, blob);
  await requireCreated(
    send("PUT", `/v2/${repository}/manifests/${tag}`, image.manifest.bytes, image.manifestType),
    `the manifest ${tag}`,
  );
}

export async function pushImageList(
  { send }: PushTarget,
  repository: string,
  tag: string,
  list: Blob,
  form: ImageForm = "docker",
): Promise<void> {
  await requireCreated(
    send("PUT", `/v2/${repository}/manifests/${tag}`, list.bytes, TYPES[form].list),
    `the list ${tag}`,
  );
}

async function pushBlob(send: PushTarget["send"], repository: string, { digest, bytes }: Blob): Promise<void> {
  const { location } = await send("POST", `/v2/${repository}/blobs/uploads/`);
  const separator = location.includes("?") ? "&" : "?";
  await requireCreated(send("PUT", `${location}${separator}digest=${digest}`, bytes), `the blob ${digest}`);
}

async function requireCreated(response: Promise<{ readonly status: number }>, what: string): Promise<void> {
  const { status } = await response;
  if (status !== 201) throw new Error(`the registry refuses ${what}: ${status}`);
}
