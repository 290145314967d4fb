import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError, errorCode } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import { type TarEntry, createTarBudget, visitTar } from "../../encoding/tar.ts";
import { MAX_IMAGE_BYTES, MAX_IMAGE_FILES } from "./image-manifest.ts";
import { computeContentDigest, readWhole } from "./verified-content.ts";

/** A file of a release image: `release-manifests/image-references`. */
export type ReleaseFile = { readonly path: string; readonly size: number; readonly digest: string };

/** Collects the files of a release from its image's layers, from the topmost down. */
export type ReleaseFiles = {
  /** Rejects without a trace of the layer if it can't be read to its end. */
  readonly addLayer: (content: AsyncIterable<Uint8Array>, what: string) => Promise<void>;
  /** Whether no lower layer can have more of them. */
  readonly isWhole: () => boolean;
  /** Sorted by path. */
  readonly list: () => readonly ReleaseFile[];
};

/** `release-manifests` is what `oc adm release new` adds; `manifests` is the cluster-version operator's own. */
export const RELEASE_FOLDERS = ["release-manifests", "manifests"];
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 20_000;
const WANTED_NAME = /^(?:[^/]+\.(?:yaml|yml|json)|release-metadata|image-references)$/;

/** Whether a release has files by this path: "manifests/NAME.yaml". */
export function isReleasePath(path: string): boolean {
  const [top = "", name = "", ...deeper] = path.split("/");
  return RELEASE_FOLDERS.includes(top) && WANTED_NAME.test(name) && deeper.length === 0;
}

type Layer = { readonly files: Map<string, ReleaseFile>; readonly hidden: Set<string>; bytes: number };

export function createReleaseFiles(folder: string): ReleaseFiles {
  const files = new Map<string, ReleaseFile>();
  const hidden = new Set<string>();
  const budget = createTarBudget(MAX_IMAGE_BYTES, MAX_IMAGE_FILES);
  let bytes = 0;
  return {
    async addLayer(content, what) {
      const layer: Layer = { files: new Map(), hidden: new Set(), bytes };
      const isVisible = (path: string): boolean => !files.has(path) && !isHidden(path, hidden);
      try {
        await visitTar(content, what, budget, (entry) => visitEntry(entry, what, layer, isVisible, folder));
      } catch (thrown) {
        for (const path of layer.files.keys()) await rm(join(folder, path), { force: true });
        throw thrown;
      }
      for (const [path, file] of layer.files) files.set(path, file);
      for (const path of layer.hidden) hidden.add(path);
      bytes = layer.bytes;
    },
    isWhole: () => isReleaseWhole(files) && (isOperatorWhole(files) || hidden.has("manifests")),
    list: () => [...files.values()].toSorted((a, b) => compareText(a.path, b.path)),
  };
}

function isReleaseWhole(files: ReadonlyMap<string, ReleaseFile>): boolean {
  return ["release-metadata", "image-references"].every((name) => files.has(`release-manifests/${name}`));
}

/**
 * The operator's Dockerfile copies its Deployment and the CRD of ClusterVersion separately, so they may be in two layers. If a release
 * names them otherwise, all of its layers are read.
 */
function isOperatorWhole(files: ReadonlyMap<string, ReleaseFile>): boolean {
  const names = [...files.keys()].filter((path) => path.startsWith("manifests/0000_00_cluster-version-operator_"));
  return ["clusterversion", "deployment"].every((part) =>
    names.some((name) => name.slice("manifests/0000_00_cluster-version-operator_".length).includes(part)),
  );
}

/** Hidden by a whiteout of an upper layer: the file itself, or the whole folder. */
function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(path) || hidden.has(path.slice(0, path.indexOf("/")));
}

async function visitEntry(
  entry: TarEntry,
  what: string,
  layer: Layer,
  isVisible: (path: string) => boolean,
  folder: string,
): Promise<void> {
  const [top = "", name, ...deeper] = entry.name.split("/");
  const whiteout = findWhiteout(top, name);
  if (whiteout !== undefined) layer.hidden.add(whiteout);
  if (whiteout !== undefined || !RELEASE_FOLDERS.includes(top) || deeper.length > 0) return;
  if (name === undefined ? entry.type !== "directory" : WANTED_NAME.test(name) && entry.type !== "file")
    throw new FailedError(
      `${what} can't be used: its ${entry.name} is a ${entry.type === "link" ? "link" : "special file"}`,
    );
  if (name === undefined || entry.type !== "file" || !WANTED_NAME.test(name) || !isVisible(entry.name)) return;
  await keepFile(entry, what, layer, folder);
}

/** What a whiteout of OCI's image format hides in the layers below: ".wh.NAME", or ".wh..wh..opq" for all of its folder. */
function findWhiteout(top: string, name: string | undefined): string | undefined {
  if (name === undefined) return top.startsWith(".wh.") ? top.slice(".wh.".length) : undefined;
  if (!RELEASE_FOLDERS.includes(top) || !name.startsWith(".wh.")) return undefined;
  return name === ".wh..wh..opq" ? top : `${top}/${name.slice(".wh.".length)}`;
}

async function keepFile(entry: TarEntry, what: string, layer: Layer, folder: string): Promise<void> {
  layer.bytes += entry.size;
  if (entry.size > MAX_FILE_BYTES || layer.bytes > MAX_TOTAL_BYTES || layer.files.size >= MAX_FILES)
    throw new FailedError(`${what} can't be used: its manifests are larger than those of any release`);
  const bytes = await readWhole(entry.body, MAX_FILE_BYTES, entry.name);
  const path = join(folder, entry.name);
  try {
    if (layer.files.size === 0)
      for (const one of RELEASE_FOLDERS) await mkdir(join(folder, one), { recursive: true, mode: 0o700 });
    // A layer may have a file twice: the last one counts.
    if (layer.files.has(entry.name)) await rm(path);
    await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    throw new FailedError(`${path} can't be written (${errorCode(thrown) ?? formatError(thrown)})`);
  }
  layer.files.set(entry.name, { path: entry.name, size: bytes.length, digest: computeContentDigest(bytes) });
}
