import { createServer, type Server, type ServerResponse } from "node:http";
import { FailedError, UsageError } from "../model/errors.ts";

/** What /readyz answers: undefined where all is well, else why not. */
export type Readiness = () => string | undefined;

/** What /metrics answers. */
type Metrics = { readonly text: () => Promise<string>; readonly contentType: string };

export type Serving = { readonly address: string; readonly close: () => Promise<void> };

/** Serves /healthz, /readyz and /metrics on "HOST:PORT", "[::1]:PORT" or ":PORT"; GET and HEAD only. */
export async function serve(listen: string, metrics: Metrics, readiness: Readiness): Promise<Serving> {
  const { host, port } = parseAddress(listen, "listen");
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "GET or HEAD only\n");
    void respond(request.url ?? "/", response, metrics, readiness);
  });
  await listening(server, host, port, listen);
  const bound = server.address();
  const address = typeof bound === "object" && bound !== null ? `${host ?? ""}:${bound.port}` : listen;
  return { address, close: () => closed(server) };
}

async function respond(url: string, response: ServerResponse, metrics: Metrics, readiness: Readiness): Promise<void> {
  const [path] = url.split("?");
  if (path === "/healthz") return answer(response, 200, "ok\n");
  if (path === "/readyz") {
    const why = readiness();
    return why === undefined ? answer(response, 200, "ok\n") : answer(response, 503, `${why}\n`);
  }
  if (path === "/metrics") return answer(response, 200, await metrics.text(), metrics.contentType);
  return answer(response, 404, "there are /healthz, /readyz and /metrics\n");
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(text);
}

type Address = { readonly host: string | undefined; readonly port: number };

/** Of the flag: without a host, every address is meant. */
export function parseAddress(listen: string, flag: string): Address {
  const found = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]*)):(?<port>\d{1,5})$/.exec(listen);
  const port = Number(found?.groups?.["port"]);
  if (!found || port > 65_535)
    throw new UsageError(`--${flag} "${listen}" is no address: give one such as 127.0.0.1:9099 or :9099`);
  return { host: found.groups?.["v6"] ?? (found.groups?.["host"] || undefined), port };
}

async function listening(server: Server, host: string | undefined, port: number, listen: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new FailedError(`can't listen on ${listen}: ${error.message}`)));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
