import type { Descriptor } from "./image-manifest.ts";

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
