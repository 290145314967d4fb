import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { ConnectionError } from "../../../network/connection-error.ts";
import { buildIdleError, describeConnectionError, isIdleError } from "../../../network/connection-error.ts";
import { chooseProxy } from "../../../network/proxy.ts";
import { type Attempt, type Clock, systemClock, withRetries } from "../../../network/retry.ts";
import type { ClusterEgress, ImageOptions } from "../image-options.ts";
import { type AgentOptions, findEgress, openAgents } from "./agents.ts";
import { type TransferWatch, createTransferWatch } from "./transfer-limits.ts";

/** A failure that another try may not have. `retryAfter`: the header of that name. */
export class TransientError extends FailedError {
  readonly retryAfter: string | undefined;
  constructor(message: string, retryAfter?: string) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

export type HttpRequest = {
  readonly headers?: OutgoingHttpHeaders;
  /** Sends a POST with this form. */
  readonly form?: URLSearchParams;
};

export type HttpOptions = AgentOptions & Pick<ImageOptions, "signal" | "userAgent" | "clock" | "transferLimits">;

/** Sends requests to registries and what they refer to, to update services and to signature stores. */
export type HttpClient = {
  /** One try. Rejects with a FailedError; with a TransientError if another try may succeed. */
  readonly send: (url: URL, request?: HttpRequest) => Promise<IncomingMessage>;
  readonly retry: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** What an error means that a response's body threw. */
  readonly toBodyError: (thrown: unknown, url: URL) => FailedError;
  /** What to do about a server that does not answer, to stand behind the error. */
  readonly formatSilenceHint: (url: URL) => string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly close: () => void;
};

const IDLE_TIMEOUT_MS = 30_000;

export async function openHttpClient(options: HttpOptions): Promise<HttpClient> {
  const { env, signal, userAgent, clock = systemClock, anonymous } = options;
  const transfers = createTransferWatch(clock, options.transferLimits);
  const agents = await openAgents(options);
  const toFailed = (url: URL): FailedConnection => {
    return { url, env, isAnonymous: anonymous !== undefined, egress: findEgress(url, anonymous) };
  };
  const toError = (thrown: unknown, url: URL): FailedError => toConnectionError(thrown, toFailed(url), signal);
  return {
    send: async (url, request = {}) => {
      if (url.protocol !== "https:" && !anonymous?.isPlainHttpAllowed)
        throw new FailedError(`${url.origin} is not contacted: it is not an https address`);
      transfers.requireTime(url.host);
      try {
        return await sendOnce(url, request, { agent: await agents.get(url), userAgent, signal, transfers });
      } catch (thrown) {
        throw toSendError(toError(thrown, url), thrown);
      }
    },
    retry: (attempt) => retry(attempt, clock, signal),
    toBodyError: toError,
    formatSilenceHint: (url) => formatHint("unreachable", toFailed(url)),
    clock,
    signal,
    close: agents.close,
  };
}

type Sending = {
  readonly agent: Agent;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly transfers: TransferWatch;
};

function sendOnce(
  url: URL,
  { headers, form }: HttpRequest,
  { agent, userAgent, signal, transfers }: Sending,
): Promise<IncomingMessage> {
  const type = form && { "content-type": "application/x-www-form-urlencoded" };
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: form ? "POST" : "GET",
    agent,
    headers: { ...headers, ...type, "accept-encoding": "identity", "user-agent": userAgent },
    timeout: IDLE_TIMEOUT_MS,
    signal,
  });
  let receiving: IncomingMessage | undefined;
  const end = (why: Error): unknown => (receiving ?? request).destroy(why);
  request.on("timeout", () => end(buildIdleError()));
  transfers.watch(request, url.host, end);
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.once("response", (response) => {
      receiving = response;
      resolve(response);
    });
    request.end(form?.toString());
  });
}

function toConnectionError(thrown: unknown, failed: FailedConnection, signal: AbortSignal): FailedError {
  if (signal.aborted) return new FailedError(formatError(signal.reason));
  if (thrown instanceof FailedError) return thrown;
  const { kind, predicate, isRetriable } = describeConnectionError(thrown);
  const message = `${failed.url.host}${predicate}${formatHint(kind, failed)}`;
  return isRetriable ? new TransientError(message) : new FailedError(message);
}

/** A host that does not even answer is often behind a firewall: trying again would only delay the next mirror. */
function toSendError(error: FailedError, thrown: unknown): FailedError {
  return isIdleError(thrown) ? new FailedError(error.message) : error;
}

async function retry<T>(attempt: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const outcome = await withRetries(
    async (): Promise<Attempt<{ readonly value: T }, FailedError>> => {
      try {
        return { kind: "done", value: { value: await attempt() } };
      } catch (thrown) {
        if (!(thrown instanceof TransientError)) throw thrown;
        return { kind: "retry", failure: thrown, retryAfter: thrown.retryAfter };
      }
    },
    clock,
    signal,
  );
  if (outcome instanceof FailedError) throw outcome;
  return outcome.value;
}

/** Where a connection failed: `egress` is the cluster's, if it counts there. */
type FailedConnection = {
  readonly url: URL;
  readonly env: ImageOptions["env"];
  /** Whether the address takes no credentials: an update service or a signature store. */
  readonly isAnonymous: boolean;
  readonly egress: ClusterEgress | undefined;
};

/** What a person can do about it, to stand behind the error: ": give its certificate authority with --registry-ca". */
function formatHint(kind: ConnectionError["kind"], failed: FailedConnection): string {
  const { egress, isAnonymous } = failed;
  const authorityProblems = formatProblems(egress?.authorityProblems);
  const proxyProblems = formatProblems(egress?.proxyProblems);
  switch (kind) {
    case "untrusted":
      return `: give its certificate authority with --registry-ca${egress ? ", or in trustedCA of Proxy cluster, as the operator needs it" : ""}${authorityProblems}`;
    case "untrustedProxy":
      return `: give the certificate authority of the proxy with --registry-ca${authorityProblems}`;
    case "notTls":
      return isAnonymous ? "" : ": registries are contacted over TLS only";
    case "proxy":
      return formatProxyHint(failed);
    case "unreachable":
    case "idle":
      return isAnonymous ? `${formatDirectHint(failed)}${proxyProblems}` : "";
    case "other":
      return "";
  }
}

function formatProblems(problems: readonly string[] = []): string {
  return problems.map((problem) => `; ${problem}`).join("");
}

function formatProxyHint({ url, env, egress }: FailedConnection): string {
  const choice = chooseProxy(url, env, egress?.proxy);
  if (choice.kind !== "proxy" || choice.origin !== "cluster") return "";
  return ": Proxy cluster names it; set HTTPS_PROXY to use another, or NO_PROXY to use none";
}

function formatDirectHint({ url, env, egress }: FailedConnection): string {
  if (chooseProxy(url, env, egress?.proxy).kind !== "none") return "";
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return `: if only a proxy leads there, set ${name}${egress ? " or Proxy cluster" : ""}`;
}
