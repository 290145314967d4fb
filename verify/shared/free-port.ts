import { createServer } from "node:net";
import { listen } from "./loopback.ts";

/** A currently free port of the loopback address. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
