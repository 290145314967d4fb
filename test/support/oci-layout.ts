import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestImage } from "./image-builder.ts";

/** Writes images as an OCI layout: `index.json`, and every blob under its digest. */
export function writeLayout(folder: string, images: Readonly<Record<string, TestImage>>): string {
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  const manifests = Object.entries(images).map(([name, image]) => {
    for (const { digest, bytes } of [image.manifest, image.config, ...image.layers])
      writeFileSync(join(folder, "blobs", digest.replace(":", "/")), bytes);
    const { digest, bytes } = image.manifest;
    return {
      digest,
      size: bytes.length,
      mediaType: image.manifestType,
      annotations: { "org.opencontainers.image.ref.name": name },
    };
  });
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  return folder;
}
