import { createHash } from "node:crypto";
import { compareText } from "../../src/model/json.ts";
import type { BuildPlatform } from "./platform.ts";

/** A file of a release as the manifests name it. */
export type Download = { readonly url: string; readonly sha256: string };
export type PlatformDownload = Download & { readonly platform: BuildPlatform };

export function computeSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** As `sha256sum --check` reads it. */
export function formatSums(files: readonly { readonly name: string; readonly sha256: string }[]): string {
  const sorted = files.toSorted((a, b) => compareText(a.name, b.name));
  return sorted.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}
