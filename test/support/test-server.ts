import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "../../src/model/json.ts";
import type { AdminResponse, AdminApi } from "../../verify/api-server/admin-api.ts";
import type { EtcdStore } from "../../verify/api-server/etcd-store.ts";

/** The server that cases are loaded into: an API server and the store behind it. */
export type TestServer = { readonly api: AdminApi; readonly etcd: EtcdStore };

/** The reason why a case can't be loaded into a real API server. */
export class UnloadableCaseError extends Error {}

export function createRefusal(path: string, { code, body }: AdminResponse): UnloadableCaseError {
  const text = (textAt(body, "message") ?? "").replaceAll(/Invalid value: "[^"]{60,}"/g, "Invalid value");
  return new UnloadableCaseError(`the API server refuses ${path}: ${code} ${text}`.slice(0, 400));
}

const PAUSE_MS = 30;
const MAX_ATTEMPTS = 100;
const MAX_RETRIES = 20;

export async function waitUntil(attempt: () => Promise<boolean>, why: string): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    if (await attempt()) return;
    await sleep(PAUSE_MS);
  }
  throw new UnloadableCaseError(why);
}

/** Retries a write that is refused for a reason that may be temporary. */
export async function retryWhile(
  attempt: () => Promise<AdminResponse>,
  isTransient: (answer: AdminResponse) => boolean,
): Promise<AdminResponse> {
  let answer = await attempt();
  for (let tries = 0; tries < MAX_RETRIES && answer.code >= 300 && isTransient(answer); tries += 1) {
    await sleep(PAUSE_MS);
    answer = await attempt();
  }
  return answer;
}
