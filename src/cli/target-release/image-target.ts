import { FailedError } from "../../model/errors.ts";
import type { ImageOptions } from "../../release/image/image-options.ts";
import { findUnusableMirrors, type Mirror, parseMirror } from "../../release/image/mirrors.ts";
import { parseImageReference } from "../../release/image/reference.ts";
import type { ReleaseImage } from "../../release/image/release-image.ts";
import { buildImageOptions, openImageCache, parseFlag, type RegistryValues } from "../settings/image-options.ts";
import type { ClusterSession } from "../client/connection.ts";
import { createImageProgress } from "../io/image-progress.ts";
import type { Io } from "../io/io.ts";
import { warn } from "../io/error-report.ts";
import { readClusterAuthorities } from "./cluster-authorities.ts";
import { type ClusterMirrors, readClusterMirrors } from "./cluster-mirrors.ts";
import { verifyImage } from "./image-signature.ts";
import { type TargetWithWarnings, readTarget, withVerification } from "./target.ts";

/** `readTarget`: reads the folder of an image, such as from a cache. */
export type ImageValues = RegistryValues & { readonly readTarget?: typeof readTarget };

/** Reads a release image, by way of the cluster's mirrors, as a target. An image that can't be read is the cycle's failure. */
export async function readImageTarget(
  reference: string,
  session: ClusterSession<ImageValues>,
): Promise<TargetWithWarnings> {
  const { values, io, reader } = session;
  const given = parseFlag("mirror", () => values.mirror.map(parseMirror));
  const parsed = parseFlag("to-image", () => parseImageReference(reference));
  const clusterMirrors = await readClusterMirrors(reader, io.stopSignal);
  if (clusterMirrors.failure) return { kind: "failed", failure: clusterMirrors.failure };
  const mirrors = [...given, ...clusterMirrors.mirrors];
  if (parsed.kind === "registry") warnOfMirrors(findUnusableMirrors(parsed, mirrors), io);
  const authorities = clusterMirrors.mirrors.length === 0 ? [] : await readClusterAuthorities(reader, io.stopSignal);
  const options = { ...buildImageOptions(values, mirrors, io), authorities };
  const image = await tryReadImage(reference, options, io);
  if (image instanceof FailedError) return failUnreadImage(reference, image, clusterMirrors, io);
  const { folder, files, pullSpec, digest } = image;
  const target = await (values.readTarget ?? readTarget)({
    folders: [folder],
    files,
    version: undefined,
    image: pullSpec,
  });
  if (target.kind === "failed") return target;
  return withVerification(target, await verifyImage(digest, session, options));
}

function warnOfMirrors(unusable: readonly Mirror[], io: Io): void {
  for (const { source, mirror } of unusable)
    warn(`the mirror "${mirror}" of ${source} names no repository of a registry: it is left out`, io);
}

async function tryReadImage(reference: string, options: ImageOptions, io: Io): Promise<ReleaseImage | FailedError> {
  const { readReleaseImage } = await import("../../release/image/release-image.ts");
  const cache = await openImageCache(io);
  const progress = createImageProgress(io);
  try {
    return await readReleaseImage(reference, cache, { ...options, onProgress: progress.onProgress });
  } catch (thrown) {
    if (thrown instanceof FailedError) return thrown;
    throw thrown;
  } finally {
    progress.done();
  }
}

/** Whether an image that a digest names is in the cache, whichever cluster's mirror delivered it. */
export async function isImageCached(reference: string, values: ImageValues, io: Io): Promise<boolean> {
  const { isReleaseCached } = await import("../../release/image/release-image.ts");
  return isReleaseCached(reference, await openImageCache(io), buildImageOptions(values, [], io));
}

function failUnreadImage(
  image: string,
  { message }: FailedError,
  { problems }: ClusterMirrors,
  io: Io,
): TargetWithWarnings {
  for (const problem of problems) warn(problem, io);
  return {
    kind: "failed",
    failure: { reason: "PayloadUnreadable", message: `the release image can't be read: ${message}`, image },
  };
}
