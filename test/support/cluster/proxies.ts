import { createServer } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TestContext } from "node:test";
import { listenUntilEnd } from "./mock-server.ts";

export type TestProxy = { readonly port: number; readonly requests: string[]; readonly logins: string[] };

/** A proxy that connects to loopback for every requested host, at its port or another; with `refuse`, it answers with that status instead. */
export async function startConnectProxy(
  t: TestContext,
  refuse?: number,
  tls?: ServerOptions,
  port?: number,
): Promise<TestProxy> {
  const requests: string[] = [];
  const logins: string[] = [];
  const server = tls ? createTlsServer(tls) : createServer();
  server.on("connect", (request, client: Duplex) => {
    client.on("error", () => undefined);
    requests.push(request.url ?? "");
    logins.push(request.headers["proxy-authorization"] ?? "");
    if (refuse) return void client.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    return pipeBoth(t, client, connect(port ?? Number(request.url?.replace(/^.*:/, "")), "127.0.0.1"));
  });
  const listening = await listenUntilEnd(t, server);
  return { port: listening.port, requests, logins };
}

/** SOCKS 5 without a login. */
export async function startSocksProxy(t: TestContext): Promise<TestProxy> {
  const requests: string[] = [];
  const server = createTcpServer((client) => {
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (request: Buffer) => {
        const length = request[4] ?? 0;
        const host =
          request[3] === 3 ? request.toString("latin1", 5, 5 + length) : [...request.subarray(4, 8)].join(".");
        const port = request.readUInt16BE(request.length - 2);
        requests.push(`${host}:${port}`);
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        pipeBoth(t, client, connect(port, "127.0.0.1"));
      });
    });
  });
  const { port } = await listenUntilEnd(t, server);
  return { port, requests, logins: [] };
}

/** Passes on what comes to its port, and counts the bytes that come back. */
export async function startCountingProxy(
  t: TestContext,
  port: number,
): Promise<{ readonly port: number; readonly takeBytes: () => number }> {
  let bytes = 0;
  const server = createTcpServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    upstream.on("data", ({ length }: Buffer) => (bytes += length));
    pipeBoth(t, client, upstream);
  });
  const takeBytes = (): number => {
    const taken = bytes;
    bytes = 0;
    return taken;
  };
  return { port: (await listenUntilEnd(t, server)).port, takeBytes };
}

function pipeBoth(t: TestContext, client: Duplex, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
  for (const side of [client, upstream]) {
    side.on("error", () => undefined);
    t.after(() => side.destroy());
  }
}
