import type { Dirent } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createEntryBudget, type EntryBudget, readEntries } from "../../../files/named-folder.ts";
import { errorCode, FailedError, formatError } from "../../../model/errors.ts";
import { compareText } from "../../../model/json.ts";
import { findRecordingKind, isArchiveFile, isRecordingFile, type RecordingKind } from "../../client/recordings.ts";

/** A file of results, or a cluster that was recorded; `name`: after its file or folder. */
export type FleetSource = { readonly kind: "results" | RecordingKind; readonly name: string; readonly path: string };

/** What the paths name, and what is in the folders among them and below. Throws a FailedError if a path has nothing. */
export async function findSources(flag: "from" | "since", paths: readonly string[]): Promise<readonly FleetSource[]> {
  const sources: FleetSource[] = [];
  for (const path of paths) {
    const own = await findIn(path).catch((thrown: unknown) => refusePath(flag, path, thrown));
    if (own.length === 0)
      throw new FailedError(
        `${path} has no result: name a folder with .json files, recordings or must-gathers, or a list of ConfigMaps`,
      );
    sources.push(...own);
  }
  return sources;
}

function refusePath(flag: string, path: string, thrown: unknown): never {
  const why = errorCode(thrown) === "ENOENT" ? "it does not exist" : formatError(thrown);
  throw new FailedError(
    `--${flag} ${path} can't be read: ${why}: name a file of "preflight check -o json", or a folder of them`,
  );
}

async function findIn(path: string): Promise<readonly FleetSource[]> {
  const stats = await stat(path, { bigint: true });
  if (stats.isDirectory()) {
    const walk: Walk = { root: path, budget: createEntryBudget(), seen: new Set([`${stats.dev}:${stats.ino}`]) };
    return findInFolder(path, walk);
  }
  if (isArchiveFile(path)) return [{ kind: "must-gather", name: nameFile(basename(path)), path }];
  const kind = basename(path) === "cluster.json" && (await isRecordingFile(path)) ? "recorded" : "results";
  return [{ kind, name: kind === "recorded" ? nameFolder(dirname(path)) : nameFile(basename(path)), path }];
}

/** `seen`: folders, each of which is read once, so that loops of links end. */
type Walk = { readonly root: string; readonly budget: EntryBudget; readonly seen: Set<string> };

/** A recorded cluster is one thing: what is in its folder is not looked at. */
async function findInFolder(folder: string, walk: Walk): Promise<readonly FleetSource[]> {
  const entries = await readEntries(folder, walk.budget);
  const kind = await findRecordingKind(folder, entries);
  if (kind !== undefined) return [{ kind, name: nameFolder(relative(walk.root, folder) || folder), path: folder }];
  const found: FleetSource[] = [];
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name)))
    // A hidden file is one that is being written.
    if (!entry.name.startsWith(".")) found.push(...(await findEntry(folder, entry, walk)));
  return found;
}

async function findEntry(folder: string, entry: Dirent, walk: Walk): Promise<readonly FleetSource[]> {
  const path = join(folder, entry.name);
  if (entry.isDirectory() || entry.isSymbolicLink()) {
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    if (stats?.isDirectory() === true) {
      const id = `${stats.dev}:${stats.ino}`;
      if (walk.seen.has(id)) return [];
      walk.seen.add(id);
      return findInFolder(path, walk);
    }
  }
  if (isArchiveFile(path)) return [{ kind: "must-gather", name: nameFile(relative(walk.root, path)), path }];
  return path.endsWith(".json") ? [{ kind: "results", name: nameFile(relative(walk.root, path)), path }] : [];
}

/** "prod-1" of prod-1.json and of prod-1.tar.gz; "prod-1/preflight-v1" of prod-1/preflight-v1.json. */
function nameFile(path: string): string {
  const name = path.replace(/\.(?:json|tar|tar\.gz|tgz)$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What tools call the folder of an archive says nothing of its cluster. */
const ARCHIVE_FOLDER = /^must-gather(?:\.local\.\d+)?$|^inspect\.local\.\d+$/;

/** "prod-1" of prod-1/ and of prod-1/must-gather.local.123/. */
function nameFolder(path: string): string {
  const parts = (path === "." || path.startsWith("..") ? resolve(path) : path).split(sep).filter(Boolean);
  const own = parts.length > 1 && ARCHIVE_FOLDER.test(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts;
  return path.startsWith(sep) || path.startsWith(".") ? (own.at(-1) ?? path) : own.join("/");
}
