import { Readable } from "node:stream";
import { basename, dirname, join } from "node:path";
import { realpath, stat } from "../../files/calls.ts";
import { COMMAND_TIMEOUT_MS, collectBytes, readFileChunks, rethrowAbsent } from "../../files/named-file.ts";
import { FailedError, UsageError, formatError } from "../../model/errors.ts";
import type { UnreadManifest } from "../../model/manifest.ts";
import { readCommandOutput } from "./render.ts";
import { findLayout } from "./layout.ts";
import type { FileContent, ListedFile } from "./manifest-files.ts";
import { MAX_TEXT_BYTES, buildUnread, buildUnreadable, decodeText, listArchive, listFolder } from "./manifest-files.ts";
import { type FileManifest, type TextOrigin, parseManifests } from "./parse-manifests.ts";
import { type DocumentParser, createDocumentParser } from "./places.ts";

/** What stands for the standard input, and how its places are named. */
const STDIN = "-";
const STDIN_NAME = "stdin";
const MAX_ARCHIVE_BYTES = 2 ** 30;
const ARCHIVE = /\.(?:tar|tgz|tar\.gz|tar\.zst)$/;

type ManifestStream = AsyncGenerator<FileManifest | UnreadManifest>;

/**
 * The manifests of files, folders, archives and the standard input ("-"), in the order of the paths and of the names below them. What can't
 * be read as a manifest is yielded in its place. Nothing throws; a path is read once. Of a file, its text is held while one of its
 * manifests is.
 */
export async function* readManifests(
  paths: readonly string[],
  stdin: AsyncIterable<Uint8Array> = Readable.from([]),
): ManifestStream {
  const state = { seen: new Set<string>(), parse: createDocumentParser() };
  for (const path of paths) {
    if (path === STDIN) yield* readContent(stdin, STDIN_NAME, state);
    else yield* readPath(path, state);
  }
}

/** `seen`: the paths that were read, without links. */
type ReadState = { readonly seen: Set<string>; readonly parse: DocumentParser };

async function* readPath(path: string, state: ReadState): ManifestStream {
  try {
    // A pipe has no path.
    const root = await realpath(path).catch(() => path);
    if (state.seen.has(root)) return;
    state.seen.add(root);
    const isFolder = (await stat(path).catch(rethrowAbsent)).isDirectory();
    if (isFolder) yield* readTree(await listFolder(path, root), path, state);
    else yield* readContent(readChunks(path), path, state);
  } catch (thrown) {
    yield buildUnreadable(path, thrown);
  }
}

function readChunks(path: string): AsyncIterable<Buffer> {
  const maxBytes = ARCHIVE.test(path) ? MAX_ARCHIVE_BYTES : MAX_TEXT_BYTES;
  return readFileChunks(path, maxBytes, { pipeTimeoutMs: COMMAND_TIMEOUT_MS });
}

/** A text or an archive, by its first bytes. */
async function* readContent(content: AsyncIterable<Uint8Array>, file: string, state: ReadState): ManifestStream {
  const input = content[Symbol.asyncIterator]();
  const start = await readStart(input);
  const whole = joinChunks(start, input);
  if (start.subarray(0, ZIP.length).equals(ZIP))
    yield buildUnread("NotAFile", file, "it is a zip archive: unpack it, and give the folder");
  else if (isTar(start)) yield* readArchive(whole, file, state);
  else yield* readText(decodeText(await collectBytes(whole, MAX_TEXT_BYTES), file), { file, isNamed: true }, state);
}

async function* readArchive(content: AsyncIterable<Uint8Array>, archive: string, state: ReadState): ManifestStream {
  const files = await listArchive(content, archive).catch((thrown: unknown) => formatError(thrown));
  if (typeof files === "string") yield buildUnread("NotUnderstood", archive, files);
  else yield* readTree(files, archive, state);
}

const ZIP = Buffer.from("PK\u0003\u0004");
const COMPRESSED = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];
const TAR = Buffer.from("ustar");
const TAR_OFFSET = 257;

function isTar(start: Buffer): boolean {
  return (
    COMPRESSED.some((magic) => start.subarray(0, magic.length).equals(magic)) ||
    start.subarray(TAR_OFFSET, TAR_OFFSET + TAR.length).equals(TAR)
  );
}

async function readStart(input: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < TAR_OFFSET + TAR.length;) {
    const next = await input.next();
    if (next.done === true) break;
    chunks.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(chunks);
}

async function* joinChunks(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* readTree(files: readonly ListedFile[], root: string, state: ReadState): ManifestStream {
  const layout = await findLayout(files, root);
  for (const { name, path, read } of files) {
    const notice = layout.notices.get(name);
    if (notice !== undefined) yield notice;
    if (notice !== undefined || layout.covered.has(name) || (path !== undefined && state.seen.has(path))) continue;
    if (path !== undefined) state.seen.add(path);
    yield* readText(await read(), { file: join(root, name), isNamed: false }, state);
  }
}

function* readText(
  content: FileContent,
  origin: TextOrigin,
  { parse }: ReadState,
): Generator<FileManifest | UnreadManifest> {
  if (typeof content === "string") yield* parseManifests(content, origin, parse);
  else yield content;
}

const GIT_TIMEOUT_MS = 60_000;

/**
 * The manifests that files and folders of a repository had in a commit: "main", "HEAD~1". A path that it did not have has none. Throws a
 * FailedError if git can't tell.
 */
export async function* readManifestsAt(ref: string, paths: readonly string[]): AsyncGenerator<FileManifest> {
  if (ref.startsWith("-")) throw new UsageError(`"${ref}" is no commit`);
  const state = { seen: new Set<string>(), parse: createDocumentParser() };
  for (const path of paths) {
    const isFolder = (await stat(path).catch(rethrowAbsent)).isDirectory();
    const command = ["env", "LC_ALL=C", "git", "archive", "--format=tar", ref, "--", isFolder ? "." : basename(path)];
    const content = readCommandOutput(command, GIT_TIMEOUT_MS, isFolder ? path : dirname(path));
    const files = await listArchive(content, path, isFolder ? undefined : /./).catch(failAt(ref, path));
    for await (const one of readTree(files, path, state)) if ("object" in one) yield one;
  }
}

/**
 * Whether a file or a folder of a repository differs from what it was in a commit. What git does not follow, or what has no such commit, has
 * not changed. Throws a FailedError if git can't tell.
 */
export async function hasChangedSince(ref: string, path: string): Promise<boolean> {
  const isFolder = (await stat(path).catch(rethrowAbsent)).isDirectory();
  const command = ["env", "LC_ALL=C", "git", "diff-index", "--name-only", ref, "--", isFolder ? "." : basename(path)];
  const names = readCommandOutput(command, GIT_TIMEOUT_MS, isFolder ? path : dirname(path));
  try {
    return (await collectBytes(names, MAX_TEXT_BYTES)).length > 0;
  } catch (thrown) {
    const message = formatError(thrown);
    if (NO_COMMIT.test(message)) return false;
    throw new FailedError(`whether ${path} has changed since ${ref} can't be told by git: ${message}`);
  }
}

const NO_COMMIT = /not a git repository|bad revision/;

/** How git says that a commit does not have a path. */
const NOT_THERE = /did not match any files|current working directory is untracked/;

function failAt(ref: string, path: string): (thrown: unknown) => readonly ListedFile[] {
  return (thrown) => {
    const message = formatError(thrown);
    if (NOT_THERE.test(message)) return [];
    throw new FailedError(`${path} at ${ref} can't be read by git: ${message.replace(/^it is damaged: /, "")}`);
  };
}
