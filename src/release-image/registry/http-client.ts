import type { Agent, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import { FailedError, formatError } from "../../model/errors.ts";
import { createAgent } from "../../network/agent.ts";
import { buildIdleError, describeConnectionError, isIdleError } from "../../network/connection-error.ts";
import { findProxyInEnv } from "../../network/proxy.ts";
import { type Attempt, type Clock, systemClock, withRetries } from "../../network/retry.ts";
import type { ImageOptions } from "../image-options.ts";
import { openCertificates } from "./certificates.ts";
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

/** Sends requests to registries and what they refer to: over TLS alone, through the environment's proxies. */
export type HttpClient = {
  /** One try. Rejects with a FailedError; with a TransientError if another try may succeed. */
  readonly send: (url: URL, request?: HttpRequest) => Promise<IncomingMessage>;
  readonly retry: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** What an error means that a response's body threw. */
  readonly toBodyError: (thrown: unknown, url: URL) => FailedError;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly close: () => void;
};

const IDLE_TIMEOUT_MS = 30_000;

export async function openHttpClient(options: ImageOptions): Promise<HttpClient> {
  const { env, signal, userAgent, clock = systemClock } = options;
  const transfers = createTransferWatch(clock, options.transferLimits);
  const readCertificates = await openCertificates(options);
  const closing = new AbortController();
  const agents = new Map<string, Promise<Agent>>();
  const openAgent = async (url: URL): Promise<Agent> =>
    createAgent(url, findProxy(url, env), await readCertificates(url.host), closing.signal);
  const getAgent = (url: URL): Promise<Agent> => {
    const agent = agents.get(url.origin) ?? openAgent(url);
    agents.set(url.origin, agent);
    return agent;
  };
  const toError = (thrown: unknown, url: URL): FailedError => toConnectionError(thrown, url, signal);
  return {
    send: async (url, request = {}) => {
      if (url.protocol !== "https:")
        throw new FailedError(`${url.origin} is not contacted: it is not an https address`);
      transfers.requireTime(url.host);
      try {
        return await sendOnce(url, request, { agent: await getAgent(url), userAgent, signal, transfers });
      } catch (thrown) {
        throw toSendError(toError(thrown, url), thrown);
      }
    },
    retry: (attempt) => retry(attempt, clock, signal),
    toBodyError: toError,
    clock,
    signal,
    close: () => {
      closing.abort();
      for (const agent of agents.values())
        void agent.then(
          (opened) => opened.destroy(),
          () => undefined,
        );
    },
  };
}

function findProxy(url: URL, env: ImageOptions["env"]): URL | undefined {
  const text = findProxyInEnv(url, env);
  if (text === undefined) return undefined;
  if (URL.canParse(text)) return new URL(text);
  throw new FailedError("The proxy of the environment is not a URL: correct it");
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
  const request = requestHttps(url, {
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

const HINTS = {
  untrusted: ": give its certificate authority with --registry-ca",
  notTls: ": registries are contacted over TLS only",
  idle: "",
  other: "",
};

function toConnectionError(thrown: unknown, url: URL, signal: AbortSignal): FailedError {
  if (signal.aborted) return new FailedError(formatError(signal.reason));
  if (thrown instanceof FailedError) return thrown;
  const { kind, predicate, isRetriable } = describeConnectionError(thrown);
  const message = `${url.host}${predicate}${HINTS[kind]}`;
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
