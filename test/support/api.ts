import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/model/json.ts";
import { isObject } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";

export type Answer = { readonly code: number; readonly body: JsonObject };

/** Writes to a test control plane as its administrator: kubectl takes a hundred times as long. */
export type Api = {
  readonly call: (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: JsonObject) => Promise<Answer>;
  readonly close: () => void;
};

export async function apiOf({ env }: ControlPlane): Promise<Api> {
  const pki = (name: string): Promise<Buffer> => readFile(join(env["ENVTEST_DIR"] ?? "", "pki", name));
  const [ca, cert, key] = await Promise.all([pki("ca.crt"), pki("admin.crt"), pki("admin.key")]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  const url = env["APISERVER_URL"] ?? "";
  return {
    call: (method, path, body) => ready(() => exchange(agent, method, `${url}${path}`, body)),
    close: () => agent.destroy(),
  };
}

const TRIES = 100;
const PAUSE = 50;

/** The store of a definition that is new or back takes a moment to fill. */
async function ready(attempt: () => Promise<Answer>): Promise<Answer> {
  let answer = await attempt();
  for (let tries = 0; tries < TRIES && (answer.code === 429 || answer.code === 503); tries += 1) {
    await sleep(PAUSE);
    answer = await attempt();
  }
  return answer;
}

function exchange(agent: Agent, method: string, url: string, body?: JsonObject): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const sent = request(url, { agent, method, headers, timeout: 20_000 }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("error", reject).on("end", () => resolve({ code: answer.statusCode ?? 0, body: parse(text) }));
    });
    sent.on("error", reject).on("timeout", () => sent.destroy(new Error(`${method} ${url}: no answer`)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return { message: text.trim() };
  }
}
