import { readFileBytes } from "../../../files/named-file.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import type { ClusterEgress, ImageOptions } from "../image-options.ts";
import { openHttpClient, type HttpClient } from "../registry/http-client.ts";
import { readWhole } from "../verified-content.ts";
import type { FoundSignature } from "./release-signature.ts";

/** What a store has of an image; `failure`: why it could not be searched. */
export type StoreResult = { readonly signatures: readonly FoundSignature[]; readonly failure?: string };

const MAX_SIGNATURES = 10;
const MAX_SIGNATURE_BYTES = 1 << 20;
/** A store that is not reachable must not hold up the checks. */
const TIMEOUT_MS = 10_000;

/**
 * Reads the signatures of an image in a store: a URL or a folder, with files `sha256=<hex>/signature-1` and so on. `readEgress`: what the
 * cluster's operator uses to reach a URL. Never rejects.
 */
export async function readSignatureStore(
  store: string,
  digest: string,
  options: ImageOptions,
  readEgress?: () => Promise<ClusterEgress>,
): Promise<StoreResult> {
  const signatures: FoundSignature[] = [];
  const isUrl = /^https?:/.test(store);
  const egress = isUrl ? await readEgress?.() : undefined;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([options.signal, timeout]);
  const http = await openHttpClient({ ...options, signal, anonymous: { egress } });
  try {
    for (let number = 1; number <= MAX_SIGNATURES; number += 1) {
      const origin = `${store.replace(/(?<!\/)\/+$/, "")}/${digest.replace(":", "=")}/signature-${number}`;
      const bytes = isUrl ? await fetchSignature(origin, http) : await readSignatureFile(origin);
      if (!bytes) break;
      signatures.push({ bytes, origin });
    }
    return { signatures };
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    const hint = isUrl && URL.canParse(store) ? http.formatSilenceHint(new URL(store)) : "";
    const why = timeout.aborted ? `it did not answer in time${hint}` : thrown.message;
    return { signatures, failure: why };
  } finally {
    http.close();
  }
}

async function fetchSignature(address: string, http: HttpClient): Promise<Buffer | undefined> {
  if (!URL.canParse(address)) throw new FailedError(`${address} is not a URL`);
  const url = new URL(address);
  const response = await http.send(url);
  const { statusCode = 0 } = response;
  try {
    const bytes = await readWhole(response, MAX_SIGNATURE_BYTES, address);
    if (statusCode === 404) return undefined;
    if (statusCode === 200) return bytes;
  } catch (thrown) {
    throw http.toBodyError(thrown, url);
  }
  throw new FailedError(`${url.host} answered with ${statusCode}`);
}

async function readSignatureFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFileBytes(path, MAX_SIGNATURE_BYTES, { pipes: "refuse" });
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    throw new FailedError(`${path} can't be read (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
