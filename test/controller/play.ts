import type { Settings } from "../../src/controller/decide.ts";
import { decide } from "../../src/controller/decide.ts";
import { type KnownFields, type Look, observe } from "../../src/controller/observe.ts";
import type { Observed } from "../../src/controller/observed.ts";
import { perform } from "../../src/controller/perform.ts";
import { CLUSTER_VERSION, REQUEST } from "../../src/controller/places.ts";
import { configMap, REQUEST_NAME } from "../../src/lift/request.ts";
import type { DocumentState } from "../../src/lift/runner-state.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { ALL_FIELDS, clusterVersion, NOW } from "../lift/sample.ts";
import { type MemoryApi, memoryApi } from "./memory-api.ts";

export const SETTINGS: Settings = {
  runner: {
    image: `example.com/preflight@sha256:${"0".repeat(64)}`,
    serviceAccount: "runner",
    priorityClass: "high",
    interval: "5m",
    hostPath: "/shared",
    node: "node-1",
    listen: { address: "127.0.0.1:19099", host: "127.0.0.1", port: 19_099 },
    cpuRequest: "10m",
    memoryRequest: "160Mi",
    memoryLimit: "512Mi",
  },
  writeStatus: false,
  useMode: false,
  form: "versions",
  patienceSeconds: 600,
  failedTimeoutSeconds: 3_600,
};

export const MISSING: DocumentState = { kind: "missing" };
const KNOWN: KnownFields = { fields: ALL_FIELDS, conditionsAreShared: true };
export const QUIET = { info: () => {}, warn: () => {}, error: () => {} };
/** More looks than anything needs to come to rest. */
const MOST_LOOKS = 12;

/** A store with a cluster and what is asked for. */
export function storeWith(
  request: JsonObject | undefined,
  cluster = clusterVersion(),
  more: Readonly<Record<string, JsonObject>> = {},
): MemoryApi {
  return memoryApi({ [CLUSTER_VERSION]: cluster, ...(request ? { [REQUEST]: request } : {}), ...more });
}

export function requestFor(data: Readonly<Record<string, string>>): JsonObject {
  return { ...configMap(REQUEST_NAME), data };
}

export type Scene = {
  readonly document?: DocumentState;
  readonly settings?: Partial<Settings>;
  readonly now?: Date;
  readonly known?: KnownFields;
  readonly refusal?: string;
};

export async function seenIn(
  api: MemoryApi,
  { document = MISSING, now = NOW, known = KNOWN, refusal }: Scene = {},
): Promise<Observed> {
  const sources = { api, readDocument: async () => document, now: () => now };
  const found: Look = await observe(sources, known, refusal, new AbortController().signal);
  if (found.kind !== "seen") throw new Error(found.message);
  return found.seen;
}

/** One look: decides and performs the first `most` of what is to be done. Gives what was to be done. */
export async function lookOnce(
  api: MemoryApi,
  scene: Scene = {},
  most = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const actions = decide(await seenIn(api, scene), { ...SETTINGS, ...scene.settings }, scene.now ?? NOW);
  await perform(actions.slice(0, most), api, QUIET, new AbortController().signal);
  return actions.map(({ what }) => what);
}

/** Looks until nothing is left to do, and fails where that never comes. */
export async function settle(api: MemoryApi, scene: Scene = {}): Promise<readonly string[]> {
  const done: string[] = [];
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const actions = await lookOnce(api, scene);
    if (actions.length === 0) return done;
    done.push(...actions);
  }
  throw new Error(`it never comes to rest: ${done.join(", ")}`);
}
