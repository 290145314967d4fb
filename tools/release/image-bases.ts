import { parseRegistryReference, type RegistryReference } from "../../src/release/image/reference.ts";
import type { ImageOptions } from "../../src/release/image/image-options.ts";
import { openRegistrySources } from "../../src/release/image/registry/registry-source.ts";

/** An image that the Dockerfile begins with: `ARG name=image`, or what a release was told to take instead. */
export type ImageBase = { readonly name: string; readonly image: string };

const BASE = /^(ARG (\w+)=)(\S+\/\S+)$/gm;
/** Docker Hub serves its API under another name than its images have. */
const API_HOSTS: Readonly<Record<string, string>> = { "docker.io": "registry-1.docker.io" };

export function findBases(dockerfile: string): readonly ImageBase[] {
  return [...dockerfile.matchAll(BASE)].map(([, , name = "", image = ""]) => ({ name, image }));
}

/** A tag is whatever its registry says today, so a release takes images by their digests alone. Throws if one has none. */
export function requireDigests(bases: readonly ImageBase[]): void {
  const moving = bases.filter(({ image }) => parseRegistryReference(image).digest === undefined);
  if (moving.length === 0) return;
  const named = moving.map(({ name, image }) => `${name} ${image}`).join(", ");
  throw new Error(
    `a release takes image bases by their digests alone, and these have none: ${named}. Add @sha256:..., or run 'npm run release:bases', which writes today's digests of the Dockerfile's tags`,
  );
}

/** The Dockerfile with the digest that each base's tag has today in its registry. */
export async function renewDigests(dockerfile: string, options: ImageOptions): Promise<string> {
  const bases = findBases(dockerfile);
  if (bases.length === 0)
    throw new Error("the Dockerfile names no base: expected lines such as ARG BASE=HOST/REPOSITORY:TAG");
  const renewed = new Map<string, string>();
  for (const { image } of bases) renewed.set(image, await renewDigest(image, options));
  return dockerfile.replaceAll(
    BASE,
    (_line, start: string, _name, image: string) => start + (renewed.get(image) ?? image),
  );
}

async function renewDigest(image: string, options: ImageOptions): Promise<string> {
  const { host, repository, tag, kind } = parseRegistryReference(image);
  if (tag === undefined) throw new Error(`${image} has no tag whose digest could be read`);
  const reference: RegistryReference = { kind, host: API_HOSTS[host] ?? host, repository, tag };
  const { sources, close } = await openRegistrySources([reference], options);
  try {
    const digests = await Promise.all(sources.map((source) => source.readManifest()));
    return `${host}/${repository}:${tag}@${digests[0]?.digest}`;
  } finally {
    close();
  }
}
