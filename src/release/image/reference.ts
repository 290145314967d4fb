import { FailedError } from "../../model/errors.ts";

/** An image in a registry. It has a tag or a digest, or both; the digest then decides. */
export type RegistryReference = {
  readonly kind: "registry";
  readonly host: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
};

/** An image in a folder or a file. `name` selects one of several images. */
export type LocalReference = {
  readonly kind: "oci" | "oci-archive" | "docker-archive";
  readonly path: string;
  readonly name?: string;
};

export type ImageReference = RegistryReference | LocalReference;

const LOCAL = /^(oci|oci-archive|docker-archive):(.+)$/s;
const HOST = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+|\[[0-9a-f:.]+\]|[a-z0-9-]+(?=:\d))(?::\d{1,5})?$/i;
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const MAX_REPOSITORY_LENGTH = 255;

const FORMS = "use HOST/REPOSITORY:TAG, HOST/REPOSITORY@sha256:..., oci:DIR, oci-archive:FILE or docker-archive:FILE";

/** Parses a reference as podman and skopeo write it. Throws a FailedError: a host is required, since short names mean something else on each machine. */
export function parseImageReference(text: string): ImageReference {
  const local = LOCAL.exec(text);
  return local ? parseLocal(local[1], local[2] ?? "") : parseRegistryReference(text.replace(/^docker:\/\//, ""));
}

function parseLocal(transport: string | undefined, rest: string): LocalReference {
  const kind = transport === "oci" || transport === "oci-archive" ? transport : "docker-archive";
  const colon = rest.indexOf(":");
  if (colon < 0) return { kind, path: rest };
  if (colon === 0) throw new FailedError(`${kind}:${rest} names no file or folder: ${FORMS}`);
  return { kind, path: rest.slice(0, colon), name: rest.slice(colon + 1) };
}

export function parseRegistryReference(text: string): RegistryReference {
  const { host, repository, tag, digest } = splitReference(text);
  const isValid = isHost(host) && isRepository(repository);
  if (!isValid || (tag !== undefined && !TAG.test(tag)) || (digest !== undefined && !isDigest(digest)))
    throw new FailedError(`"${text}" is not an image reference: ${FORMS}`);
  if (tag === undefined && digest === undefined)
    throw new FailedError(`"${text}" names no image of its repository: add :TAG or @sha256:...`);
  return {
    kind: "registry",
    host: host.toLowerCase(),
    repository,
    tag,
    digest,
  };
}

/** HOST/REPOSITORY, without a tag and a digest. */
export function isRepositoryPath(text: string): boolean {
  const { host, repository, tag, digest } = splitReference(text);
  return isHost(host) && isRepository(repository) && tag === undefined && digest === undefined;
}

/** A URL refuses some hosts that look like one, and takes "1.2.3" for the address 1.2.0.3. */
function isHost(text: string): boolean {
  if (!HOST.test(text) || !URL.canParse(`https://${text}`)) return false;
  const { hostname } = new URL(`https://${text}`);
  return hostname.startsWith("[") || hostname === text.toLowerCase().replace(/:\d+$/, "");
}

function splitReference(text: string): {
  readonly host: string;
  readonly repository: string;
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
} {
  const [name = "", digest] = split(text, text.indexOf("@"));
  const slash = name.indexOf("/");
  const path = name.slice(slash + 1);
  const [repository = "", tag] = split(path, path.lastIndexOf(":"));
  return { host: slash < 0 ? "" : name.slice(0, slash), repository, tag, digest };
}

function split(text: string, index: number): readonly string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function isRepository(text: string): boolean {
  return text.length <= MAX_REPOSITORY_LENGTH && REPOSITORY.test(text);
}

export function isDigest(text: string): boolean {
  return /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);
}

/** "quay.io/openshift-release-dev/ocp-release@sha256:...", or with the tag if the digest is not known. */
export function formatRegistryReference({ host, repository, tag, digest }: RegistryReference): string {
  return `${host}/${repository}${digest === undefined ? `:${tag ?? ""}` : `@${digest}`}`;
}
