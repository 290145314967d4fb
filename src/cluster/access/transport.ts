import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { RequestAuth, Connection } from "./connection.ts";
import { IDLE_CODE } from "./failures.ts";
import type { Clock } from "./retry.ts";

/** What all requests of one reader have in common. `idleMs`: how long a connection may be silent. */
export type Transport = {
  readonly connection: Connection;
  readonly userAgent: string;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
};

/**
 * The one place from which anything is sent to an API server: a GET. Rejects where no answer comes. Credentials that are refused are
 * renewed once.
 */
export async function sendGet(
  transport: Transport,
  path: string,
  signal: AbortSignal,
  accept = "application/json",
): Promise<IncomingMessage> {
  const access = await rejectOnAbort(transport.connection.access(), signal);
  const response = await sendOnce(transport, path, access, signal, accept);
  if (response.statusCode !== 401) return response;
  response.destroy();
  return sendOnce(transport, path, await rejectOnAbort(transport.connection.renew(access), signal), signal, accept);
}

function sendOnce(
  transport: Transport,
  path: string,
  access: RequestAuth,
  signal: AbortSignal,
  accept: string,
): Promise<IncomingMessage> {
  const url = new URL(`${transport.connection.server}${path}`);
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: "GET",
    agent: access.agent,
    headers: {
      ...access.headers,
      accept,
      "accept-encoding": "identity",
      "user-agent": transport.userAgent,
    },
    timeout: transport.idleTimeoutMs,
    signal,
  });
  return new Promise((resolve, reject) => {
    request.once("timeout", () => request.destroy(buildIdleError()));
    request.on("error", reject);
    request.once("response", (response) => {
      request.once("timeout", () => response.destroy(buildIdleError()));
      resolve(response);
    });
    request.end();
  });
}

function buildIdleError(): Error {
  return Object.assign(new Error("the connection was silent for too long"), { code: IDLE_CODE });
}

/** A credential plugin knows nothing of signals. */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("aborted", { cause: signal.reason }));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
