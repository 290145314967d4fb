import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Access, Connection } from "./connection.ts";
import { IDLE } from "./failures.ts";
import type { Clock } from "./retry.ts";

/** What all requests of one reader have in common. `idleMs`: how long a connection may be silent. */
export type Line = {
  readonly connection: Connection;
  readonly userAgent: string;
  readonly idleMs: number;
  readonly clock: Clock;
};

/**
 * The one place from which anything is sent to an API server: a GET. Rejects where no answer comes. Credentials that are refused are
 * renewed once.
 */
export async function send(
  line: Line,
  path: string,
  signal: AbortSignal,
  accept = "application/json",
): Promise<IncomingMessage> {
  const access = await unlessAborted(line.connection.access(), signal);
  const answer = await get(line, path, access, signal, accept);
  if (answer.statusCode !== 401) return answer;
  answer.destroy();
  return get(line, path, await unlessAborted(line.connection.renew(access), signal), signal, accept);
}

function get(line: Line, path: string, access: Access, signal: AbortSignal, accept: string): Promise<IncomingMessage> {
  const url = new URL(`${line.connection.server}${path}`);
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: "GET",
    agent: access.agent,
    headers: {
      ...access.headers,
      accept,
      "accept-encoding": "identity",
      "user-agent": line.userAgent,
    },
    timeout: line.idleMs,
    signal,
  });
  return new Promise((resolve, reject) => {
    request.once("timeout", () => request.destroy(idle()));
    request.on("error", reject);
    request.once("response", (answer) => {
      request.once("timeout", () => answer.destroy(idle()));
      resolve(answer);
    });
    request.end();
  });
}

function idle(): Error {
  return Object.assign(new Error("the connection was silent for too long"), { code: IDLE });
}

/** A credential plugin knows nothing of signals. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("aborted", { cause: signal.reason }));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
