import { realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { codeOf, isWithin } from "./bounded-file.ts";
import { type PayloadFailed, unreadable } from "./payload.ts";

/** `release`: every operator's manifests. `operator`: the cluster-version operator's own, which are templates. `plain`: any manifests. */
export type Source = {
  readonly role: "release" | "operator" | "plain";
  readonly path: string;
  readonly real: string;
  /** What stands before a file's name to tell it from one of another source: "manifests/", or nothing. */
  readonly prefix: string;
};

export type Layout = {
  readonly kind: "payload" | "folder";
  readonly sources: readonly Source[];
  /** The source with `release-metadata` and `image-references`; in a folder that is no payload, the first one. */
  readonly main: Source;
};

type Found = { readonly kind: "found"; readonly layout: Layout } | PayloadFailed;
type Folder = Omit<Source, "role">;

const HINT =
  "give the folder that `oc adm release extract --to=DIR RELEASE` makes, a release image's root, or a folder of manifests";

/**
 * Finds what is where: a release image's root (`release-manifests/` and `manifests/`), the first one's content alone, both as a list, or manifests.
 * It is a payload if one of them has `image-references`.
 */
export async function findLayout(paths: readonly string[]): Promise<Found> {
  const folders: Folder[] = [];
  for (const path of paths) {
    const opened = await openTarget(path, paths.length > 1 ? `${basename(path)}/` : "");
    if (opened.kind === "failed") return opened;
    folders.push(...opened.folders);
  }
  const [first] = folders;
  return first === undefined ? unreadable(`no target folder: ${HINT}`) : assignRoles(first, folders);
}

async function assignRoles(first: Folder, folders: readonly Folder[]): Promise<Found> {
  const marked: Folder[] = [];
  for (const folder of folders) if (await exists(join(folder.path, "image-references"))) marked.push(folder);
  const [main, other] = marked;
  if (main && other) return unreadable(`${main.path} and ${other.path} are two release payloads: give one of them`);
  const sources = folders.map((folder): Source => {
    if (!main) return { ...folder, role: "plain" };
    return { ...folder, role: folder === main ? "release" : "operator" };
  });
  const at = sources.find((source) => source.path === (main ?? first).path);
  if (!at) return unreadable(HINT);
  return { kind: "found", layout: { kind: main ? "payload" : "folder", sources, main: at } };
}

type Opened = { readonly kind: "opened"; readonly folders: readonly Folder[] } | PayloadFailed;

async function openTarget(path: string, prefix: string): Promise<Opened> {
  const root = await openFolder(path, prefix);
  if (typeof root === "string") return unreadable(`target folder ${path} ${root}: ${HINT}`);
  const release = await openFolder(join(path, "release-manifests"), `${prefix}release-manifests/`);
  if (typeof release === "string") return { kind: "opened", folders: [root] };
  const operator = await openFolder(join(path, "manifests"), `${prefix}manifests/`);
  const folders = typeof operator === "string" ? [release] : [release, operator];
  const outside = folders.find((folder) => !isWithin(folder.real, root.real));
  if (outside)
    return unreadable(`${outside.path} is a symbolic link out of ${path}: give the folders that it leads to`);
  return { kind: "opened", folders };
}

/** The folder, or why it is none. */
async function openFolder(path: string, prefix: string): Promise<Folder | string> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? { path, real, prefix } : "is no folder";
  } catch (thrown) {
    const code = codeOf(thrown);
    return code === "ENOENT" ? "does not exist" : `can't be read (${code})`;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
