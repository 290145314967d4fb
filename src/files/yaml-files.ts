import type { Dirent } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { errorCode, formatError } from "../model/errors.ts";
import { compareText } from "../model/json.ts";
import { readTextFile } from "./named-file.ts";
import { createEntryBudget, type EntryBudget, readEntries } from "./named-folder.ts";

/** A file, named as it was given or found below a folder, with its text or why it can't be read. */
export type FileText =
  | { readonly kind: "read"; readonly name: string; readonly text: string }
  | { readonly kind: "unread"; readonly name: string; readonly message: string };

export type YamlFileLimits = {
  readonly maxBytes: number;
  /** Of one folder with its sub-folders. */
  readonly maxFiles: number;
  /** Sub-folders of this name hold other files. */
  readonly leaveOut?: string;
};

/**
 * Reads a file, or the files *.yaml and *.yml of a folder and its sub-folders, sorted. Hidden ones are left out, and links lead to what is inside the
 * folder only: that is how the kubelet mounts a ConfigMap. Undefined if there is no such path.
 */
export async function readYamlFiles(path: string, limits: YamlFileLimits): Promise<readonly FileText[] | undefined> {
  try {
    const root = await realpath(path).catch(findAbsence);
    const stats = root === undefined ? undefined : await stat(root).catch(findAbsence);
    return root === undefined || stats === undefined
      ? undefined
      : await readTexts(path, root, stats.isDirectory(), limits);
  } catch (thrown) {
    return [{ kind: "unread", name: path, message: formatError(thrown) }];
  }
}

async function readTexts(
  path: string,
  root: string,
  isFolder: boolean,
  limits: YamlFileLimits,
): Promise<readonly FileText[]> {
  if (!isFolder) return [await readFound({ kind: "file", name: path, path: root }, limits)];
  const first = await readFolder(path, root, limits);
  // The kubelet replaces a ConfigMap's files at once: what was listed before may be gone.
  return first.some((file) => file.kind === "unread") ? readFolder(path, root, limits) : first;
}

function findAbsence(thrown: unknown): undefined {
  const code = errorCode(thrown);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw thrown;
}

async function readFolder(path: string, root: string, limits: YamlFileLimits): Promise<readonly FileText[]> {
  const found = await findFiles(root, /\.ya?ml$/, limits.leaveOut);
  if (found.length > limits.maxFiles) throw new Error(`it has more than ${limits.maxFiles} files *.yaml`);
  const texts: FileText[] = [];
  for (const file of found) texts.push(await readFound({ ...file, name: join(path, file.name) }, limits));
  return texts;
}

/** `name`: below the folder. `path`: where links lead. */
export type FoundFile =
  | { readonly kind: "file"; readonly name: string; readonly path: string }
  | { readonly kind: "refused"; readonly name: string; readonly message: string };

async function readFound(file: FoundFile, { maxBytes }: YamlFileLimits): Promise<FileText> {
  const { name } = file;
  if (file.kind === "refused") return { kind: "unread", name, message: file.message };
  try {
    return { kind: "read", name, text: await readTextFile(file.path, maxBytes, { pipes: "refuse", links: "refuse" }) };
  } catch (thrown) {
    return { kind: "unread", name, message: formatError(thrown) };
  }
}

type Walk = {
  readonly root: string;
  readonly named: RegExp;
  readonly leaveOut: string | undefined;
  readonly budget: EntryBudget;
  /** What several links lead to is read once. */
  readonly seen: Set<string>;
};

/** The files of a folder whose names match `named`, and of its sub-folders, in order: as `readYamlFiles` finds them. */
export async function findFiles(root: string, named: RegExp, leaveOut?: string): Promise<readonly FoundFile[]> {
  const walk: Walk = { root, named, leaveOut, budget: createEntryBudget(), seen: new Set([root]) };
  const found = await findFilesBelow("", root, walk);
  return found.toSorted((a, b) => compareText(a.name, b.name));
}

/** `path`: the folder without links. */
async function findFilesBelow(folder: string, path: string, walk: Walk): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const entries = await readEntries(path, walk.budget);
  for (const entry of entries.toSorted(compareEntries)) {
    const name = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === walk.leaveOut) continue;
    const isNamed = walk.named.test(entry.name);
    if (isNamed || entry.isDirectory() || entry.isSymbolicLink())
      found.push(...(await findFilesAt({ name, isNamed, path: join(path, entry.name), entry }, walk)));
  }
  return found;
}

/** What is found by itself and by a link has its own name. */
function compareEntries(a: Dirent, b: Dirent): number {
  return Number(a.isSymbolicLink()) - Number(b.isSymbolicLink()) || compareText(a.name, b.name);
}

type NamedEntry = {
  readonly name: string;
  readonly isNamed: boolean;
  readonly path: string;
  readonly entry: Dirent;
};

async function findFilesAt(named: NamedEntry, walk: Walk): Promise<readonly FoundFile[]> {
  const { name, isNamed } = named;
  try {
    return await findFilesBehind(named, walk);
  } catch (thrown) {
    if (walk.budget.remaining < 0) throw thrown;
    const isCircle = errorCode(thrown) === "ELOOP";
    if (isCircle && !isNamed) return [];
    return [{ kind: "refused", name, message: isCircle ? "its links lead in a circle" : formatError(thrown) }];
  }
}

async function findFilesBehind(
  { name, isNamed, path: given, entry }: NamedEntry,
  walk: Walk,
): Promise<readonly FoundFile[]> {
  const isLink = !entry.isFile() && !entry.isDirectory();
  const path = isLink ? await realpath(given).catch(findAbsence) : given;
  const stats = isLink && path !== undefined ? await stat(path).catch(findAbsence) : entry;
  if (path === undefined || stats === undefined)
    return isNamed ? [{ kind: "refused", name, message: "there is no such file" }] : [];
  const isFolder = stats.isDirectory();
  if ((!isFolder && !isNamed) || walk.seen.has(path)) return [];
  if (!path.startsWith(`${walk.root}${sep}`)) return [{ kind: "refused", name, message: "it leads out of the folder" }];
  walk.seen.add(path);
  return isFolder ? findFilesBelow(name, path, walk) : [{ kind: "file", name, path }];
}
