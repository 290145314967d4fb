import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type FileText, readYamlFiles } from "../../files/yaml-files.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { parseMirror } from "../../release/image/mirrors.ts";
import type { Artefact } from "../../release/image/artefact.ts";
import { type ImageReference, parseRegistryReference } from "../../release/image/reference.ts";
import type { Io } from "../io/io.ts";
import { type RegistryValues, buildImageOptions, openImageCache, parseFlag } from "../settings/release-settings.ts";
import { hash } from "node:crypto";
import type { ChecksValues } from "../settings/judging-settings.ts";
import { textAt } from "../../model/json.ts";
import { CHECKS_FOLDER, getCheckFileName } from "../../model/check-origin.ts";

/** The texts of an artefact's files, without cases, and the digest that names all of it. */
type ArtefactTexts = {
  readonly files: readonly FileText[];
  readonly digest: string;
  /** The preflight that it needs. */
  readonly requires?: string;
};

const REGISTRY = "oci://";

/** Whether somebody named an artefact in a registry, which has to be fetched. */
export function isInRegistry(place: string): boolean {
  return place.startsWith(REGISTRY);
}

/** The texts of an artefact; undefined if the place is none, but other files. `named`: what named it, such as "--checks". */
export async function readArtefactTexts(
  named: string,
  place: string,
  values: Partial<RegistryValues>,
  io: Io,
): Promise<ArtefactTexts | undefined> {
  const artefact = await readArtefactAt(named, place, values, io);
  if (artefact === undefined) return undefined;
  const { files, digest, config } = artefact;
  const own = files.filter(({ path }) => !isCasePath(path));
  return {
    files: own.map(({ path, text }) => ({ kind: "read", name: `${place}/${path}`, text })),
    digest,
    requires: textAt(config, "requires", "preflight"),
  };
}

export function isCasePath(path: string): boolean {
  return path.split("/").slice(0, -1).includes("cases");
}

/** Reads an artefact of `preflight checks pack`; undefined if the place is none. */
export async function readArtefactAt(
  named: string,
  place: string,
  values: Partial<RegistryValues>,
  io: Io,
): Promise<Artefact | undefined> {
  const reference = await findReference(named, place);
  if (reference === undefined) return undefined;
  const mirrors = parseFlag("mirror", () => (values.mirror ?? []).map(parseMirror));
  const { readArtefact } = await import("../../release/image/read-artefact.ts");
  try {
    const options = buildImageOptions(values, mirrors, io);
    return await readArtefact(reference, place, await openImageCache(io), options);
  } catch (thrown) {
    if (thrown instanceof FailedError) throw new FailedError(`can't be used: ${thrown.message}`);
    throw thrown;
  }
}

/** For a promise's `catch`: begins what went wrong with what can't be used. */
export function failBy(subject: string): (thrown: unknown) => never {
  return (thrown) => {
    if (thrown instanceof FailedError) throw new FailedError(`${subject} ${thrown.message}`);
    throw thrown;
  };
}

async function findReference(named: string, place: string): Promise<ImageReference | undefined> {
  if (isInRegistry(place)) return requireDigest(named, place.slice(REGISTRY.length));
  if (/\.(?:tar|tgz|tar\.gz)$/.test(place)) return { kind: "oci-archive", path: place };
  const layout = await stat(join(place, "oci-layout")).catch(() => undefined);
  return layout?.isFile() === true ? { kind: "oci", path: place } : undefined;
}

function parseNamed(named: string, text: string): ReturnType<typeof parseRegistryReference> {
  try {
    return parseRegistryReference(text);
  } catch (thrown) {
    if (thrown instanceof FailedError) throw new UsageError(`${named}: ${thrown.message}`);
    throw thrown;
  }
}

/** What a tag names can change from one run to the next. */
function requireDigest(named: string, text: string): ImageReference {
  const reference = parseNamed(named, text);
  if (reference.digest !== undefined) return reference;
  const { host, repository, tag = "" } = reference;
  throw new UsageError(
    `${named} ${REGISTRY}${text} names a tag, which can move: name the digest, ${REGISTRY}${host}/${repository}@sha256:..., which "skopeo inspect --format '{{.Digest}}' docker://${host}/${repository}:${tag}" prints`,
  );
}

const LIMITS = { maxBytes: 64 * 1024, maxFiles: 100, leaveOut: "cases" };

/** A pod names the folder of the ConfigMap whether there is one or not. */
function isNamed(path: string): boolean {
  return path !== CHECKS_FOLDER;
}

/** `digest`: of the text, "sha256:...". `isShared`: of an artefact or a ConfigMap, which others may write. */
export type CheckFile = FileText & {
  readonly digest?: string;
  readonly isShared?: boolean;
  /** Of an artefact: the preflight that it needs. */
  readonly requires?: string;
};

/** The files of --checks. `empty`: folders without any. */
type CheckFiles = {
  readonly files: readonly CheckFile[];
  readonly absent: readonly string[];
  readonly empty: readonly string[];
  /** Of all files. */
  readonly digest: string;
};

export async function readCheckFiles(
  values: Pick<ChecksValues, "checks"> & Partial<RegistryValues>,
  io: Io,
): Promise<CheckFiles> {
  const found = new Map<string, CheckFile>();
  const absent: string[] = [];
  const empty: string[] = [];
  for (const path of values.checks) {
    const artefact = await readArtefactTexts("--checks", path, values, io).catch(failBy(`--checks ${path}`));
    const read = artefact?.files ?? (await readYamlFiles(path, LIMITS));
    if (read === undefined) absent.push(path);
    if (read?.length === 0) empty.push(path);
    for (const file of read ?? []) {
      const name = getCheckFileName(file.name);
      const isShared = artefact !== undefined || name !== file.name;
      found.set(file.name, { ...addDigest(file), name, isShared, requires: artefact?.requires });
    }
  }
  const files = [...found.values()];
  return { files, absent: absent.filter(isNamed), empty: empty.filter(isNamed), digest: getDigest(files) };
}

function addDigest(file: FileText): CheckFile {
  return file.kind === "read" ? { ...file, digest: `sha256:${hash("sha256", file.text)}` } : file;
}

function getDigest(files: readonly FileText[]): string {
  return hash("sha256", JSON.stringify(files));
}
