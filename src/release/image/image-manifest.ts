import { FailedError } from "../../model/errors.ts";
import { type Json, at, findOwn, isList, isObject, listAt, numberAt, parseObject, textAt } from "../../model/json.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { isDigest } from "./reference.ts";

/** A blob or a manifest by its content. */
export type Descriptor = { readonly digest: string; readonly size: number };

export type PlatformManifest = Descriptor & { readonly os: string; readonly architecture: string };

/** An image, or a list of images for several architectures. Docker's and OCI's forms have the same fields. */
export type ImageManifest =
  | { readonly kind: "image"; readonly config: Descriptor; readonly layers: readonly Descriptor[] }
  | { readonly kind: "list"; readonly manifests: readonly PlatformManifest[] };

export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/**
 * Of an image's layers, packed as well as unpacked. The operator's image, on which a release image adds some 20 MiB of manifests, has far
 * less than 1 GiB: all of a release's 190 images together are given as 23 GiB.
 */
export const MAX_IMAGE_BYTES = 4 * 2 ** 30;
/** A base system with Python has some 50,000 files. */
export const MAX_IMAGE_FILES = 1_000_000;

/** Far more than the manifest of any image has. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_LAYERS = 256;

/** Parses a manifest. Throws a FailedError whose message begins with `where`. */
export function parseImageManifest(text: string, where: string): ImageManifest {
  const value = parseObject(text);
  if (!value) throw new FailedError(`${where} is not an image manifest: it is not a JSON object`);
  if (numberAt(value, "schemaVersion") !== 2)
    throw new FailedError(`${where} has a manifest of schema 1, which can't be read: push or mirror the image again`);
  const layers = at(value, "layers");
  const manifests = at(value, "manifests");
  // An image and a list at once would mean one thing here and another elsewhere.
  if (isList(layers) === isList(manifests)) throw new FailedError(`${where} is neither an image nor a list of images`);
  if (isList(manifests)) return { kind: "list", manifests: manifests.flatMap((one) => parsePlatformManifest(one)) };
  const config = parseDescriptor(at(value, "config"));
  const parsed = listAt(value, "layers").map(parseDescriptor);
  const known = parsed.filter((layer) => layer !== undefined);
  if (!config || known.length !== parsed.length || parsed.length > MAX_LAYERS)
    throw new FailedError(`${where} has a manifest with an invalid layer or config`);
  if (known.reduce((sum, { size }) => sum + size, 0) > MAX_IMAGE_BYTES)
    throw new FailedError(
      `${where} has layers of more than ${MAX_IMAGE_BYTES / 2 ** 30} GiB, unlike any release image`,
    );
  return { kind: "image", config, layers: known };
}

function parsePlatformManifest(value: Json): readonly PlatformManifest[] {
  const descriptor = parseDescriptor(value);
  if (!descriptor) return [];
  const os = textAt(value, "platform", "os") ?? "";
  const architecture = textAt(value, "platform", "architecture") ?? "";
  return [{ ...descriptor, os, architecture }];
}

export function parseDescriptor(value: Json | undefined): Descriptor | undefined {
  if (!isObject(value)) return undefined;
  const digest = textAt(value, "digest");
  const size = numberAt(value, "size");
  if (digest === undefined || !isDigest(digest)) return undefined;
  return size !== undefined && Number.isSafeInteger(size) && size >= 0 ? { digest, size } : undefined;
}

/** Node's names of the architectures for which OpenShift has releases, in the names of images. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ppc64: "ppc64le" };
/** As `uname -m` and oc write them. */
const SYNONYMS: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/**
 * Selects the image for an architecture. Without one, the machine's own, or else the first: the manifests of a release are nearly the
 * same for each. Throws a FailedError if the list has none for it.
 */
export function selectPlatform(
  manifests: readonly PlatformManifest[],
  arch: string | undefined,
  machine: string,
  where: string,
): Descriptor {
  const linux = manifests.filter(({ os }) => os === "linux");
  const wanted = arch === undefined ? (ARCHITECTURES[machine] ?? machine) : (findOwn(SYNONYMS, arch) ?? arch);
  const match =
    linux.find(({ architecture }) => architecture === wanted) ?? (arch === undefined ? linux[0] : undefined);
  if (match) return { digest: match.digest, size: match.size };
  const offered = sortNames(linux.map(({ architecture }) => architecture));
  const what = offered.length === 0 ? "no image for Linux" : `images for ${joinNames(offered)} only`;
  throw new FailedError(`${where} has ${what}${arch === undefined ? "" : `, and none for --arch ${arch}`}`);
}

/** A manifest as its source has it, with the digest of its bytes. */
export type RawManifest = { readonly text: string; readonly digest: string };

/** One place that has the image: a repository of a registry, a folder, an archive. Every function throws a FailedError of one line. */
export type ImageSource = {
  /** What messages call it: "quay.io/openshift-release-dev/ocp-release". */
  readonly name: string;
  /** The manifest that the reference names, or the one with this digest. */
  readonly readManifest: (digest?: string) => Promise<RawManifest>;
  /** The bytes of a blob, not yet verified. */
  readonly readBlob: (blob: Descriptor) => AsyncIterable<Uint8Array>;
};

/** "layer sha256:0123456789ab", short enough to find it in a line. */
export function formatBlobName(what: string, { digest }: Descriptor): string {
  return `${what} ${digest.slice(0, digest.indexOf(":") + 13)}`;
}
