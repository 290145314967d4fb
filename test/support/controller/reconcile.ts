import type { ControllerSettings } from "../../../src/controller/plan.ts";
import { plan } from "../../../src/controller/plan.ts";
import {
  type Observation,
  type SignatureState,
  type WriteOutcomes,
  type ObservationResult,
  observe,
} from "../../../src/controller/observation.ts";
import { applyActions } from "../../../src/controller/controller.ts";
import type { ApiClient } from "../../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, REQUEST } from "../../../src/controller/api/api-paths.ts";
import { buildConfigMap, REQUEST_NAME } from "../../../src/lift/objects/preflight-request.ts";
import type { DocumentState } from "../../../src/lift/progress/runner-state.ts";
import type { GatedFields } from "../../../src/lift/objects/gated-fields.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { ALL_FIELDS, clusterVersion, NOW } from "../../../verify/operator/status-sample.ts";
import { type MemoryApi, createMemoryApi } from "./memory-api.ts";

export const SETTINGS: ControllerSettings = {
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
  failureDeadlineSeconds: 3_600,
};

const VERIFIED: SignatureState = { kind: "verified" };
export const MISSING: DocumentState = { kind: "missing" };
export const SILENT_LOGGER = { info: () => {}, warn: () => {}, error: () => {} };
/** More reconciles than any state needs to converge. */
const MAX_CYCLES = 12;

/** A store with a cluster and a request. */
export function createStore(
  request: JsonObject | undefined,
  cluster = clusterVersion(),
  more: Readonly<Record<string, JsonObject>> = {},
): MemoryApi {
  return createMemoryApi({ [CLUSTER_VERSION]: cluster, ...(request ? { [REQUEST]: request } : {}), ...more });
}

export function requestFor(data: Readonly<Record<string, string>>): JsonObject {
  return { ...buildConfigMap(REQUEST_NAME), data };
}

export type Scene = {
  readonly document?: DocumentState;
  readonly settings?: Partial<ControllerSettings>;
  readonly now?: Date;
  readonly fields?: GatedFields;
  readonly outcomes?: WriteOutcomes;
  readonly signature?: SignatureState;
};

export async function observeStore(
  api: ApiClient,
  { document = MISSING, now = NOW, fields = ALL_FIELDS, outcomes = {}, signature = VERIFIED, settings }: Scene = {},
): Promise<Observation> {
  const { node, servesAnnotation = false } = settings?.runner ?? SETTINGS.runner;
  const sources = { api, readDocument: async () => document, now: () => now, node, servesAnnotation };
  const result: ObservationResult = await observe(sources, fields, outcomes, new AbortController().signal);
  if (result.kind !== "observed") throw new Error(result.message);
  return { ...result.observation, signature };
}

/** Reconciles once, performs only the first `most` actions, and returns all planned actions. */
export async function reconcileOnce(
  api: ApiClient,
  scene: Scene = {},
  maxActions = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const actions = plan(await observeStore(api, scene), { ...SETTINGS, ...scene.settings }, scene.now ?? NOW);
  await applyActions(actions.slice(0, maxActions), api, SILENT_LOGGER, new AbortController().signal);
  return actions.map(({ description }) => description);
}

/** Reconciles until nothing is left to do, and fails if it never converges. */
export async function reconcileUntilStable(api: ApiClient, scene: Scene = {}): Promise<readonly string[]> {
  const done: string[] = [];
  for (let cycles = 0; cycles < MAX_CYCLES; cycles += 1) {
    const actions = await reconcileOnce(api, scene);
    if (actions.length === 0) return done;
    done.push(...actions);
  }
  throw new Error(`it never comes to rest: ${done.join(", ")}`);
}
