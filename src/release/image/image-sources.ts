import { removeFolder } from "../../files/private-folder.ts";
import { FailedError } from "../../model/errors.ts";
import { openArchive } from "./archive-source.ts";
import type { ImageCache } from "./image-cache.ts";
import type { ImageSource, RawManifest } from "./image-manifest.ts";
import type { ImageOptions } from "./image-options.ts";
import { createLayoutSource } from "./layout-source.ts";
import { selectCandidates } from "./mirrors.ts";
import type { ImageReference, RegistryReference } from "./reference.ts";
import { openRegistrySources } from "./registry/registry-source.ts";

export type ImageSources = {
  /** In the order in which they are tried. */
  readonly sources: readonly ImageSource[];
  readonly close: () => void;
};

/** Opens the places that may have an image. `createFolder` makes a temporary folder, for an archive's content. */
async function openImageSources(
  reference: ImageReference,
  options: ImageOptions,
  createFolder: () => Promise<string>,
): Promise<ImageSources> {
  switch (reference.kind) {
    case "registry":
      return openRegistrySources(requireCandidates(reference, options), options);
    case "oci":
      return { sources: [createLayoutSource(reference.path, reference)], close: () => undefined };
    case "oci-archive":
    case "docker-archive":
      return {
        sources: [await openArchive(reference, await createFolder(), options.maxArchiveBytes)],
        close: () => undefined,
      };
  }
}

function requireCandidates(reference: RegistryReference, { mirrors = [] }: ImageOptions): readonly RegistryReference[] {
  const candidates = selectCandidates(reference, mirrors);
  if (candidates.length > 0) return candidates;
  throw new FailedError(
    `the cluster forbids ${reference.host} (NeverContactSource), and none of its mirrors can be used: correct them`,
  );
}

/** Tries a source after the other; the error names why each failed. */
export async function tryEachSource<T>(
  sources: readonly ImageSource[],
  signal: AbortSignal,
  attempt: (source: ImageSource) => Promise<T>,
): Promise<T> {
  const failures: FailedError[] = [];
  for (const source of sources) {
    try {
      return await attempt(source);
    } catch (thrown) {
      if (!(thrown instanceof FailedError) || signal.aborted) throw thrown;
      failures.push(thrown);
    }
  }
  const [only] = failures;
  if (only && failures.length === 1) throw only;
  throw new FailedError(failures.map(({ message }) => message).join("; "));
}

/** The manifest with a digest, which may be cached, or the one that the reference names. Sources are opened only for what is not cached. */
export async function readCachedManifest(
  getSources: () => Promise<ImageSources>,
  digest: string | undefined,
  cache: ImageCache,
  { signal }: ImageOptions,
): Promise<RawManifest> {
  const cached = digest === undefined ? undefined : cache.findContent(digest);
  if (digest !== undefined && cached !== undefined) return { text: cached.toString("utf8"), digest };
  const { sources } = await getSources();
  const raw = await tryEachSource(sources, signal, (source) => source.readManifest(digest));
  await cache.addContent(raw.digest, Buffer.from(raw.text));
  return raw;
}

/** What reads an image whose parts may all be in the cache. */
export type LazySources = {
  /** Opened only for what is not in the cache. */
  readonly getSources: () => Promise<ImageSources>;
  /** A folder that is removed in the end, unless the result keeps it. */
  readonly createPartial: () => Promise<string>;
};

/** Closes what was opened, and removes the folders that were made, but for the one that `getFolder` finds in the result. */
export async function withLazySources<T>(
  reference: ImageReference,
  cache: ImageCache,
  options: ImageOptions,
  read: (sources: LazySources) => Promise<T>,
  getFolder: (result: T) => string | undefined = () => undefined,
): Promise<T> {
  const partials: string[] = [];
  const createPartial = async (): Promise<string> => {
    const partial = await cache.createPartial();
    partials.push(partial);
    return partial;
  };
  let opened: Promise<ImageSources> | undefined;
  const getSources = (): Promise<ImageSources> => (opened ??= openImageSources(reference, options, createPartial));
  let kept: string | undefined;
  try {
    const result = await read({ getSources, createPartial });
    kept = getFolder(result);
    return result;
  } finally {
    await opened?.then(
      ({ close }) => close(),
      () => undefined,
    );
    for (const partial of partials) if (partial !== kept) removeFolder(partial);
  }
}
