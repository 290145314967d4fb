import { removeFolder } from "../../files/private-folder.ts";
import type { ImageCache } from "./image-cache.ts";
import type { ImageOptions } from "./image-options.ts";
import { type ImageSources, openImageSources } from "./image-sources.ts";
import type { ImageReference } from "./reference.ts";

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
