import {
  type Stats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { errorCode } from "../model/errors.ts";

/**
 * A folder that belongs to this user and that nobody else can write to, by a path that nobody else can lead elsewhere: every folder above
 * it belongs to this user or to root, and is closed to others' writing or sticky, so others can't rename what was found there. What was
 * checked on the way therefore stays as it was, and paths are as safe as open folders, for which Node has no calls.
 */
export type PrivateFolder = { readonly kind: "private"; readonly path: string };
export type FolderRefusal = {
  readonly kind: "refused";
  /** "/tmp/cache belongs to user 1000" */
  readonly message: string;
  /** "remove it"; undefined if this user can't change it. */
  readonly remedy: string | undefined;
};
/** `absent`: it does not exist, and can't be created or was not to be. */
export type PrivateFolderResult = PrivateFolder | FolderRefusal | { readonly kind: "absent" };
type Missing = "create" | "leave";
type BaseResult = { readonly kind: "base"; readonly path: string } | Exclude<PrivateFolderResult, PrivateFolder>;

const ABSENT = { kind: "absent" } as const;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
/** As many as Linux follows. */
const MAX_LINKS = 40;

/** The folder for caches: $XDG_CACHE_HOME, or ~/.cache of a home that exists. */
export function findCacheBase(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_CACHE_HOME: xdg, HOME: home } = env;
  if (xdg && isAbsolute(xdg)) return xdg;
  return home && existsSync(home) ? join(home, ".cache") : undefined;
}

/** The folder by these names below `base`. Links count in `base` alone. Never throws an error of the operating system. */
export function openPrivateFolder(base: string, names: readonly string[], missing: Missing): PrivateFolderResult {
  if (process.geteuid === undefined) return ABSENT;
  try {
    const opened = openBase(resolve(base), missing);
    if (opened.kind !== "base") return opened;
    let folder: PrivateFolderResult = { kind: "private", path: opened.path };
    for (const name of names) {
      folder = openLevel(join(folder.path, name), missing);
      if (folder.kind !== "private") break;
    }
    return folder;
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
    return ABSENT;
  }
}

export function openSubfolder({ path }: PrivateFolder, name: string): PrivateFolderResult {
  return openLevel(join(path, name), "leave");
}

/** A file that belongs to this user alone; undefined for any other, and for one that is larger. */
export function readPrivateFile({ path }: PrivateFolder, name: string, maxBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(join(path, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    // A second name may have come from somebody who could write to the folder before.
    const isPrivate = stats.isFile() && isOwn(stats) && !isOpenToOthers(stats) && stats.nlink === 1;
    return isPrivate && stats.size <= maxBytes ? readFileSync(file) : undefined;
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Replaces a file in one step, and a link instead of what it leads to. */
export function writePrivateFile({ path }: PrivateFolder, name: string, bytes: string | Uint8Array): void {
  const partial = join(path, `${name}.${process.pid}`);
  writeFileSync(partial, bytes, { mode: 0o600, flag: "wx" });
  renameSync(partial, join(path, name));
}

/** Removes the files that were written longer ago than this. */
export function removeOldFiles({ path }: PrivateFolder, maxAgeMs: number, now: Date): void {
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    const stats = lstatSync(file);
    if (!stats.isDirectory() && now.getTime() - stats.mtimeMs > maxAgeMs) rmSync(file);
  }
}

/**
 * Removes a folder and what is in it, as far as nobody else can write there: the owner of a folder could put a link in its place while it
 * is emptied. What is left is left.
 */
export function removeFolder(path: string): void {
  try {
    if (openLevel(path, "leave").kind !== "private") return;
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) removeFolder(inner);
      else rmSync(inner, { force: true });
    }
    rmdirSync(path);
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
  }
}

/** Follows a path name by name, since a link may lead through folders that its text does not show. */
function openBase(path: string, missing: Missing): BaseResult {
  let current = "/";
  let names = path.split("/");
  let links = 0;
  const fault = findBaseFault(current, lstatSync(current));
  if (fault) return fault;
  for (;;) {
    const name = names.shift();
    if (name === undefined) return { kind: "base", path: current };
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(current) : join(current, name);
    const stats = readLevel(next, missing);
    if (stats === undefined) return ABSENT;
    const refusal = findBaseFault(next, stats);
    if (refusal) return refusal;
    if (!stats.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return refuse(`${path} leads through more than ${MAX_LINKS} symbolic links`);
    const target = readlinkSync(next);
    if (isAbsolute(target)) current = "/";
    names = [...target.split("/"), ...names];
  }
}

function openLevel(path: string, missing: Missing): PrivateFolderResult {
  const stats = readLevel(path, missing);
  if (stats === undefined) return ABSENT;
  if (stats.isSymbolicLink()) return refuse(`${path} is a symbolic link`, "remove it");
  if (!stats.isDirectory()) return refuse(`${path} is not a folder`, "remove it");
  if (!isOwn(stats)) return refuse(`${path} belongs to user ${stats.uid}`, "remove it");
  if (isOpenToOthers(stats)) return refuse(`others can write to ${path}`, "remove it");
  return { kind: "private", path };
}

/** One by one: where a file system has no room for new names, Node never ends making a folder with those above it. */
function readLevel(path: string, missing: Missing): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined || missing === "leave") return stats;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (errorCode(thrown) !== "EEXIST") throw thrown;
  }
  return lstatSync(path);
}

function findBaseFault(path: string, stats: Stats): FolderRefusal | undefined {
  if (stats.uid !== 0 && !isOwn(stats)) return refuse(`${path} belongs to user ${stats.uid}`);
  if (stats.isSymbolicLink()) return undefined;
  if (!stats.isDirectory()) return refuse(`${path} is not a folder`);
  if (!isOpenToOthers(stats) || (stats.mode & STICKY) !== 0) return undefined;
  return refuse(`others can write to ${path}`, isOwn(stats) ? `run "chmod go-w ${path}"` : undefined);
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

function refuse(message: string, remedy?: string): FolderRefusal {
  return { kind: "refused", message, remedy };
}
