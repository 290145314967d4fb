import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../../src/model/json.ts";
import { sendJson } from "../../../verify/api-server/api-responses.ts";
import { writeServerKubeconfig } from "../../../verify/api-server/kubeconfig.ts";
import { listen } from "../../../verify/shared/loopback.ts";

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
    sendJson(response, body, code);
  });
  const port = await listen(server);
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return writeServerKubeconfig(folder, `http://127.0.0.1:${port}`);
}

/** An API server names the object that it does not have. */
function buildMissing(path: string): JsonObject {
  return { ...buildFailure(404, "NotFound", "not found"), details: { name: path.slice(path.lastIndexOf("/") + 1) } };
}

export function buildFailure(code: number, reason: string, message: string): JsonObject {
  return { apiVersion: "v1", kind: "Status", status: "Failure", code, reason, message };
}
