import type { CrdFields } from "../lift/fields.ts";
import type { DocumentState } from "../lift/runner-state.ts";
import { isObject, type JsonObject, listAt, textAt } from "../model/json.ts";
import type { Answer, Api } from "./api.ts";
import type { Observed } from "./observed.ts";
import { operatorOf } from "./operator.ts";
import * as places from "./places.ts";

/** What of ClusterVersion this cluster's API knows. */
export type KnownFields = { readonly fields: CrdFields; readonly conditionsAreShared: boolean };

export type Sources = {
  readonly api: Api;
  /** Reads the document; what is wrong with it is a value. */
  readonly readDocument: () => Promise<DocumentState>;
  readonly now: () => Date;
};

export type Look =
  | { readonly kind: "seen"; readonly seen: Observed }
  | { readonly kind: "nothing"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Reads everything anew: a watch tells that something changed, but what is acted upon is never older than the look. */
export async function observe(
  { api, readDocument, now }: Sources,
  known: KnownFields,
  refusal: string | undefined,
  signal: AbortSignal,
): Promise<Look> {
  const read = async (path: string): Promise<Answer> => api.read(path, signal);
  const paths = [places.CLUSTER_VERSION, places.REQUEST, places.RESULT, places.HISTORY, places.RUNNER, places.PODS];
  const [answers, lease, operator, document] = await Promise.all([
    Promise.all(paths.map(read)),
    read(places.OPERATOR_LEASE_PATH),
    read(places.OPERATOR),
    readDocument(),
  ]);
  const failure = answers.flatMap((one) => (one.kind === "ok" || one.kind === "absent" ? [] : [one.message]))[0];
  if (failure !== undefined) return { kind: "failed", message: failure };
  const [clusterVersion, request, result, history, deployment, list] = answers.map(objectOf);
  if (!clusterVersion)
    return { kind: "nothing", message: "there is no ClusterVersion version, so there is nothing to serve" };
  const pods = listAt(list, "items").filter(isObject);
  const seen: Observed = {
    clusterVersion,
    ...known,
    operator: operatorOf(lease, objectOf(operator), now()),
    ...(request ? { request } : {}),
    ...(result ? { result } : {}),
    ...(history ? { history } : {}),
    ...(deployment ? { deployment } : {}),
    pods,
    mountTroubles: await mountTroublesOf(pods, api, signal),
    document,
    ...(refusal === undefined ? {} : { refusal }),
  };
  return { kind: "seen", seen };
}

function objectOf(answer: Answer): JsonObject | undefined {
  return answer.kind === "ok" ? answer.object : undefined;
}

/** A pod's own status doesn't tell why a volume isn't mounted: the kubelet's events do. Without the right to read them it stays unknown. */
async function mountTroublesOf(
  pods: readonly JsonObject[],
  api: Api,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!pods.some((pod) => textAt(pod, "status", "phase") === "Pending")) return new Map();
  const selector = "fieldSelector=involvedObject.kind%3DPod,reason%3DFailedMount";
  const answer = await api.read(`${places.EVENTS}?${selector}`, signal);
  const events = listAt(objectOf(answer), "items").filter(isObject);
  const uids = new Map(pods.map((pod) => [textAt(pod, "metadata", "uid"), textAt(pod, "metadata", "name") ?? ""]));
  return new Map(
    events.flatMap((event) => {
      const name = uids.get(textAt(event, "involvedObject", "uid"));
      return name === undefined ? [] : [[name, textAt(event, "message") ?? ""] as const];
    }),
  );
}
