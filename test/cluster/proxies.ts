import { createServer } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TestContext } from "node:test";
import { listen } from "./mock.ts";

export type Proxy = { readonly port: number; readonly asked: string[]; readonly logins: string[] };

/** A proxy that connects to loopback whatever host it is asked for; `refuse` answers with that status instead. */
export async function connectProxy(t: TestContext, refuse?: number, tls?: ServerOptions): Promise<Proxy> {
  const [asked, logins]: [string[], string[]] = [[], []];
  const server = tls ? createTlsServer(tls) : createServer();
  server.on("connect", (request, client: Duplex) => {
    asked.push(request.url ?? "");
    logins.push(request.headers["proxy-authorization"] ?? "");
    if (refuse) return void client.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    return join(t, client, connect(Number(request.url?.replace(/^.*:/, "")), "127.0.0.1"));
  });
  const { port } = await listen(t, server);
  return { port, asked, logins };
}

/** SOCKS 5 without a login. */
export async function socksProxy(t: TestContext): Promise<Proxy> {
  const asked: string[] = [];
  const server = createTcpServer((client) => {
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (request: Buffer) => {
        const length = request[4] ?? 0;
        const host =
          request[3] === 3 ? request.toString("latin1", 5, 5 + length) : [...request.subarray(4, 8)].join(".");
        const port = request.readUInt16BE(request.length - 2);
        asked.push(`${host}:${port}`);
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        join(t, client, connect(port, "127.0.0.1"));
      });
    });
  });
  const { port } = await listen(t, server);
  return { port, asked, logins: [] };
}

function join(t: TestContext, client: Duplex, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
  for (const side of [client, upstream]) {
    side.on("error", () => undefined);
    t.after(() => side.destroy());
  }
}
