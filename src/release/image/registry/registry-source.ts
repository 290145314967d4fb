import type { IncomingMessage } from "node:http";
import { DamagedContentError } from "../../../encoding/damaged-content.ts";
import { FailedError } from "../../../model/errors.ts";
import { listAt, parseObject, textAt } from "../../../model/json.ts";
import { quote } from "../../../model/text.ts";
import { MAX_TRIES, computeDelay } from "../../../network/retry.ts";
import type { Descriptor, ImageSource, RawManifest } from "../image-manifest.ts";
import { MANIFEST_TYPES, MAX_MANIFEST_BYTES, formatBlobName } from "../image-manifest.ts";
import type { ImageOptions } from "../image-options.ts";
import type { ImageSources } from "../image-sources.ts";
import { type RegistryReference } from "../reference.ts";
import { algorithmOf, computeContentDigest, readWhole } from "../verified-content.ts";
import { type Authorizer, buildLoginError, createAuthorizer } from "./authorizer.ts";
import { type CredentialFinder, type RegistryCredentials, createCredentialFinder } from "./credential-files.ts";
import { type HttpClient, TransientError, openHttpClient } from "./http-client.ts";

type Repository = {
  readonly name: string;
  readonly reference: RegistryReference;
  readonly http: HttpClient;
  readonly authorizer: Authorizer;
  readonly getCredentials: () => Promise<RegistryCredentials>;
};

/** Opens a repository for each reference. They share connections and credentials. */
export async function openRegistrySources(
  references: readonly RegistryReference[],
  options: ImageOptions,
): Promise<ImageSources> {
  const http = await openHttpClient(options);
  const findCredentials = createCredentialFinder(options);
  return {
    sources: references.map((reference) => createRegistrySource(reference, http, findCredentials)),
    close: http.close,
  };
}

export function createRegistrySource(
  reference: RegistryReference,
  http: HttpClient,
  findCredentials: CredentialFinder,
): ImageSource {
  const { host, repository } = reference;
  let found: Promise<RegistryCredentials> | undefined;
  const getCredentials = (): Promise<RegistryCredentials> => (found ??= findCredentials(host, repository));
  const authorizer = createAuthorizer(host, repository, getCredentials, http);
  const source = { name: `${host}/${repository}`, reference, http, authorizer, getCredentials };
  return {
    name: source.name,
    readManifest: (digest) => readManifest(source, digest ?? reference.digest),
    readBlob: (blob) => readBlob(source, blob),
  };
}

async function readManifest(repository: Repository, digest: string | undefined): Promise<RawManifest> {
  const { name, reference, http } = repository;
  const image = digest === undefined ? `the tag ${reference.tag ?? ""}` : `the image ${digest}`;
  const url = buildUrl(reference, `manifests/${digest ?? reference.tag ?? ""}`);
  return http.retry(async () => {
    const response = await request(repository, url, { accept: MANIFEST_TYPES.join(", ") });
    const bytes = await readAnswer(response, MAX_MANIFEST_BYTES, url, repository);
    if (response.statusCode === 404) throw new FailedError(`${name} does not have ${image}`);
    if (response.statusCode !== 200) throw buildStatusError(response, bytes, url, repository);
    const header = response.headers["docker-content-digest"];
    const expected = digest ?? (typeof header === "string" && header.startsWith("sha256:") ? header : undefined);
    const actual = computeContentDigest(bytes, expected === undefined ? "sha256" : algorithmOf(expected));
    if (expected !== undefined && actual !== expected)
      throw new DamagedContentError(
        `the manifest of ${image} from ${name} is damaged: its content has the digest ${actual}`,
      );
    return { text: bytes.toString("utf8"), digest: actual };
  });
}

/** The bytes of a blob. If the transfer breaks off, it is resumed where it was. */
async function* readBlob(repository: Repository, blob: Descriptor): AsyncGenerator<Uint8Array> {
  const { name, http } = repository;
  let offset = 0;
  let tries = 0;
  let triesOffset = 0;
  while (offset < blob.size) {
    try {
      for await (const chunk of await openBlob(repository, blob, offset)) {
        offset += chunk.length;
        yield chunk;
      }
      if (offset < blob.size) throw new TransientError(`${name} cut the connection`);
    } catch (thrown) {
      if (!(thrown instanceof TransientError)) throw thrown;
      // Tries count from the last progress, so a slow line may break any number of times.
      [tries, triesOffset] = offset > triesOffset ? [1, offset] : [tries + 1, triesOffset];
      if (tries >= MAX_TRIES) throw buildBrokenError(thrown, blob, offset);
      await http.clock.sleep(computeDelay(tries, thrown.retryAfter, http.clock), http.signal);
    }
  }
}

function buildBrokenError({ message }: FailedError, blob: Descriptor, offset: number): FailedError {
  if (offset === 0) return new FailedError(message);
  const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  const progress = `${mebibytes(offset)} of ${mebibytes(blob.size)} MiB`;
  return new FailedError(
    `${message}: ${formatBlobName("layer", blob)} broke off after ${progress}, ${MAX_TRIES} times`,
  );
}

async function openBlob(repository: Repository, blob: Descriptor, offset: number): Promise<AsyncIterable<Uint8Array>> {
  const url = buildUrl(repository.reference, `blobs/${blob.digest}`);
  const response = await request(repository, url, offset === 0 ? {} : { range: `bytes=${offset}-` });
  const status = response.statusCode ?? 0;
  const skip = status === 200 ? offset : 0;
  const isResumed = status === 206 && response.headers["content-range"]?.startsWith(`bytes ${offset}-`) === true;
  if (status === 200 || isResumed) return skipBytes(response, skip, url, repository);
  const body = await readAnswer(response, MAX_MANIFEST_BYTES, url, repository);
  if (status === 404)
    throw new FailedError(
      `${repository.name} lacks the ${formatBlobName("layer", blob)} of the image: push or mirror the image again`,
    );
  throw buildStatusError(response, body, url, repository);
}

/** A server that ignores the range sends the content from its beginning. */
async function* skipBytes(
  response: IncomingMessage,
  skip: number,
  url: URL,
  { http }: Repository,
): AsyncGenerator<Uint8Array> {
  let left = skip;
  const chunks: AsyncIterable<Uint8Array> = response;
  try {
    for await (const chunk of chunks) {
      const rest = chunk.subarray(Math.min(left, chunk.length));
      left -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  } catch (thrown) {
    throw http.toBodyError(thrown, url);
  }
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a GET, logs in if asked to, and follows redirects, to which it sends no credentials. */
async function request(
  repository: Repository,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const { http, authorizer, reference, getCredentials } = repository;
  let response = await sendAuthorized(repository, url, headers);
  if (response.statusCode === 401) {
    response.resume();
    await authorizer.answer(response.headers["www-authenticate"] ?? "");
    response = await sendAuthorized(repository, url, headers);
  }
  if (response.statusCode === 401) {
    response.resume();
    throw buildLoginError(reference.host, await getCredentials());
  }
  let here = url;
  for (let count = 0; REDIRECTS.has(response.statusCode ?? 0); count += 1) {
    response.resume();
    const location = response.headers.location ?? "";
    if (count === MAX_REDIRECTS || !URL.canParse(location, here.href))
      throw new FailedError(`${here.host} redirects to nowhere (${response.statusCode ?? 0})`);
    here = new URL(location, here);
    response =
      here.origin === url.origin ? await sendAuthorized(repository, here, headers) : await http.send(here, { headers });
  }
  return response;
}

function sendAuthorized(
  { http, authorizer }: Repository,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const authorization = authorizer.current();
  return http.send(url, { headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) } });
}

function buildUrl({ host, repository }: RegistryReference, rest: string): URL {
  return new URL(`https://${host}/v2/${repository}/${rest}`);
}

async function readAnswer(response: IncomingMessage, limit: number, url: URL, { http }: Repository): Promise<Buffer> {
  try {
    return await readWhole(response, limit, `the answer of ${url.host}`);
  } catch (thrown) {
    throw http.toBodyError(thrown, url);
  }
}

const MAX_QUOTED_LENGTH = 120;

function buildStatusError(response: IncomingMessage, body: Buffer, url: URL, { name }: Repository): FailedError {
  const status = response.statusCode ?? 0;
  const error = listAt(parseObject(body.toString("utf8")), "errors")[0];
  const message = quote(textAt(error, "message") ?? textAt(error, "code") ?? "", MAX_QUOTED_LENGTH);
  const why = message === "" ? `${status}` : `${status}: ${message}`;
  if (status === 403) return new FailedError(`${name} may not be pulled with these credentials (${why})`);
  const text = `${url.host} answered with an error for ${name} (${why})`;
  return status === 429 || status >= 500
    ? new TransientError(text, response.headers["retry-after"])
    : new FailedError(text);
}
