import { join } from "node:path";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { EXECUTABLE } from "../../../verify/shared/preflight.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The SDK's own client, and the server as an assistant starts it. */
export async function connect(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  options: ClientOptions = {},
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [EXECUTABLE, "mcp", ...args],
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env },
  });
  const connected = new Client({ name: "test", version: "1" }, options);
  await connected.connect(transport);
  return connected;
}
