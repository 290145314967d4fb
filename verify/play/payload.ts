import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPayload } from "../api-server/control-plane.ts";
import type { PlayedPair } from "./fault.ts";
import { NEWEST_MINOR } from "./played-pairs.ts";
import type { PlayedManifest } from "./releases.ts";

/**
 * The target as a folder. It names the Kubernetes that will really serve it, since that decides what is ratcheted. `changed`: manifests
 * that replace the release's, or are added to it. Returns the names of its files.
 */
export async function writePayload(
  folder: string,
  { target, emulated }: PlayedPair,
  changed: readonly PlayedManifest[],
): Promise<readonly string[]> {
  await createPayload(folder, target, `${target}.8`);
  const annotations = { "io.openshift.build.versions": `kubernetes=1.${emulated?.after ?? NEWEST_MINOR}.3` };
  const images = {
    kind: "ImageStream",
    apiVersion: "image.openshift.io/v1",
    metadata: { name: `${target}.8` },
    spec: { tags: [{ name: "hyperkube", annotations }] },
  };
  await writeFile(join(folder, "release-manifests/image-references"), JSON.stringify(images));
  for (const { file, manifest } of changed) {
    const part = file.includes("cluster-version-operator") ? "manifests" : "release-manifests";
    await writeFile(join(folder, part, file), JSON.stringify(manifest));
  }
  return readdir(join(folder, "release-manifests"));
}
