import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../../src/model/json.ts";

export type FakeResponse = { readonly code: number; readonly body: JsonObject };

/** An API server that answers reads with `respond`, or 404; resolves to the path of a kubeconfig for it. */
export async function startFakeCluster(
  t: TestContext,
  respond: (path: string, method: string) => FakeResponse | undefined,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? "").replace(/\?.*$/, "");
    const { code, body } = respond(path, request.method ?? "") ?? { code: 404, body: buildMissing(path) };
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return writeKubeconfig(join(folder, "kubeconfig"), `http://127.0.0.1:${port}`);
}

/** An API server names the object that it does not have. */
function buildMissing(path: string): JsonObject {
  return { ...buildFailure(404, "NotFound", "not found"), details: { name: path.slice(path.lastIndexOf("/") + 1) } };
}

export function buildFailure(code: number, reason: string, message: string): JsonObject {
  return { apiVersion: "v1", kind: "Status", status: "Failure", code, reason, message };
}

async function writeKubeconfig(path: string, server: string): Promise<string> {
  const [cluster, user] = [
    { name: "fake", cluster: { server } },
    { name: "fake", user: { token: "token" } },
  ];
  const context = { name: "fake", context: { cluster: "fake", user: "fake" } };
  const config = { clusters: [cluster], users: [user], contexts: [context], "current-context": "fake" };
  await writeFile(path, JSON.stringify({ apiVersion: "v1", kind: "Config", ...config }));
  return path;
}
