import { FailedError, formatError } from "../../model/errors.ts";
import type { CachedRelease, ImageCache } from "./image-cache.ts";
import type { Descriptor, ImageManifest } from "./image-manifest.ts";
import { formatBlobName, parseImageManifest, selectPlatform } from "./image-manifest.ts";
import type { ImageOptions } from "./image-options.ts";
import type { ImageSources, LazySources } from "./image-sources.ts";
import { readCachedManifest, tryEachSource, withLazySources } from "./image-sources.ts";
import { type ImageReference, formatRegistryReference, parseImageReference } from "./reference.ts";
import { type ReleaseFile, createReleaseFiles } from "./release-files.ts";
import { verifyContent } from "./verified-content.ts";

/** The manifests of a release image in a folder, as `readPayload` reads them: `release-manifests/` and `manifests/`. */
export type ReleaseImage = {
  readonly folder: string;
  /** What was verified of the folder's files; what is read of them later has to be the same. */
  readonly files: readonly ReleaseFile[];
  /** The image by its digest, if it is in a registry: "quay.io/openshift-release-dev/ocp-release@sha256:...". */
  readonly pullSpec: string;
  /** What a signature signs: the digest of the image, or of the list of images that the reference names. Unknown for docker's archives. */
  readonly digest?: string;
};

type Reading = LazySources & {
  readonly text: string;
  readonly reference: ImageReference;
  readonly cache: ImageCache;
  readonly options: ImageOptions;
};

/**
 * Reads the manifests of a release image from a registry, a folder or an archive, and only the layers that hold them. Every digest is
 * verified, and what was read before comes from the cache. Nothing of the image is executed. Throws a FailedError of one line.
 */
export async function readReleaseImage(text: string, cache: ImageCache, options: ImageOptions): Promise<ReleaseImage> {
  const reference = parseImageReference(text);
  const { folder, files, digest } = await withLazySources(
    reference,
    cache,
    options,
    (sources) => readRelease({ text, reference, ...sources, cache, options }),
    (release) => release.folder,
  );
  const pullSpec = reference.kind === "registry" ? formatRegistryReference({ ...reference, digest }) : text;
  return { folder, files, pullSpec, digest: reference.kind === "docker-archive" ? undefined : digest };
}

/** Whether the cache has the image that a digest names, whichever registry it came from. */
export async function isReleaseCached(text: string, cache: ImageCache, options: ImageOptions): Promise<boolean> {
  const reference = parseImageReference(text);
  const getSources = async (): Promise<ImageSources> => ({ sources: [], close: () => undefined });
  try {
    await readRelease({ text, reference, getSources, cache, createPartial: cache.createPartial, options });
    return true;
  } catch (thrown) {
    if (thrown instanceof FailedError) return false;
    throw thrown;
  }
}

async function readRelease(reading: Reading): Promise<CachedRelease & { readonly digest: string }> {
  const { text, reference, cache, options } = reading;
  const named = await readManifest(reading, reference.kind === "registry" ? reference.digest : undefined);
  const image =
    named.manifest.kind === "list"
      ? await readManifest(
          reading,
          selectPlatform(named.manifest.manifests, options.arch, options.machine, text).digest,
        )
      : named;
  if (image.manifest.kind === "list")
    throw new FailedError(`${text} is a list of lists of images, which can't be read`);
  const release = cache.findRelease(image.digest) ?? (await readLayers(reading, image.manifest.layers, image.digest));
  return { ...release, digest: named.digest };
}

async function readManifest(
  { text, cache, getSources, options }: Reading,
  named: string | undefined,
): Promise<{ readonly manifest: ImageManifest; readonly digest: string }> {
  const { text: content, digest } = await readCachedManifest(getSources, named, cache, options);
  return { manifest: parseImageManifest(content, text), digest };
}

/** The release's own manifests are in the topmost layer, the operator's in one below. */
async function readLayers(reading: Reading, layers: readonly Descriptor[], digest: string): Promise<CachedRelease> {
  const { text, cache, createPartial, getSources, options } = reading;
  const { sources } = await getSources();
  const partial = await createPartial();
  const files = createReleaseFiles(partial);
  for (const [index, layer] of layers.toReversed().entries()) {
    const name = formatBlobName("layer", layer);
    await tryEachSource(sources, options.signal, (source) => {
      const content = verifyContent(source.readBlob(layer), layer, `${name} from ${source.name}`);
      return files.addLayer(reportProgress(content, layer, index + 1, options), `${name} from ${source.name}`);
    });
    if (files.isWhole()) break;
  }
  const listed = files.list();
  if (!listed.some(({ path }) => path === "release-manifests/release-metadata"))
    throw new FailedError(`${text} is not a release image: none of its layers has release-manifests/release-metadata`);
  return cache.addRelease(digest, partial, listed);
}

async function* reportProgress(
  content: AsyncIterable<Uint8Array>,
  { size: totalBytes }: Descriptor,
  layer: number,
  { onProgress, signal }: ImageOptions,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  for await (const chunk of content) {
    receivedBytes += chunk.length;
    if (signal.aborted) throw new FailedError(formatError(signal.reason));
    onProgress?.({ layer, receivedBytes, totalBytes });
    yield chunk;
  }
}
