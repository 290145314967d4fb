import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { compareText } from "../model/json.ts";
import { formatReadError, isWithin } from "./bounded-file.ts";
import type { ManifestSource } from "./payload-layout.ts";

/** No release has a tenth of it: a larger folder is the wrong one, such as a home directory. */
const MAX_ENTRIES = 100_000;
const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** `name` is relative to the source. */
export type ManifestFile = { readonly path: string; readonly name: string };
export type FileListing = {
  readonly kind: "listed";
  readonly files: readonly ManifestFile[];
  /** Sub-folders that could not be looked into. */
  readonly omissions: readonly { readonly name: string; readonly reason: string; readonly message: string }[];
};

/**
 * The manifest files of a source, sorted by name. A payload's folders are flat, as for the cluster-version operator; in a plain folder
 * sub-folders are walked, hidden ones left out. Rejects where the source itself can't be listed or is too large.
 */
export async function listManifestFiles(source: ManifestSource): Promise<FileListing> {
  const files: ManifestFile[] = [];
  const omissions: { name: string; reason: string; message: string }[] = [];
  const budget = { left: MAX_ENTRIES };

  async function walk(folder: string, within: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    budget.left -= entries.length;
    if (budget.left < 0) throw new Error(`has more than ${MAX_ENTRIES} files and folders`);
    for (const entry of entries) {
      const [path, name] = [join(folder, entry.name), `${within}${entry.name}`];
      if (entry.isDirectory()) await walkSubfolder(path, name);
      else if (EXTENSIONS.has(extname(entry.name))) files.push({ path, name });
      else if (await isLinkOutside(entry, path))
        omissions.push({ name, reason: "OutsideFolder", message: "is a symbolic link out of the folder" });
    }
  }

  async function walkSubfolder(path: string, name: string): Promise<void> {
    const hidden = name.slice(name.lastIndexOf("/") + 1).startsWith(".");
    if (hidden || source.role !== "plain") return;
    try {
      await walk(path, `${name}/`);
    } catch (thrown) {
      if (budget.left < 0) throw thrown;
      omissions.push({ name, reason: "Unreadable", message: `can't be read (${formatReadError(thrown)})` });
    }
  }

  /** Is it a link to a folder elsewhere, with manifests perhaps? One to a folder within is walked at its own place. */
  async function isLinkOutside(entry: Dirent, path: string): Promise<boolean> {
    if (source.role !== "plain" || !entry.isSymbolicLink()) return false;
    try {
      const real = await realpath(path);
      return !isWithin(real, source.real) && (await stat(real)).isDirectory();
    } catch {
      return false;
    }
  }

  await walk(source.path, "");
  return { kind: "listed", files: files.toSorted((a, b) => compareText(a.name, b.name)), omissions };
}
