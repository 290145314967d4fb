import type { ApiResponse, WatchEnd } from "../../../src/cluster/writer/api-client.ts";
import type { WatchEvent } from "../../../src/cluster/access/watch-events.ts";
import type { CachedClientConfig } from "../../../src/controller/api/cached-client.ts";
import type { JsonObject } from "../../../src/model/json.ts";

export type ScriptedApi = {
  readonly api: CachedClientConfig["api"];
  /** Each request, as "GET /api/..." or "WATCH /api/...". */
  readonly requests: string[];
  /** The answer to each read, by path without the query; a path without one is answered with an empty list. */
  readonly answers: Map<string, ApiResponse>;
  /** The answer to the next write. */
  readonly written: { answer: ApiResponse };
  readonly send: (event: WatchEvent) => void;
  readonly end: (end: WatchEnd) => Promise<void>;
};

export function objectOf(name: string, version: number, uid = "1"): JsonObject {
  return { metadata: { name, uid, resourceVersion: `${version}` } };
}

export function listOf(version: number, ...items: readonly JsonObject[]): ApiResponse {
  return { kind: "ok", object: { metadata: { resourceVersion: `${version}` }, items } };
}

/** Lets everything run that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

/** An API server of one watch at a time, whose events and end the test chooses. */
export function createScriptedApi(): ScriptedApi {
  const requests: string[] = [];
  const answers = new Map<string, ApiResponse>();
  const written: ScriptedApi["written"] = { answer: { kind: "ok", object: {} } };
  let onEvent: (event: WatchEvent) => void = () => {};
  let resolve: (end: WatchEnd) => void = () => {};
  return {
    requests,
    answers,
    written,
    api: {
      read: async (path) => {
        requests.push(`GET ${path}`);
        return answers.get(path.split("?")[0] ?? "") ?? listOf(1);
      },
      write: async ({ method, path }) => {
        requests.push(`${method} ${path}`);
        return written.answer;
      },
      watch: (path, handle, signal) => {
        requests.push(`WATCH ${path}`);
        onEvent = handle;
        return new Promise((done) => {
          resolve = done;
          signal.addEventListener("abort", () => done({ kind: "closed" }), { once: true });
        });
      },
    },
    send: (event) => onEvent(event),
    end: async (end) => {
      resolve(end);
      await settle();
    },
  };
}
