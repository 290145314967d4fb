import { packFiles, storeAsGzip } from "../../encoding/tar-writer.ts";
import type { JsonObject } from "../../model/json.ts";
import { computeContentDigest } from "./verified-content.ts";

/** The media types of checks, or of a list of known bugs, as an artefact of a registry. */
export const ARTEFACT_TYPE = "application/vnd.openshift.preflight.checks.v1";
const LAYER_TYPE = "application/vnd.openshift.preflight.checks.layer.v1.tar+gzip";
const CONFIG_TYPE = "application/vnd.openshift.preflight.checks.config.v1+json";

/** Far more than all checks of a release have. */
export const MAX_ARTEFACT_BYTES = 16 << 20;
export const MAX_ARTEFACT_FILES = 5_000;

/** A YAML file by its path in the artefact: "storage/check.yaml", "storage/cases/risk-old-driver.yaml". */
export type ArtefactFile = { readonly path: string; readonly text: string };

export type Artefact = {
  /** Of its manifest: what a reference names and a signature signs. */
  readonly digest: string;
  readonly config: JsonObject;
  /** Sorted by path. */
  readonly files: readonly ArtefactFile[];
};

/** Names that mean the same in every file system; none leads out of a folder, and none is hidden. */
export function isArtefactPath(path: string): boolean {
  const parts = path.split("/");
  return parts.length <= 8 && path.length <= 240 && parts.every((part) => /^\w[\w.-]*$/.test(part));
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

type Blob = { readonly mediaType: string; readonly digest: string; readonly size: number; readonly bytes: Uint8Array };

/** An OCI layout as a tar. The same files and config give the same bytes. `name`: of the image in the layout. */
export async function packArtefact(
  files: readonly ArtefactFile[],
  config: JsonObject,
  name: string,
): Promise<{ readonly tar: Uint8Array; readonly digest: string }> {
  const tar = await packFiles(files.map(({ path, text }) => ({ name: path, bytes: Buffer.from(text) })));
  const layer = buildBlob(LAYER_TYPE, storeAsGzip(tar));
  const configBlob = buildBlob(CONFIG_TYPE, toBytes(config));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = buildBlob(
    mediaType,
    toBytes({
      schemaVersion: 2,
      mediaType,
      artifactType: ARTEFACT_TYPE,
      config: describe(configBlob),
      layers: [describe(layer)],
    }),
  );
  const annotations = { "org.opencontainers.image.ref.name": name };
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [{ ...describe(manifest), artifactType: ARTEFACT_TYPE, annotations }],
  };
  const layout = await packFiles([
    { name: "oci-layout", bytes: toBytes({ imageLayoutVersion: "1.0.0" }) },
    { name: "index.json", bytes: toBytes(index) },
    ...[manifest, configBlob, layer].map(({ digest, bytes }) => ({
      name: `blobs/${digest.replace(":", "/")}`,
      bytes,
    })),
  ]);
  return { tar: layout, digest: manifest.digest };
}

function buildBlob(mediaType: string, bytes: Uint8Array): Blob {
  return { mediaType, digest: computeContentDigest(bytes), size: bytes.length, bytes };
}

function describe({ mediaType, digest, size }: Blob): JsonObject {
  return { mediaType, digest, size };
}

function toBytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
