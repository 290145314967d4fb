import { FailedError } from "../../model/errors.ts";
import type { ImageOptions, ImageProgress } from "../../release/image/image-options.ts";
import { findUnusableMirrors, type Mirror, parseMirror } from "../../release/image/mirrors.ts";
import { parseImageReference, parseRegistryReference } from "../../release/image/reference.ts";
import type { ReleaseImage } from "../../release/image/release-image.ts";
import { buildImageOptions, openImageCache, parseFlag, type RegistryValues } from "../settings/release-settings.ts";
import type { ClusterSession } from "../client/connection.ts";
import { type Io, warn } from "../io/io.ts";
import { type ClusterMirrors, readClusterAuthorities, readClusterMirrors } from "../client/cluster-network.ts";
import { verifyImage } from "./image-signature.ts";
import { type TargetWithWarnings, readTarget, withVerification, failUnreadable } from "./target.ts";
import type { ListedRelease } from "../../model/route.ts";

/** `readTarget`: reads the folder of an image, such as from a cache. */
export type ImageValues = RegistryValues & { readonly readTarget?: typeof readTarget };

/** Reads a release image, by way of the cluster's mirrors, as a target. An image that can't be read is the cycle's failure. */
export async function readImageTarget(
  reference: string,
  session: ClusterSession<ImageValues>,
): Promise<TargetWithWarnings> {
  const { values, io, reader } = session;
  const given = parseMirrors(values);
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

/** The folder of an image that no cluster is needed for. Throws a FailedError if it can't be read. */
export async function readImageFolder(reference: string, values: RegistryValues, io: Io): Promise<string> {
  const image = await tryReadImage(reference, buildImageOptions(values, parseMirrors(values), io), io);
  if (image instanceof FailedError) throw new FailedError(`the release image can't be read: ${image.message}`);
  return image.folder;
}

function parseMirrors({ mirror }: RegistryValues): readonly Mirror[] {
  return parseFlag("mirror", () => mirror.map(parseMirror));
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

/** Reads the image that the update service names for a release. It has to be in a registry, and to be the release that the service says it is. */
export async function readListedImage(
  { version, image }: Pick<ListedRelease, "version" | "image">,
  session: ClusterSession<ImageValues>,
): Promise<TargetWithWarnings> {
  const fault = findReferenceFault(image);
  if (fault !== undefined)
    return failUnreadable(`the update service names an image for ${version.text} that can't be read: ${fault}`);
  const target = await readImageTarget(image, session);
  const actual = target.version?.text;
  if (target.kind === "failed" || actual === version.text) return target;
  const found = actual ?? "a release without a version";
  return failUnreadable(`the update service names ${image} as ${version.text}, but it is ${found}`);
}

function findReferenceFault(image: string): string | undefined {
  try {
    parseRegistryReference(image);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof FailedError) return thrown.message;
    throw thrown;
  }
}

const BAR_WIDTH = 20;

/** Shows the progress of a release image's layers on stderr if it is a terminal; `done` clears the line. */
export function createImageProgress(io: Io): {
  readonly onProgress: (progress: ImageProgress) => void;
  readonly done: () => void;
} {
  if (!io.isErrTerminal) return { onProgress: () => {}, done: () => {} };
  let shown = "";
  const onProgress = (progress: ImageProgress): void => {
    const line = formatImageProgress(progress);
    if (line !== shown) io.progress(line);
    shown = line;
  };
  return { onProgress, done: () => io.progress("") };
}

/** "Reading the release image, layer 2: [######--------------] 9.3 of 31.0 MiB" */
export function formatImageProgress({ layer, receivedBytes, totalBytes }: ImageProgress): string {
  const filled = Math.floor((BAR_WIDTH * receivedBytes) / Math.max(totalBytes, 1));
  const bar = "#".repeat(filled).padEnd(BAR_WIDTH, "-");
  return `Reading the release image, layer ${layer}: [${bar}] ${formatMebibytes(receivedBytes)} of ${formatMebibytes(totalBytes)} MiB`;
}

function formatMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
