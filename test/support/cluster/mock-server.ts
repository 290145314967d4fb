import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { connect } from "../../../src/cluster/access/connect.ts";
import type { Connection } from "../../../src/cluster/access/connection.ts";
import { createLiveReader } from "../../../src/cluster/live/live-reader.ts";
import type { Clock } from "../../../src/network/retry.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { buildKubeconfig, type KubeconfigParts } from "../../../verify/api-server/kubeconfig.ts";
import { listen } from "../../../verify/shared/loopback.ts";

export type MockServer = {
  readonly url: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  readonly sockets: Set<Socket>;
};

/** Serves on a loopback address until the test ends. */
export async function serve(
  t: TestContext,
  handler: RequestListener,
  tls?: ServerOptions,
  host = "127.0.0.1",
): Promise<MockServer> {
  const requests: IncomingMessage[] = [];
  const counting: RequestListener = (request, response) => {
    requests.push(request);
    handler(request, response);
  };
  const server = tls ? createTlsServer(tls, counting) : createServer(counting);
  const { port, sockets } = await listenUntilEnd(t, server, host);
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `${tls ? "https" : "http"}://${name}:${port}`, port, requests, sockets };
}

/** Listens on a free loopback port; all connections are closed when the test ends. */
export async function listenUntilEnd(
  t: TestContext,
  server: Server,
  host = "127.0.0.1",
): Promise<{ readonly port: number; readonly sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  const port = await listen(server, host);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, sockets };
}

export function buildStatus(code: number, reason: string, message: string, details: JsonObject = {}): JsonObject {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message, details };
}

export function createFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "preflight-cluster-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A kubeconfig with one context named "here". */
export function writeKubeconfig(t: TestContext, parts: KubeconfigParts): string {
  const file = join(createFolder(t), "config");
  writeFileSync(file, JSON.stringify(buildKubeconfig(parts)));
  return file;
}

/** Never waits: it records how long it would have waited, and its time passes by as much. */
export function createFakeClock(start = 0): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    random: () => 1,
    now: () => now,
  };
}

export type OpenReader = { readonly reader: Reader; readonly connection: Connection; readonly slept: number[] };

/** A live reader of the kubeconfig's cluster, closed when the test ends. */
export async function openReader(t: TestContext, file: string, idleTimeoutMs?: number): Promise<OpenReader> {
  const connection = await connect({ kubeconfig: file, env: {} });
  t.after(connection.close);
  const clock = createFakeClock();
  const options = {
    userAgent: "target-release-preflight/1.2.3",
    clock,
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
  return { reader: createLiveReader(connection, options), connection, slept: clock.slept };
}

/** Names of the objects left after a list, however often it started over. */
export function createCollector(): {
  readonly names: () => readonly string[];
  readonly objects: () => readonly JsonObject[];
  readonly begun: () => number;
  readonly begin: () => (object: JsonObject) => void;
} {
  let seen: JsonObject[] = [];
  let begun = 0;
  const begin = (): ((object: JsonObject) => void) => {
    begun++;
    seen = [];
    const mine = seen;
    return (object) => void mine.push(object);
  };
  const nameOf = (object: JsonObject): string =>
    JSON.stringify(object["metadata"]).replace(/^.*"name":"([^"]*)".*$/, "$1");
  return { names: () => seen.map(nameOf), objects: () => seen, begun: () => begun, begin };
}

export const neverAborted = new AbortController().signal;
