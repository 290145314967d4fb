import type { GatedFields } from "../lift/objects/gated-fields.ts";
import type { DocumentState } from "../lift/progress/runner-state.ts";
import { type JsonObject, textAt, objectsAt } from "../model/json.ts";
import type { ApiResponse, ApiClient } from "../cluster/writer/api-client.ts";
import * as apiPaths from "./api/api-paths.ts";
import { type PreflightRequest, parseValidRequest, parseNodeSelector } from "../lift/objects/preflight-request.ts";
import { findHolder } from "./leader-election.ts";
import { NODES } from "./api/api-paths.ts";

/** Whether a cluster-version operator runs, and whether it serves the mode Preflight itself. */
export type OperatorState =
  | { readonly kind: "absent" }
  | { readonly kind: "running"; readonly holder: string; readonly canServeMode: boolean }
  /** Its lease can't be read, so the controller assumes that it runs. */
  | { readonly kind: "unknown"; readonly message: string };

/** Whether the cluster trusts the signature of the image that is to run. */
export type SignatureState =
  | { readonly kind: "verified" }
  | { readonly kind: "pending" }
  | { readonly kind: "notVerified"; readonly message: string };

/** What the API server did with the last writes. */
export type WriteOutcomes = {
  /** The API server's message if it just refused the Deployment. */
  readonly deploymentRefusal?: string;
  /** The conditions that the API server accepted but did not store, as `findDroppedConditions` returns them. */
  readonly droppedConditions?: string;
};

/** Everything the controller acts on, read at one moment. It keeps no other state, so a restart changes nothing. */
export type Observation = WriteOutcomes & {
  readonly clusterVersion: JsonObject;
  readonly fields: GatedFields;
  readonly operator: OperatorState;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  /** Whether the controller takes ClusterVersion's annotation for a request; undefined if only the result can tell. */
  readonly servesAnnotation?: boolean;
  readonly history?: JsonObject;
  /** The Deployment of the runner's name, which may be somebody else's. */
  readonly deployment?: JsonObject;
  readonly pods: readonly JsonObject[];
  /** The kubelet's mount failures, by pod name. */
  readonly mountFailures: ReadonlyMap<string, string>;
  readonly document: DocumentState;
  /** Why the runner can't be where the request wants it. */
  readonly misplacement?: string;
  /** Absent if no signature has to be verified. */
  readonly signature?: SignatureState;
};

type ObserverDependencies = {
  readonly api: Pick<ApiClient, "read">;
  /** Reads the document; failures are values. */
  readonly readDocument: () => Promise<DocumentState>;
  readonly now: () => Date;
  /** The controller's node, if known. */
  readonly node: string | undefined;
  readonly servesAnnotation: boolean;
};

export type ObservationResult =
  | { readonly kind: "observed"; readonly observation: Observation }
  | { readonly kind: "failed"; readonly message: string };

/** A reconciliation reads what is watched from the informers; a write that was planned from an old object ends with a conflict. */
export async function observe(
  { api, readDocument, now, node, servesAnnotation }: ObserverDependencies,
  fields: GatedFields,
  outcomes: WriteOutcomes,
  signal: AbortSignal,
): Promise<ObservationResult> {
  const read = async (path: string): Promise<ApiResponse> => api.read(path, signal);
  const readObject = async (path: string): Promise<JsonObject | undefined> => objectOf(await read(path));
  const paths = [
    apiPaths.CLUSTER_VERSION,
    apiPaths.REQUEST,
    apiPaths.RESULT,
    apiPaths.HISTORY,
    apiPaths.RUNNER,
    apiPaths.PODS,
  ];
  const [responses, operator, document] = await Promise.all([
    Promise.all(paths.map(read)),
    readOperator(api, now(), signal),
    readDocument(),
  ]);
  const failure = responses.flatMap((one) => (one.kind === "ok" || one.kind === "absent" ? [] : [one.message]))[0];
  if (failure !== undefined) return { kind: "failed", message: failure };
  const [clusterVersion, request, result, history, deployment, list] = responses.map(objectOf);
  if (!clusterVersion) return { kind: "failed", message: "ClusterVersion version does not exist" };
  const pods = objectsAt(list, "items");
  const observation: Observation = {
    clusterVersion,
    fields,
    operator,
    request,
    result,
    servesAnnotation,
    history,
    deployment,
    pods,
    mountFailures: await readMountFailures(pods, api, signal),
    document,
    misplacement: await findMisplacement(parseValidRequest(request), node, readObject),
    ...outcomes,
  };
  return { kind: "observed", observation };
}

function objectOf(response: ApiResponse): JsonObject | undefined {
  return response.kind === "ok" ? response.object : undefined;
}

/** A pod's status doesn't say why a volume isn't mounted; the kubelet's events do, if the account may read them. */
async function readMountFailures(
  pods: readonly JsonObject[],
  api: ObserverDependencies["api"],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!pods.some((pod) => textAt(pod, "status", "phase") === "Pending")) return new Map();
  const selector = "fieldSelector=involvedObject.kind%3DPod,reason%3DFailedMount";
  const response = await api.read(`${apiPaths.EVENTS}?${selector}`, signal);
  const events = objectsAt(objectOf(response), "items");
  const uids = new Map(pods.map((pod) => [textAt(pod, "metadata", "uid"), textAt(pod, "metadata", "name") ?? ""]));
  return new Map(
    events.flatMap((event) => {
      const name = uids.get(textAt(event, "involvedObject", "uid"));
      return name === undefined ? [] : [[name, textAt(event, "message") ?? ""] as const];
    }),
  );
}

export async function readOperator(
  { read }: ObserverDependencies["api"],
  now: Date,
  signal: AbortSignal,
): Promise<OperatorState> {
  const [lease, deployment] = await Promise.all([
    read(apiPaths.OPERATOR_LEASE_PATH, signal),
    read(apiPaths.OPERATOR, signal),
  ]);
  return getOperator(lease, objectOf(deployment), now);
}

/**
 * Annotation by which an operator's Deployment advertises the mode Preflight: the document formats it reads, separated by commas. No
 * released operator has it.
 */
const FORMATS_ANNOTATION = "preflight.openshift.io/formats";
const DOCUMENT_FORMAT = "preflight-v1-json";

/** Source of the lease's name: pkg/start of the cluster-version operator. An operator that stops releases it; one that dies lets it expire. */
export function getOperator(lease: ApiResponse, deployment: JsonObject | undefined, now: Date): OperatorState {
  if (lease.kind === "absent") return { kind: "absent" };
  if (lease.kind !== "ok") return { kind: "unknown", message: lease.message };
  const holder = findHolder(lease.object, now);
  if (holder === undefined) return { kind: "absent" };
  return { kind: "running", holder, canServeMode: canServeMode(deployment) };
}

function canServeMode(deployment: JsonObject | undefined): boolean {
  const formats = textAt(deployment, "metadata", "annotations", FORMATS_ANNOTATION) ?? "";
  return formats.split(",").some((format) => format.trim() === DOCUMENT_FORMAT);
}

/**
 * Why no pod with the request's node selector can run on the controller's node, where the runner's document is read. A node that can't be
 * read is left to the scheduler. Other requests read no node.
 */
export async function findMisplacement(
  request: PreflightRequest | undefined,
  node: string | undefined,
  read: (path: string) => Promise<JsonObject | undefined>,
): Promise<string | undefined> {
  const selector = request?.runner?.["node-selector"];
  if (node === undefined || selector === undefined) return undefined;
  const object = await read(`${NODES}/${encodeURIComponent(node)}`);
  return object && describeMisplacement(selector, node, object);
}

function describeMisplacement(selector: string, name: string, node: JsonObject): string | undefined {
  const missing = Object.entries(parseNodeSelector(selector))
    .filter(([key, value]) => textAt(node, "metadata", "labels", key) !== value)
    .map(([key, value]) => `${key}=${value}`);
  if (missing.length === 0) return undefined;
  return [
    `The runner has to be on node ${name}, where the controller reads its document.`,
    `That node doesn't match the request's node selector: it has no label ${missing.join(", ")}.`,
    "Request the preflight without --node-selector, or move the controller to a node that matches, with the node selector of its Deployment.",
  ].join(" ");
}
