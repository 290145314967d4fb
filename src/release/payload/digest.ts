import { hash } from "node:crypto";
import { compareText } from "../../model/json.ts";

/** A file's name relative to its own source folder, and the sha256 of its content, hexadecimal. */
export type DigestEntry = { readonly name: string; readonly contentDigest: string };

export function buildDigestEntry(name: string, bytes: Uint8Array): DigestEntry {
  return { name, contentDigest: hash("sha256", bytes) };
}

/** The entry of a file by its path, "manifests/NAME", and the digest of its content, "sha256:...". */
export function parseDigestEntry({ path, digest }: { readonly path: string; readonly digest: string }): DigestEntry {
  return { name: path.slice(path.indexOf("/") + 1), contentDigest: digest.slice("sha256:".length) };
}

/**
 * The digest of a payload: sha256 over one JSON line ["name","sha256 of the content"] per file, sorted. The files are all .yaml, .yml and
 * .json files, release-metadata and image-references, unchanged; one that was refused counts as "unread". Names are relative to
 * `manifests/`, `release-manifests/` or the plain folder, so the digest does not depend on where these are mounted.
 * `oc adm release extract` leaves out `manifests/`, so its output has another digest.
 */
export function computeDigest(entries: readonly DigestEntry[]): string {
  const lines = entries.map((entry) => `${JSON.stringify([entry.name, entry.contentDigest])}\n`).toSorted(compareText);
  return `sha256:${hash("sha256", lines.join(""))}`;
}
