/**
 * Control planes for several processes: one starts them and keeps those that are given back, so that the next one of a kind is at hand
 * whichever process asks. A lease is a connection: its first line asks, the answer has the variables, and its last line says what
 * becomes of the control plane, which ends if the process that has it ends before that.
 */
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { formatError } from "../../src/model/errors.ts";
import type { Env } from "./envtest.ts";
import { type Lease, leasePlane } from "./plane-pool.ts";

type Request = { readonly key: string; readonly options: readonly string[] };
type Answer = { readonly env: Env } | { readonly error: string };

/** The socket of the host, if there is one. */
export const PLANE_HOST = "PREFLIGHT_PLANE_HOST";

export function hostPlanes(socket: string): Server {
  return createServer({ allowHalfOpen: true }, (connection) => {
    // It closes then.
    connection.on("error", () => undefined);
    void serve(connection).finally(() => connection.end());
  }).listen(socket);
}

async function serve(connection: Socket): Promise<void> {
  const asked = await readLine(connection);
  if (asked === undefined) return;
  const { key, options }: Request = JSON.parse(asked);
  const lease = await leasePlane(key, () => Promise.resolve(options)).catch(formatError);
  if (typeof lease === "string") return send(connection, { error: lease });
  send(connection, { env: lease.env });
  await ((await readLine(connection)) === "giveBack" ? lease.giveBack() : lease.discard());
}

function send(connection: Socket, answer: Answer): void {
  connection.write(`${JSON.stringify(answer)}\n`);
}

/** As leasePlane, of another process. */
export async function leaseFromHost(socket: string, key: string, options: readonly string[]): Promise<Lease> {
  const connection = createConnection(socket);
  const ended = new Promise<void>((resolve) => connection.on("close", resolve));
  const request: Request = { key, options };
  connection.write(`${JSON.stringify(request)}\n`);
  const line = await readLine(connection);
  const answer: Answer = line === undefined ? { error: "the host of control planes has ended" } : JSON.parse(line);
  if ("error" in answer) {
    connection.destroy();
    throw new Error(answer.error);
  }
  // A process that has done its work may end with a control plane in its hands.
  connection.unref();
  const say = async (word: "giveBack" | "discard"): Promise<void> => {
    connection.ref();
    if (!connection.writableEnded) connection.end(`${word}\n`);
    await ended;
  };
  return { env: answer.env, giveBack: () => say("giveBack"), discard: () => say("discard") };
}

/** The next line; undefined if the other side ends without one. */
function readLine(connection: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (line: string | undefined): void => {
      connection.off("data", read).off("end", close).off("close", close);
      resolve(line);
    };
    const close = (): void => end(undefined);
    const read = (more: string): void => {
      text += more;
      if (text.endsWith("\n")) end(text.trimEnd());
    };
    connection.setEncoding("utf8").on("data", read).on("end", close).on("close", close);
    if (connection.readableEnded || connection.destroyed) close();
  });
}
