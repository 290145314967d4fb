import { join } from "node:path";
import { type Json, type JsonObject, byText, isObject, listAt, textAt } from "../model/json.ts";
import { type Version, parseVersion } from "../model/version.ts";
import { readBounded } from "./bounded-file.ts";
import { type DigestEntry, digestEntry } from "./digest.ts";
import type { Layout } from "./layout.ts";
import { type PayloadFailed, type PayloadOptions, invalidVersion, unreadable } from "./payload.ts";
import { parseDocuments } from "./yaml.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type Identity = {
  readonly kind: "identity";
  readonly version: Version;
  readonly kubernetes?: string;
  readonly digested: readonly DigestEntry[];
};

type Described = { readonly kind: "described"; readonly object: JsonObject; readonly digested: DigestEntry };
type Description = Described | { readonly kind: "absent" } | PayloadFailed;

/** Which release it is, from `release-metadata`, `image-references` and what was asked for. */
export async function readIdentity(layout: Layout, options: PayloadOptions): Promise<Identity | PayloadFailed> {
  const metadata = await readDescription(layout, "release-metadata");
  if (metadata.kind === "failed") return metadata;
  const images = await readDescription(layout, "image-references");
  if (images.kind === "failed") return images;
  const version = chooseVersion(metadata, images, options.targetVersion);
  if (version.kind === "failed") return version;
  const kubernetes = images.kind === "described" ? kubernetesVersion(images.object) : undefined;
  const digested = [metadata, images].flatMap((file) => (file.kind === "described" ? [file.digested] : []));
  return { kind: "identity", version: version.version, ...(kubernetes === undefined ? {} : { kubernetes }), digested };
}

async function readDescription(layout: Layout, name: string): Promise<Description> {
  const path = join(layout.main.path, name);
  const within = layout.sources.map((source) => source.real);
  const file = await readBounded(path, within, MAX_BYTES);
  if (file.kind === "refused") {
    if (file.reason === "Absent") return { kind: "absent" };
    return unreadable(`${path} ${file.message}: make it readable, or extract the release again`);
  }
  const parsed = parseDocuments(file.bytes.toString("utf8"));
  const object: Json | undefined = parsed.kind === "documents" ? parsed.documents[0] : undefined;
  if (isObject(object)) return { kind: "described", object, digested: digestEntry(name, file.bytes) };
  const why = parsed.kind === "invalid" ? parsed.message : "it holds no object";
  return unreadable(`${path} is damaged (${why}): extract the release again`);
}

type Chosen = { readonly kind: "version"; readonly version: Version } | PayloadFailed;

function chooseVersion(metadata: Description, images: Description, asked: string | undefined): Chosen {
  const stated = metadata.kind === "described" ? statedVersion(metadata.object) : undefined;
  if (stated?.kind === "failed") return stated;
  const named = images.kind === "described" ? textAt(images.object, "metadata", "name") : undefined;
  if (stated && named !== undefined && named !== stated.version.text) {
    return unreadable(
      `release-metadata says ${stated.version.text} and image-references says ${named}: extract one release into an empty folder`,
    );
  }
  if (asked === undefined)
    return stated ?? invalidVersion("the target folder has no release-metadata, so no version: give --target-version");
  const version = parseVersion(asked);
  if (!version) return invalidVersion(`--target-version ${asked} is no version such as 4.19.3: give one`);
  const found = stated?.version.text ?? named;
  if (found === undefined || found === asked) return { kind: "version", version };
  return invalidVersion(
    `--target-version ${asked} differs from the target folder's ${found}: leave it out, or give the folder of ${asked}`,
  );
}

function statedVersion(metadata: JsonObject): Chosen {
  const kind = textAt(metadata, "kind");
  if (kind !== "cincinnati-metadata-v0") {
    return unreadable(
      `release-metadata is of kind ${kind ?? "none"}, not cincinnati-metadata-v0: give an OpenShift release's folder`,
    );
  }
  const text = textAt(metadata, "version") ?? "";
  const version = parseVersion(text);
  return version
    ? { kind: "version", version }
    : invalidVersion(
        `release-metadata has ${JSON.stringify(text)} as version, which is none: extract the release again`,
      );
}

/** From the images' build labels ("kubernetes=1.33.4"): the kube-apiserver's own image counts, others only where all agree. */
function kubernetesVersion(images: JsonObject): string | undefined {
  const found = new Map<string, string>();
  for (const tag of listAt(images, "spec", "tags")) {
    const versions = textAt(tag, "annotations", "io.openshift.build.versions") ?? "";
    const version = /(?:^|,)\s*kubernetes=v?([^,\s]+)/.exec(versions)?.[1];
    if (version !== undefined && parseVersion(version)) found.set(textAt(tag, "name") ?? "", version);
  }
  const all = [...new Set(found.values())].toSorted(byText);
  return found.get("hyperkube") ?? (all.length === 1 ? all[0] : undefined);
}
