import type { Server } from "node:net";

/** Listens on a loopback address, on a free port unless one is given; resolves with the port. */
export async function listen(server: Server, host = "127.0.0.1", wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(wanted, host, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
