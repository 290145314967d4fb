import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readManifests } from "../../../src/manifests/files/read-manifests.ts";
import type { FileManifest } from "../../../src/manifests/files/parse-manifests.ts";
import { textAt } from "../../../src/model/json.ts";
import type { ManifestPlace, UnreadManifest } from "../../../src/model/manifest.ts";

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export async function readAll(
  paths: readonly string[],
  stdin = "",
): Promise<readonly (FileManifest | UnreadManifest)[]> {
  return collect(readManifests(paths, toChunks(Buffer.from(stdin))));
}

export async function* toChunks(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** "a.yaml:1:1 Deployment", or "a.yaml:1:1 NotRendered: why"; without the folder. */
export function describeManifest(item: FileManifest | UnreadManifest, folder = ""): string {
  const text =
    "object" in item
      ? `${formatPlace(item.locate([]))} ${textAt(item.object, "kind")}`
      : `${formatPlace(item.place)} ${item.reason}: ${item.message}`;
  return folder === "" ? text : text.replaceAll(`${folder}/`, "");
}

export function formatPlace({ file, line, column, source }: ManifestPlace): string {
  return `${file}:${line}:${column}${source === undefined ? "" : ` (${source})`}`;
}
