import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, isObject, parseJson } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";

export type AdminResponse = {
  readonly code: number;
  readonly body: JsonObject;
  /** The texts of the response's Warning headers. */
  readonly warnings: readonly string[];
};

/** Writes to a test control plane as its administrator; kubectl would take a hundred times as long. */
export type AdminApi = {
  readonly call: (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    /** A text is sent as it is. */
    body?: JsonObject | string,
    contentType?: string,
  ) => Promise<AdminResponse>;
  /** One attempt: a refused eviction is answered with 429, as is a request that comes too early. */
  readonly attempt: (method: "GET" | "POST", path: string, body?: JsonObject) => Promise<AdminResponse>;
  /** The kinds that are served: of the core group under /api, of all others under /apis. */
  readonly discover: (root: "/api" | "/apis") => Promise<AdminResponse>;
  readonly close: () => void;
};

const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export async function connectAdminApi({ env }: Pick<ControlPlane, "env">): Promise<AdminApi> {
  const agent = new Agent({ keepAlive: true, ca: await readFile(join(env["ENVTEST_DIR"] ?? "", "pki/ca.crt")) });
  const server: Server = { agent, url: env["APISERVER_URL"] ?? "", token: env["ADMIN_TOKEN"] ?? "" };
  return {
    call: (method, path, body, contentType) =>
      retryUntilReady(() => sendRequest(server, method, path, body, contentType)),
    attempt: (method, path, body) => sendRequest(server, method, path, body),
    discover: (root) =>
      retryUntilReady(() => sendRequest(server, "GET", root, undefined, "application/json", DISCOVERY)),
    close: () => agent.destroy(),
  };
}

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 50;

/** The watch cache of a new or recreated definition takes a moment to fill. */
async function retryUntilReady(attempt: () => Promise<AdminResponse>): Promise<AdminResponse> {
  let answer = await attempt();
  for (let tries = 0; tries < MAX_ATTEMPTS && (answer.code === 429 || answer.code === 503); tries += 1) {
    await sleep(PAUSE_MS);
    answer = await attempt();
  }
  return answer;
}

/** A busy machine may keep an API server from answering for long; one that never does ends a test. */
const ANSWER_MS = 120_000;

type Server = { readonly agent: Agent; readonly url: string; readonly token: string };

function sendRequest(
  { agent, url, token }: Server,
  method: string,
  path: string,
  body?: JsonObject | string,
  contentType = "application/json",
  accept = "application/json",
): Promise<AdminResponse> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": contentType, accept };
    const outgoing = request(`${url}${path}`, { agent, method, headers, timeout: ANSWER_MS }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      const warnings = (answer.headersDistinct["warning"] ?? []).map(parseWarning);
      answer
        .on("error", reject)
        .on("end", () => resolve({ code: answer.statusCode ?? 0, body: parseBody(text), warnings }));
    });
    outgoing.on("error", reject).on("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
    outgoing.end(typeof body === "object" ? JSON.stringify(body) : body);
  });
}

function parseBody(text: string): JsonObject {
  const value = parseJson(text);
  if (value === undefined) return { message: text.trim() };
  return isObject(value) ? value : {};
}

/** The text of `299 - "text"`. */
function parseWarning(header: string): string {
  return (/"(.*)"/s.exec(header)?.[1] ?? header).replaceAll(/\\(.)/gs, "$1");
}
