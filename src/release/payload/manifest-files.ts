import type { Dirent } from "node:fs";
import { extname, join } from "node:path";
import { realpath, stat } from "../../files/calls.ts";
import { createEntryBudget, readEntries } from "../../files/named-folder.ts";
import { compareText } from "../../model/json.ts";
import type { ReleaseProblem } from "../../model/release.ts";
import { formatReadError, isWithin } from "./bounded-file.ts";
import type { ManifestSource } from "./payload-layout.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** `name` is relative to the source. */
export type ManifestFile = { readonly path: string; readonly name: string };
type Omission = { readonly name: string } & Pick<ReleaseProblem, "reason" | "message">;
export type FileListing = {
  readonly kind: "listed";
  readonly files: readonly ManifestFile[];
  /** Sub-folders that could not be read. */
  readonly omissions: readonly Omission[];
};

/**
 * The manifest files of a source, sorted by name. Sub-folders are read only in a plain folder, except hidden ones; the cluster-version
 * operator reads none in a payload. Rejects if the source itself can't be listed or is too large.
 */
export async function listManifestFiles(source: ManifestSource): Promise<FileListing> {
  const files: ManifestFile[] = [];
  const omissions: Omission[] = [];
  const budget = createEntryBudget();

  async function walk(folder: string, within: string): Promise<void> {
    for (const entry of await readEntries(folder, budget)) {
      const path = join(folder, entry.name);
      const name = `${within}${entry.name}`;
      if (entry.isDirectory()) await walkSubfolder(path, name);
      else if (EXTENSIONS.has(extname(entry.name))) files.push({ path, name });
      else if (await isLinkOutside(entry, path))
        omissions.push({
          name,
          reason: "OutsideFolder",
          message: "is a symbolic link to a path outside of the folder",
        });
    }
  }

  async function walkSubfolder(path: string, name: string): Promise<void> {
    const hidden = name.slice(name.lastIndexOf("/") + 1).startsWith(".");
    if (hidden || source.role !== "plain") return;
    try {
      await walk(path, `${name}/`);
    } catch (thrown) {
      if (budget.remaining < 0) throw thrown;
      omissions.push({ name, reason: "Unreadable", message: `can't be read (${formatReadError(thrown)})` });
    }
  }

  /** Whether an entry links to a folder outside of the source, which may hold manifests. A folder inside is read under its own path. */
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
