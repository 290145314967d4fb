import { join } from "node:path";
import { parseDocuments } from "../../encoding/yaml.ts";
import { type Json, type JsonObject, compareText, isObject, listAt, textAt } from "../../model/json.ts";
import { type Version, parseVersion } from "../../model/version.ts";
import { MAX_FILE_BYTES, readBoundedFile } from "./bounded-file.ts";
import { type DigestEntry, buildDigestEntry } from "./digest.ts";
import { type PayloadLayout, findPayloadLayout } from "./payload-layout.ts";
import { type PayloadFailure, type PayloadOptions, buildInvalidVersion, buildPayloadUnreadable } from "./payload.ts";

export type ReleaseIdentity = {
  readonly kind: "identity";
  readonly version: Version;
  readonly kubernetes?: string;
  readonly digestEntries: readonly DigestEntry[];
};

type ReleaseFile = { readonly kind: "described"; readonly object: JsonObject; readonly digestEntry: DigestEntry };
type ReleaseFileResult = ReleaseFile | { readonly kind: "absent" } | PayloadFailure;

/** The release's version, from `release-metadata`, `image-references` and the options. */
export function readReleaseIdentity(layout: PayloadLayout, options: PayloadOptions): ReleaseIdentity | PayloadFailure {
  const metadata = readReleaseFile(layout, "release-metadata");
  if (metadata.kind === "failed") return metadata;
  const images = readReleaseFile(layout, "image-references");
  if (images.kind === "failed") return images;
  const version = selectVersion(metadata, images, options.targetVersion);
  if (version.kind === "failed") return version;
  const kubernetes = images.kind === "described" ? findKubernetesVersion(images.object) : undefined;
  const digestEntries = [metadata, images].flatMap((file) => (file.kind === "described" ? [file.digestEntry] : []));
  return {
    kind: "identity",
    version: version.version,
    kubernetes,
    digestEntries,
  };
}

function readReleaseFile(layout: PayloadLayout, name: string): ReleaseFileResult {
  const path = join(layout.main.path, name);
  const within = layout.sources.map((source) => source.real);
  const file = readBoundedFile(path, within, MAX_FILE_BYTES);
  if (file.kind === "refused") {
    if (file.reason === "Absent") return { kind: "absent" };
    return buildPayloadUnreadable(`${path} ${file.message}: make it readable, or extract the release again`);
  }
  const parsed = parseDocuments(file.bytes.toString("utf8"));
  const object: Json | undefined = parsed.kind === "documents" ? parsed.documents[0] : undefined;
  if (isObject(object)) return { kind: "described", object, digestEntry: buildDigestEntry(name, file.bytes) };
  const why = parsed.kind === "invalid" ? parsed.message : "it does not contain an object";
  return buildPayloadUnreadable(`${path} is damaged (${why}): extract the release again`);
}

type VersionResult = { readonly kind: "version"; readonly version: Version } | PayloadFailure;

function selectVersion(
  metadata: ReleaseFileResult,
  images: ReleaseFileResult,
  requestedVersion: string | undefined,
): VersionResult {
  const metadataVersion = metadata.kind === "described" ? parseMetadataVersion(metadata.object) : undefined;
  if (metadataVersion?.kind === "failed") return metadataVersion;
  const imagesVersion = images.kind === "described" ? textAt(images.object, "metadata", "name") : undefined;
  if (metadataVersion && imagesVersion !== undefined && imagesVersion !== metadataVersion.version.text) {
    return buildPayloadUnreadable(
      `release-metadata names ${metadataVersion.version.text}, but image-references names ${imagesVersion}: extract one release into an empty folder`,
    );
  }
  if (requestedVersion === undefined)
    return (
      metadataVersion ??
      buildInvalidVersion("the target folder has no release-metadata and thus no version: give --target-version")
    );
  const version = parseVersion(requestedVersion);
  if (!version) return buildInvalidVersion(`--target-version ${requestedVersion} is not a version such as 4.19.3`);
  const folderVersion = metadataVersion?.version.text ?? imagesVersion;
  if (folderVersion === undefined || folderVersion === requestedVersion) return { kind: "version", version };
  return buildInvalidVersion(
    `--target-version ${requestedVersion} differs from the target folder's ${folderVersion}: omit it, or give the folder of ${requestedVersion}`,
  );
}

function parseMetadataVersion(metadata: JsonObject): VersionResult {
  const kind = textAt(metadata, "kind");
  if (kind !== "cincinnati-metadata-v0") {
    return buildPayloadUnreadable(
      `release-metadata is of kind ${kind ?? "none"}, not cincinnati-metadata-v0: give an OpenShift release's folder`,
    );
  }
  const text = textAt(metadata, "version") ?? "";
  const version = parseVersion(text);
  return version
    ? { kind: "version", version }
    : buildInvalidVersion(
        `release-metadata names the version ${JSON.stringify(text)}, which is not a version: extract the release again`,
      );
}

/** The version in the images' build labels ("kubernetes=1.33.4"): that of the kube-apiserver's image, or of the others if all agree. */
function findKubernetesVersion(images: JsonObject): string | undefined {
  const byImage = new Map<string, string>();
  for (const tag of listAt(images, "spec", "tags")) {
    const versions = textAt(tag, "annotations", "io.openshift.build.versions") ?? "";
    const version = /(?:^|,)\s*kubernetes=v?([^,\s]+)/.exec(versions)?.[1];
    if (version !== undefined && parseVersion(version)) byImage.set(textAt(tag, "name") ?? "", version);
  }
  const all = [...new Set(byImage.values())].toSorted(compareText);
  return byImage.get("hyperkube") ?? (all.length === 1 ? all[0] : undefined);
}

export type ReleaseVersionResult = { readonly kind: "version"; readonly version: Version } | PayloadFailure;

/** The version of a release's folder, without reading its manifests. */
export async function readReleaseVersion(folder: string): Promise<ReleaseVersionResult> {
  const layout = await findPayloadLayout([folder]);
  if (layout.kind === "failed") return layout;
  const identity = readReleaseIdentity(layout.layout, {});
  return identity.kind === "failed" ? identity : { kind: "version", version: identity.version };
}
