import type { TestContext } from "node:test";
import { readReleaseImage, type ReleaseImage } from "../../../../src/release/image/release-image.ts";
import { openImageCache } from "../../../../src/release/image/image-cache.ts";
import type { ImageOptions } from "../../../../src/release/image/image-options.ts";
import type { Payload } from "../../../../src/release/payload/payload.ts";
import { readPayload } from "../../../../src/release/payload/payload-reader.ts";
import { createFakeClock } from "../../cluster/mock-server.ts";
import { IMAGES, METADATA, formatClusterVersionCrd, formatCrd, formatManifest } from "../payload/payload-folder.ts";
import { type Compression, type Files, type Layer, OPERATOR_PREFIX, buildLayer } from "../../image-builder.ts";
import { createTestFolder } from "../../registry.ts";

export const RELEASE_FILES: Files = {
  "release-manifests/release-metadata": METADATA,
  "release-manifests/image-references": IMAGES,
  "release-manifests/0000_10_demo_01_boxes.crd.yaml": formatCrd("boxes"),
};
export const OPERATOR_FILES: Files = {
  [`${OPERATOR_PREFIX}01_clusterversions-Default.crd.yaml`]: formatClusterVersionCrd(["Console"]),
  [`${OPERATOR_PREFIX}30_deployment.yaml`]: formatManifest("Deployment", "cluster-version-operator"),
};

/** The layers of a release image: its base, the operator's and the release's own. */
export async function buildReleaseLayers(compression: Compression = "gzip"): Promise<readonly Layer[]> {
  return [
    await buildLayer({ "etc/os-release": "NAME=Base\n" }, compression),
    await buildLayer({ "usr/bin/cluster-version-operator": "\u007fELF", ...OPERATOR_FILES }, compression),
    await buildLayer(RELEASE_FILES, compression),
  ];
}

export function buildOptions(
  changes: Partial<ImageOptions> = {},
): ImageOptions & { readonly slept: readonly number[] } {
  const clock = createFakeClock();
  return {
    env: {},
    now: new Date(),
    signal: new AbortController().signal,
    userAgent: "target-release-preflight/1.2.3",
    machine: "x64",
    clock,
    slept: clock.slept,
    ...changes,
  };
}

/** `cache`: the folder for caches. */
export async function read(
  t: TestContext,
  reference: string,
  { cache = createTestFolder(t), ...changes }: Partial<ImageOptions> & { readonly cache?: string } = {},
): Promise<ReleaseImage> {
  return readReleaseImage(reference, openImageCache({ XDG_CACHE_HOME: cache }, new Date()), buildOptions(changes));
}

export async function readManifests({ folder, files }: ReleaseImage): Promise<Payload> {
  const result = await readPayload(folder, { files });
  if (result.kind === "failed") throw new Error(result.failure.message);
  return result.payload;
}
