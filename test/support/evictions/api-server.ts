import { type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import type { AdminApi } from "../../../verify/api-server/admin-api.ts";
import type { TestServer } from "../test-server.ts";
import { type DrainState, buildObjects } from "./state.ts";

/** The API server's answers to evictions, by the pods' names: whether a pod may go, or has two budgets. */
export type Answers = ReadonlyMap<string, "evicted" | "refused" | "two budgets">;

/** Writes a state in place of what the namespace holds, and asks for the eviction of every pod without evicting it. */
export async function askEvictions(server: TestServer, state: DrainState, previous?: DrainState): Promise<Answers> {
  await replaceState(server, state, previous);
  const answers = new Map<string, "evicted" | "refused" | "two budgets">();
  for (const { name } of state.pods) answers.set(name, await askEviction(server.api, state.namespace, name));
  return answers;
}

async function replaceState({ etcd }: TestServer, state: DrainState, previous?: DrainState): Promise<void> {
  const objects = buildObjects(state);
  const gone = previous ? [...buildObjects(previous).keys()].filter((key) => !objects.has(key)) : [];
  await etcd.remove(gone);
  await etcd.putAll(objects);
}

async function askEviction(
  api: AdminApi,
  namespace: string,
  name: string,
): Promise<"evicted" | "refused" | "two budgets"> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction?dryRun=All`;
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } };
  const { code, body } = await api.attempt("POST", path, eviction);
  const message = textAt(body, "message") ?? "";
  if (/more than one PodDisruptionBudget/.test(message)) return "two budgets";
  if (code === 201 && textAt(body, "status") !== "Failure") return "evicted";
  if (code === 429 && /disruption budget/.test(message)) return "refused";
  throw new Error(`the eviction of ${namespace}/${name} was answered with ${code} ${message}`);
}

/** The budgets and pods of a namespace, as a list gives them. */
export async function readObjects(
  api: AdminApi,
  namespace: string,
): Promise<{ readonly budgets: readonly JsonObject[]; readonly pods: readonly JsonObject[] }> {
  const read = async (path: string): Promise<readonly JsonObject[]> =>
    listAt((await api.call("GET", path)).body, "items").map((item) => objectAt(item));
  return {
    budgets: await read(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`),
    pods: await read(`/api/v1/namespaces/${namespace}/pods`),
  };
}
