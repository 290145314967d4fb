import { basename, join } from "node:path";
import { realpath, stat } from "../../files/calls.ts";
import { formatReadError, isWithin } from "./bounded-file.ts";
import { type PayloadFailure, buildPayloadUnreadable } from "./payload.ts";

/** `release`: every operator's manifests. `operator`: the cluster-version operator's own, which are templates. `plain`: any manifests. */
export type ManifestSource = {
  readonly role: "release" | "operator" | "plain";
  readonly path: string;
  readonly real: string;
  /** A prefix of file names that distinguishes the sources: "manifests/", or nothing. */
  readonly prefix: string;
};

export type PayloadLayout = {
  readonly kind: "payload" | "folder";
  readonly sources: readonly ManifestSource[];
  /** The source with `release-metadata` and `image-references`; the first one if the folder is not a payload. */
  readonly main: ManifestSource;
};

type LayoutResult = { readonly kind: "found"; readonly layout: PayloadLayout } | PayloadFailure;
type SourceFolder = Omit<ManifestSource, "role">;

const HINT = "give the folder of an extracted release, a release image's root, or a folder of manifests";

/**
 * Finds the sources of the given folders: a release image's root (`release-manifests/` and `manifests/`), the content of
 * `release-manifests/` alone, both as a list, or plain manifests. They are a payload if one of them has `image-references`.
 */
export async function findPayloadLayout(paths: readonly string[]): Promise<LayoutResult> {
  const folders: SourceFolder[] = [];
  for (const path of paths) {
    const result = await resolveTargetFolder(path, paths.length > 1 ? `${basename(path)}/` : "");
    if (result.kind === "failed") return result;
    folders.push(...result.folders);
  }
  const [first] = folders;
  return first === undefined ? buildPayloadUnreadable(`no target folder: ${HINT}`) : assignRoles(first, folders);
}

async function assignRoles(first: SourceFolder, folders: readonly SourceFolder[]): Promise<LayoutResult> {
  const payloadFolders: SourceFolder[] = [];
  for (const folder of folders) if (await hasFile(join(folder.path, "image-references"))) payloadFolders.push(folder);
  const [main, other] = payloadFolders;
  if (main && other)
    return buildPayloadUnreadable(`${main.path} and ${other.path} are two release payloads: give only one of them`);
  const sources = folders.map((folder): ManifestSource => {
    if (!main) return { ...folder, role: "plain" };
    return { ...folder, role: folder === main ? "release" : "operator" };
  });
  const mainSource = sources.find((source) => source.path === (main ?? first).path);
  if (!mainSource) return buildPayloadUnreadable(HINT);
  return { kind: "found", layout: { kind: main ? "payload" : "folder", sources, main: mainSource } };
}

type FoldersResult = { readonly kind: "opened"; readonly folders: readonly SourceFolder[] } | PayloadFailure;

async function resolveTargetFolder(path: string, prefix: string): Promise<FoldersResult> {
  const root = await resolveFolder(path, prefix);
  if (typeof root === "string") return buildPayloadUnreadable(`target folder ${path} ${root}: ${HINT}`);
  const release = await resolveFolder(join(path, "release-manifests"), `${prefix}release-manifests/`);
  if (typeof release === "string") return { kind: "opened", folders: [root] };
  const operator = await resolveFolder(join(path, "manifests"), `${prefix}manifests/`);
  const folders = typeof operator === "string" ? [release] : [release, operator];
  const outside = folders.find((folder) => !isWithin(folder.real, root.real));
  if (outside)
    return buildPayloadUnreadable(
      `${outside.path} is a symbolic link to a path outside of ${path}: give the folders that it leads to`,
    );
  return { kind: "opened", folders };
}

/** The folder, or why it can't be used. */
async function resolveFolder(path: string, prefix: string): Promise<SourceFolder | string> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? { path, real, prefix } : "is not a folder";
  } catch (thrown) {
    const code = formatReadError(thrown);
    return code === "ENOENT" ? "does not exist" : `can't be read (${code})`;
  }
}

async function hasFile(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
