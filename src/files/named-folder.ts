import type { Dirent } from "node:fs";
import { join } from "node:path";
import { compareText } from "../model/json.ts";
import { opendir, stat } from "./calls.ts";

/** Ten times as many as any release or fleet has: a larger folder is the wrong one, such as a home directory. */
const MAX_ENTRIES = 100_000;

/** How many entries may still be read. */
export type EntryBudget = { remaining: number };

export function createEntryBudget(): EntryBudget {
  return { remaining: MAX_ENTRIES };
}

/** The entries of a folder, in any order. Throws an Error that says so if there are too many, before they fill the memory. */
export async function readEntries(folder: string, budget = createEntryBudget()): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder)) {
    budget.remaining -= 1;
    if (budget.remaining < 0) throw new Error(`it has more than ${MAX_ENTRIES} files and folders`);
    entries.push(entry);
  }
  return entries;
}

/**
 * The files of a folder and its sub-folders, sorted, relative to it. Links to folders are followed, but each folder is read once, so
 * that loops end.
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const budget = createEntryBudget();
  const seen = new Set([await identify(folder)]);
  const pending = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await readEntries(join(folder, next), budget);
    for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
      const path = join(next, entry.name);
      const id = entry.isDirectory() || entry.isSymbolicLink() ? await identify(join(folder, path)) : undefined;
      if (id === undefined) files.push(path);
      else if (!seen.has(id)) pending.push(path);
      if (id !== undefined) seen.add(id);
    }
  }
  return files.toSorted(compareText);
}

/** Undefined for what is not a folder, also by way of a link. */
async function identify(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}
