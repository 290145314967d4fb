import type { Dirent } from "node:fs";
import { extname, join } from "node:path";
import { realpath, stat } from "../../files/calls.ts";
import { createEntryBudget, readEntries } from "../../files/named-folder.ts";
import { compareText } from "../../model/json.ts";
import type { ReleaseProblem } from "../../model/release.ts";
import { MAX_FILE_BYTES, decodeUtf8, formatReadError, isWithin, readBoundedFile } from "./bounded-file.ts";
import { CHECKS_LABEL } from "./check-texts.ts";
import { type DigestEntry, buildDigestEntry, computeDigest, parseDigestEntry } from "./digest.ts";
import { type ReadFile, createObjectKeeper, createObjectReader, renderTemplate } from "./manifest-objects.ts";
import { type ParsedManifests, parseManifests, selectContent } from "./manifest-parser.ts";
import { NO_PARSED_FILES, type ParsedFiles, openParsedFiles } from "./parsed-files.ts";
import { type ManifestSource, type PayloadLayout, findPayloadLayout } from "./payload-layout.ts";
import type { PayloadFailure, PayloadManifest, PayloadOptions, PayloadResult } from "./payload.ts";
import { buildPayloadUnreadable, buildProblem } from "./payload.ts";
import { readReleaseIdentity } from "./release-identity.ts";

/** The most bytes that are read of a folder; a release has some 20 MiB. */
export const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** The most characters that are kept of manifests other than CRDs, if their files go away. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

const CHANGED = "the files of the release image were changed after they were verified: run the command again";

type PayloadContents = {
  readonly kind: "contents";
  readonly parsedFiles: ParsedFiles;
  readonly manifests: PayloadManifest[];
  readonly problems: ReleaseProblem[];
  readonly warnings: ReleaseProblem[];
  readonly options: PayloadOptions;
  readonly keepObject: ReturnType<typeof createObjectKeeper>;
  readonly digestEntries: DigestEntry[];
  readonly realPaths: Set<string>;
  bytesLeft: number;
};

/**
 * Reads a target's folder or folders: a release image's root, the output of `oc adm release extract`, the container's
 * `/release-manifests` and `/manifests`, or plain manifests. An unusable file is a problem of the payload. Never rejects.
 */
export async function readPayload(
  folder: string | readonly string[],
  options: PayloadOptions = {},
): Promise<PayloadResult> {
  const layoutResult = await findPayloadLayout(typeof folder === "string" ? [folder] : folder);
  if (layoutResult.kind === "failed") return layoutResult;
  const identity = readReleaseIdentity(layoutResult.layout, options);
  if (identity.kind === "failed") return identity;
  const parsedFiles = options.parsedFiles === undefined ? NO_PARSED_FILES : openParsedFiles(options.parsedFiles);
  const contents = await readContents(layoutResult.layout, parsedFiles, options);
  if (contents.kind === "failed") return contents;
  const digest = options.onlyCrds ? "" : computeDigest([...identity.digestEntries, ...contents.digestEntries]);
  if (options.files !== undefined && digest !== computeDigest(options.files.map(parseDigestEntry)))
    return buildPayloadUnreadable(CHANGED);
  parsedFiles.keep();
  const { version, kubernetes } = identity;
  const payload = {
    kind: layoutResult.layout.kind,
    version,
    kubernetes,
    image: options.image,
    digest,
    manifests: contents.manifests,
    problems: contents.problems,
    warnings: contents.warnings,
  };
  return { kind: "read", payload };
}

function createContents(parsedFiles: ParsedFiles, options: PayloadOptions): PayloadContents {
  return {
    kind: "contents",
    parsedFiles,
    manifests: [],
    problems: [],
    warnings: [],
    options,
    keepObject: createObjectKeeper(MAX_KEPT_CHARACTERS),
    digestEntries: [],
    realPaths: new Set(),
    bytesLeft: MAX_TOTAL_BYTES,
  };
}

async function readContents(
  layout: PayloadLayout,
  parsedFiles: ParsedFiles,
  options: PayloadOptions,
): Promise<PayloadContents | PayloadFailure> {
  const contents = createContents(parsedFiles, options);
  const within = layout.sources.map((source) => source.real);
  for (const source of layout.sources) {
    try {
      const { files, omissions } = await listManifestFiles(source);
      for (const { name, reason, message } of omissions) {
        contents.problems.push(buildProblem(reason, source.prefix + name, `it ${message}`));
      }
      for (const file of files) readManifestFile(source, file, within, contents);
    } catch (thrown) {
      return buildPayloadUnreadable(`target folder ${source.path} can't be read: ${formatReadError(thrown)}`);
    }
  }
  if (contents.digestEntries.length > 0) return contents;
  const places = layout.sources.map((source) => source.path).join(" and ");
  return buildPayloadUnreadable(
    `${places} has no manifest (.yaml, .yml or .json): give the folder with the target's manifests`,
  );
}

function readManifestFile(
  source: ManifestSource,
  file: ManifestFile,
  within: readonly string[],
  contents: PayloadContents,
): void {
  const where = source.prefix + file.name;
  if (contents.bytesLeft < 0) {
    contents.digestEntries.push({ name: file.name, contentDigest: "unread" });
    return;
  }
  const read = readBoundedFile(file.path, within, MAX_FILE_BYTES);
  if (read.kind === "refused") {
    contents.problems.push(buildProblem(read.reason, where, `it ${read.message}`));
    contents.digestEntries.push({ name: file.name, contentDigest: "unread" });
    return;
  }
  // A link and the file that it leads to are one file.
  if (contents.realPaths.has(read.real)) return;
  contents.realPaths.add(read.real);
  const { name } = file;
  const entry = contents.options.onlyCrds ? { name, contentDigest: "" } : buildDigestEntry(name, read.bytes);
  contents.digestEntries.push(entry);
  contents.bytesLeft -= read.bytes.length;
  if (contents.bytesLeft < 0) {
    contents.problems.push(
      buildProblem(
        "TooLarge",
        where,
        `the manifests up to ${where} have more than ${MAX_TOTAL_BYTES / 2 ** 20} MiB: this file and the later ones were not read`,
      ),
    );
    return;
  }
  addManifests(source, where, { path: file.path, within, bytes: read.bytes, digest: entry.contentDigest }, contents);
}

type ManifestBytes = Omit<ReadFile, "isRendered"> & { readonly bytes: Uint8Array };

function addManifests(
  source: ManifestSource,
  where: string,
  { bytes, ...file }: ManifestBytes,
  contents: PayloadContents,
): void {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    contents.problems.push(buildProblem("InvalidYaml", where, "it is not UTF-8 text"));
    return;
  }
  const rendered = source.role === "operator" && text.includes("{{") ? renderTemplate(text) : text;
  if (rendered === undefined) {
    const template = buildProblem(
      "UnrenderedTemplate",
      where,
      "it is a template that only the cluster-version operator can render",
    );
    (canChangeVerdict(text) ? contents.problems : contents.warnings).push(template);
    return;
  }
  // A template of the same content is another text.
  const isRendered = rendered !== text;
  const content = isRendered ? `${file.digest}-rendered` : file.digest;
  const parsed = parseManifests(contents.parsedFiles.parse(rendered, content, selectContent), where);
  contents.manifests.push(...addReads(parsed, { ...file, isRendered }, contents));
  for (const { reason, message } of parsed.problems) {
    contents.problems.push(buildProblem(reason, where, message));
  }
}

function addReads(
  { manifests, objects }: ParsedManifests,
  file: ReadFile,
  { options, keepObject }: PayloadContents,
): readonly PayloadManifest[] {
  if (options.onlyCrds) return manifests;
  const readObject = createObjectReader(file);
  return manifests.map((manifest, i) => {
    const object = objects[i];
    if (object === undefined || manifest.crd !== undefined || manifest.kind === "Secret") return manifest;
    return { ...manifest, read: options.isTemporary ? keepObject(object) : () => readObject(i) };
  });
}

/** Whether a template may contain a manifest that a verdict depends on. */
function canChangeVerdict(text: string): boolean {
  return /kind["']?\s*:\s*["']?(?:CustomResourceDefinition|FeatureGate)\b/.test(text) || text.includes(CHECKS_LABEL);
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** `name` is relative to the source. */
type ManifestFile = { readonly path: string; readonly name: string };
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
async function listManifestFiles(source: ManifestSource): Promise<FileListing> {
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
