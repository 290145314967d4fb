import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import type { Random } from "../../schema/random/random.ts";
import type { PlayedWorld } from "../fault.ts";

export type Server = Pick<PlayedWorld, "api">;

export const MERGE_PATCH = "application/merge-patch+json";

/** Sends a request that must succeed, and returns the answer's object. */
export async function must(
  { api }: Server,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const answer = await api.call(method, path, body, method === "PATCH" ? MERGE_PATCH : undefined);
  if (!isAccepted(answer)) throw new Error(`${method} ${path}: ${answer.code} ${textAt(answer.body, "message") ?? ""}`);
  return answer.body;
}

export function isAccepted({ code }: AdminResponse): boolean {
  return code < 300;
}

const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;

/** Reads what may never answer: an API server that has just begun to serve it refuses requests for a moment. */
export async function ask({ api }: Server, path: string): Promise<AdminResponse> {
  const begun = Date.now();
  for (let failures = 0; ;) {
    const answer = await api.attempt("GET", path);
    if (answer.code === 500) failures += 1;
    const isTransient = answer.code === 429 || answer.code === 503 || failures === 1;
    if (!isTransient || Date.now() - begun > PATIENCE_MS) return answer;
    await sleep(PAUSE_MS);
  }
}

export async function createNamespace(world: Server, name: string): Promise<void> {
  await must(world, "POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

/** The namespaces of a fault, in their order. */
export async function listNamespaces(world: Server, prefix: string): Promise<readonly string[]> {
  const names = (await list(world, "/api/v1/namespaces")).map(getName);
  return names.filter((name) => name.startsWith(prefix)).toSorted();
}

export async function list(world: Server, path: string): Promise<readonly JsonObject[]> {
  return listAt(await must(world, "GET", path), "items").filter(isObject);
}

export function getName(object: JsonObject): string {
  return textAt(object, "metadata", "name") ?? "";
}

/** Writes the status that `change` makes of the present one. */
export async function changeStatus(
  world: Server,
  path: string,
  change: (status: JsonObject) => JsonObject,
): Promise<void> {
  const object = await must(world, "GET", path);
  const status = change(objectAt(object, "status"));
  await must(world, "PUT", `${path}/status`, { ...object, status });
}

/** Moves the time of an object's conditions back: their controllers keep it as long as they stay as they are. */
export function backdateConditions(world: Server, path: string, minutes: number): Promise<void> {
  const lastTransitionTime = formatMinutesAgo(minutes);
  return changeStatus(world, path, (status) => ({
    ...status,
    conditions: listAt(status, "conditions").map((condition) => ({ ...objectAt(condition), lastTransitionTime })),
  }));
}

/** Each of them once or twice. */
export function repeat<T>(random: Random, from: readonly T[]): readonly T[] {
  return from.flatMap((one) => Array.from({ length: 1 + random.below(2) }, () => one));
}

/** The time some minutes ago, as objects have it. */
export function formatMinutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+/, "");
}
