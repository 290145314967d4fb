import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { computeSha256 } from "./downloads.ts";
import type { Bom, Component } from "./sbom.ts";

type Descriptor = { readonly digest: string };
type ImageManifest = { readonly config: Descriptor; readonly layers: readonly Descriptor[] };
type ImageConfig = {
  readonly config?: { readonly Env?: readonly string[]; readonly Labels?: Readonly<Record<string, string>> };
};
type Files = ReadonlyMap<string, Uint8Array>;

/** What dpkg has installed, in one file or, in images without dpkg itself, in a file each. */
const DPKG = /^(?:\.\/)?var\/lib\/dpkg\/(?:status|status\.d\/[^/]+)$/;

/**
 * The CycloneDX bill of materials of an image in an OCI archive: the software of `bom`, the base, its Node and its Debian packages. A base
 * whose packages can't be listed is said to be incomplete.
 */
export async function buildImageSbom(bom: Bom, archive: Uint8Array, base: string): Promise<Bom> {
  const { layers, config } = await readImage(archive);
  const packages = (await Promise.all(layers.map(readDebianPackages))).flat();
  const root = {
    ...bom.metadata.component,
    "bom-ref": "image",
    type: "container",
    purl: undefined,
    hashes: [{ alg: "SHA-256", content: computeSha256(archive) }],
  };
  // The Node of the single executables: the image's own is the base's.
  const software = bom.components.filter(({ name }) => !name.startsWith("node-linux-"));
  return {
    ...bom,
    metadata: { ...bom.metadata, component: root },
    components: [...software, describeBase(base), ...describeNode(config), ...packages],
    dependencies: [],
    compositions: [{ aggregate: packages.length > 0 ? "complete" : "incomplete", assemblies: ["image"] }],
  };
}

async function readImage(archive: Uint8Array): Promise<{ layers: readonly Uint8Array[]; config: ImageConfig }> {
  const entries = await unpackTar(archive);
  const files: Files = new Map(
    entries.flatMap(({ header, data }) => (data ? [[header.name.replace(/^\.\//, ""), data]] : [])),
  );
  const index: { readonly manifests: readonly Descriptor[] } = JSON.parse(readText(files, "index.json"));
  const manifest: ImageManifest = JSON.parse(readText(files, toBlobPath(index.manifests[0])));
  const config: ImageConfig = JSON.parse(readText(files, toBlobPath(manifest.config)));
  return { layers: manifest.layers.map((layer) => unpackLayer(readFile(files, toBlobPath(layer)))), config };
}

function toBlobPath(descriptor: Descriptor | undefined): string {
  return `blobs/${descriptor?.digest.replace(":", "/")}`;
}

function readFile(files: Files, path: string): Uint8Array {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`the image's archive has no ${path}`);
  return bytes;
}

function readText(files: Files, path: string): string {
  return Buffer.from(readFile(files, path)).toString("utf8");
}

function unpackLayer(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

async function readDebianPackages(layer: Uint8Array): Promise<readonly Component[]> {
  const entries = await unpackTar(layer, { filter: ({ name }) => DPKG.test(name) });
  const texts = entries.map(({ data }) => Buffer.from(data ?? []).toString("utf8"));
  return texts.flatMap((text) => text.split(/\n\n+/)).flatMap(describeDebianPackage);
}

function describeDebianPackage(paragraph: string): readonly Component[] {
  const find = (field: string): string | undefined => new RegExp(`^${field}: (.+)$`, "m").exec(paragraph)?.[1];
  const name = find("Package");
  const version = find("Version");
  const status = find("Status") ?? "installed";
  if (name === undefined || version === undefined || !status.endsWith("installed")) return [];
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${find("Architecture") ?? "all"}`;
  return [{ "bom-ref": purl, type: "library", name, version, purl }];
}

function describeBase(base: string): Component {
  const [name = base, digest] = base.split("@");
  return { "bom-ref": `base:${base}`, type: "container", name, ...(digest === undefined ? {} : { version: digest }) };
}

/** Node is no Debian package in the usual bases: its image names the version in the environment, the local base in a label. */
function describeNode({ config = {} }: ImageConfig): readonly Component[] {
  const version =
    config.Env?.find((one) => one.startsWith("NODE_VERSION="))?.slice("NODE_VERSION=".length) ??
    config.Labels?.["node"]?.replace(/^v/, "");
  return version === undefined
    ? []
    : [{ "bom-ref": `node@${version}`, type: "platform", name: "node", version, purl: `pkg:generic/node@${version}` }];
}
