import { type TarEntry, createTarBudget, visitTar } from "../../encoding/tar.ts";
import { FailedError } from "../../model/errors.ts";
import { compareText, parseObject, textAt } from "../../model/json.ts";
import type { Artefact, ArtefactFile } from "./artefact.ts";
import { ARTEFACT_TYPE, MAX_ARTEFACT_BYTES, MAX_ARTEFACT_FILES, isArtefactPath, isYamlPath } from "./artefact.ts";
import type { ImageCache } from "./image-cache.ts";
import { type Descriptor, MAX_MANIFEST_BYTES, formatBlobName, parseImageManifest } from "./image-manifest.ts";
import type { ImageOptions } from "./image-options.ts";
import { type LazySources, readCachedManifest, tryEachSource, withLazySources } from "./image-sources.ts";
import type { ImageReference } from "./reference.ts";
import { readWhole, verifyContent } from "./verified-content.ts";

type Reading = Pick<LazySources, "getSources"> & {
  /** What messages call it. */
  readonly text: string;
  readonly cache: ImageCache;
  readonly options: ImageOptions;
};

/** Reads checks or a list of known bugs from a registry, a folder or an archive. Every byte is verified. Throws a FailedError of one line. */
export async function readArtefact(
  reference: ImageReference,
  text: string,
  cache: ImageCache,
  given: ImageOptions,
): Promise<Artefact> {
  const options = { ...given, maxArchiveBytes: MAX_ARTEFACT_BYTES };
  const digest = reference.kind === "registry" ? reference.digest : undefined;
  return withLazySources(reference, cache, options, ({ getSources }) =>
    readContent({ text, getSources, cache, options }, digest),
  );
}

async function readContent(reading: Reading, named: string | undefined): Promise<Artefact> {
  const { text, getSources, cache, options } = reading;
  const raw = await readCachedManifest(getSources, named, cache, options);
  const manifest = parseImageManifest(raw.text, text);
  const type = textAt(parseObject(raw.text) ?? null, "artifactType");
  const [layer, ...more] = manifest.kind === "image" ? manifest.layers : [];
  if (manifest.kind !== "image" || type !== ARTEFACT_TYPE || layer === undefined || more.length > 0)
    throw new FailedError(`${text} is no artefact of 'preflight checks pack': its type is ${type ?? "not given"}`);
  const config = parseObject((await readBlob(reading, "config", manifest.config)).toString("utf8"));
  if (config === undefined) throw new FailedError(`${text} has a config that is not a JSON object`);
  return { digest: raw.digest, config, files: await unpack(await readBlob(reading, "layer", layer), text) };
}

async function readBlob(
  { text, getSources, cache, options }: Reading,
  what: string,
  blob: Descriptor,
): Promise<Buffer> {
  if (blob.size > MAX_MANIFEST_BYTES)
    throw new FailedError(`${text} has a ${what} of more than ${MAX_MANIFEST_BYTES >> 20} MiB`);
  const cached = cache.findContent(blob.digest);
  if (cached?.length === blob.size) return cached;
  const name = formatBlobName(what, blob);
  const { sources } = await getSources();
  const bytes = await tryEachSource(sources, options.signal, (source) => {
    const where = `${name} from ${source.name}`;
    return readWhole(verifyContent(source.readBlob(blob), blob, where), MAX_MANIFEST_BYTES, where);
  });
  await cache.addContent(blob.digest, bytes);
  return bytes;
}

async function unpack(layer: Buffer, text: string): Promise<readonly ArtefactFile[]> {
  const files = new Map<string, ArtefactFile>();
  const budget = createTarBudget(MAX_ARTEFACT_BYTES, MAX_ARTEFACT_FILES);
  await visitTar(toChunks(layer), text, budget, async (entry) => {
    requireAllowed(entry, text);
    if (entry.type === "directory" || !isYamlPath(entry.name)) return;
    if (files.has(entry.name)) throw new FailedError(`${text} has the file ${entry.name} twice`);
    const bytes = await readWhole(entry.body, MAX_ARTEFACT_BYTES, entry.name);
    files.set(entry.name, { path: entry.name, text: bytes.toString("utf8") });
  });
  return [...files.values()].toSorted((a, b) => compareText(a.path, b.path));
}

async function* toChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function requireAllowed({ name, type, isAbsolute }: TarEntry, text: string): void {
  const isFile = type === "file" || type === "directory";
  // The folder itself, "./".
  if (type === "directory" && name === "") return;
  if (isFile && !isAbsolute && isArtefactPath(name)) return;
  const what = isFile ? "a path that leads elsewhere" : "no regular file";
  throw new FailedError(`${text} can't be used: its entry ${JSON.stringify(name.slice(0, 100))} is ${what}`);
}
