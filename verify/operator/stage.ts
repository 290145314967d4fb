import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/cluster/access/connect.ts";
import { type ApiClient, createApiClient } from "../../src/cluster/writer/api-client.ts";
import {
  CLUSTER_VERSION,
  HISTORY,
  PODS,
  REQUEST,
  RESULT,
  RUNNER,
  RUNNER_NAME,
  WATCHED,
} from "../../src/controller/api/api-paths.ts";
import { toList } from "../../src/controller/api/cached-client.ts";
import { NAMESPACE } from "../../src/lift/objects/preflight-request.ts";
import { at, isObject, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { SIGNATURES_NAMESPACE } from "../../src/model/release.ts";
import { type ControlPlane, type createPayload, startCluster, startControllers } from "../api-server/control-plane.ts";
import { applyObjects, readManifests } from "../api-server/apply-objects.ts";
import { createAccount } from "../api-server/service-account.ts";
import { eventually } from "../shared/eventually.ts";
import { findFreePort } from "../shared/free-port.ts";
import { type NodeAgent, startNodeAgent } from "../nodes/node-agent.ts";
import { createTestKey } from "../signatures/openpgp.ts";
import {
  type PreflightProcess,
  type PreflightService,
  type ProcessResult,
  runPreflight,
  startPreflight,
  startPreflightService,
} from "../shared/preflight.ts";
import { buildReleaseTrust } from "../signatures/release-trust.ts";
import { prepareRunner } from "./runner-process.ts";

export const OUR_IMAGE = `example.com/preflight@sha256:${"0".repeat(64)}`;
/** Versions offered to the seeded cluster, each with the release whose manifests it uses here. */
const OFFERED = { "5.0.9": "5.0", "5.1.2": "5.1" } as const;

/** The node of the controller, as its Deployment tells it. */
export const NODE = "master-0.demo.example.com";
export const PRIORITY_CLASS = "openshift-user-critical";
const PRIORITY = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" };
/** Those that act on a runner. The others would change what the seeded cluster says of itself. */
const CONTROLLERS = [
  "deployment-controller",
  "replicaset-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "pod-garbage-collector-controller",
  "resourcequota-controller",
];

const ROLES = join(import.meta.dirname, "..", "..", "deploy", "controller");

/** A control plane with real controllers, and our controller with the shipped RBAC; a folder stands in for the shared volume. */
export type Stage = {
  readonly cluster: ControlPlane;
  readonly api: ApiClient;
  /** Of the runner. */
  readonly metricsUrl: string;
  /** What every controller of this stage needs to find its runner. */
  readonly runnerFlags: readonly string[];
  readonly document: string;
  readonly volume: string;
  /** In this process, which takes a third of the time. */
  readonly controller: (...more: readonly string[]) => PreflightService;
  /** In a process of its own, which can be killed. */
  readonly controllerProcess: (...more: readonly string[]) => PreflightProcess;
  readonly command: (...words: readonly string[]) => Promise<string>;
  /** Runs a command that may fail or warn. */
  readonly run: (...words: readonly string[]) => Promise<ProcessResult>;
  /** The scheduler and the kubelets. Runners are made and start nothing until a mode is set. */
  readonly nodes: NodeAgent;
  /** The folder of the payload of an offered update. */
  readonly payloadOf: (version: string) => string;
  /** Kills the runner's process. */
  readonly killRunner: () => void;
  readonly stop: () => Promise<void>;
};

export type StageOptions = {
  readonly start?: typeof startCluster;
  readonly moreControllers?: readonly string[];
  /** Further versions that are offered, each with the release whose manifests it uses. */
  readonly moreOffered?: Readonly<Record<string, string>>;
  /** How releases are written; whole, if it isn't said. */
  readonly create?: typeof createPayload;
};

export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { start = startCluster, moreControllers = [], moreOffered = {}, create } = options;
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  const volume = join(folder, "volume");
  await mkdir(volume);
  const cluster = await start("5.0", "--feature-set", "DevPreviewNoUpgrade");
  await startControllers(cluster, [...CONTROLLERS, ...moreControllers]);
  const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
  const api = createApiClient(connection, { userAgent: "test" });
  const nodeApi = createApiClient(connection, { userAgent: "node" });
  await changeStatus(api, (status) => orderAsOperator(addOffers(status, Object.keys(moreOffered))));
  await applyObjects(cluster, [
    ...buildReleaseTrust(createTestKey("Demo <demo@example.com>"), await readClusterVersion(api)),
    ...["serviceaccount", "roles", "rolebindings"].flatMap((file) => readManifests(join(ROLES, `${file}.yaml`))),
    { ...PRIORITY, metadata: { name: PRIORITY_CLASS }, value: 1_000_000_000 },
  ]);
  const document = join(volume, ".preflight", "preflight-v1.json");
  const by = ["--kubeconfig", cluster.kubeconfig];
  const limited = join(folder, "account.kubeconfig");
  const port = await findFreePort();
  await writeFile(limited, await createAccount(cluster, NAMESPACE, "preflight-controller"));
  await waitUntilAllowed(limited);
  const account = ["--kubeconfig", limited, "--image", OUR_IMAGE, "--document", document, "--node-name", NODE];
  const runnerFlags = [...account, "--runner-listen", `127.0.0.1:${port}`, "--host-path", volume];
  const buildArguments = (more: readonly string[]): readonly string[] => {
    const pace = ["--poll", "300ms", "--lease-duration", "3s", "--runner-interval", "6s"];
    const isElsewhere = more.includes("--node-name");
    const flags = isElsewhere ? runnerFlags.filter((flag) => flag !== "--node-name" && flag !== NODE) : runnerFlags;
    return ["controller", ...flags, ...pace, ...more];
  };
  const run = (...words: readonly string[]): Promise<ProcessResult> => runPreflight([...words, ...by]);
  const command = async (...words: readonly string[]): Promise<string> => {
    const ended = await run(...words);
    // status uses the exit codes of check, so a risk does not mean that the command failed.
    const codes = words[0] === "status" ? [0, 3, 4] : [0];
    assert.ok(codes.includes(ended.code ?? 1), `exit code ${ended.code}: ${ended.err}`);
    return ended.out;
  };
  const offered = { ...OFFERED, ...moreOffered };
  const startRunner = await prepareRunner(cluster, await readClusterVersion(api), folder, offered, create);
  let runner: PreflightProcess | undefined;
  const nodes = startNodeAgent(nodeApi, {
    namespace: NAMESPACE,
    isPlayed: (pod) => textAt(pod, "metadata", "labels", "app") === RUNNER_NAME,
    start: (pod) => (runner = startRunner(pod)),
    mode: { kind: "creating" },
  });
  const stop = async (): Promise<void> => {
    await nodes.stop();
    connection.close();
    await cluster.down();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    cluster,
    api,
    metricsUrl: `http://127.0.0.1:${port}/metrics`,
    runnerFlags,
    document,
    volume,
    controller: (...more) => startPreflightService(buildArguments(more)),
    controllerProcess: (...more) => startPreflight(buildArguments(more)),
    command,
    run,
    nodes,
    stop,
    payloadOf: (version) => join(folder, version),
    killRunner: () => runner?.kill("SIGKILL"),
  };
}

/** New RBAC rules take effect after a moment. */
async function waitUntilAllowed(kubeconfig: string): Promise<void> {
  const connection = await connect({ env: {}, kubeconfig });
  const api = createApiClient(connection, { userAgent: "waiting" });
  const watched = WATCHED.map(toList).map(({ collection, query }) => `${collection}?${query}`);
  const signatures = `/api/v1/namespaces/${SIGNATURES_NAMESPACE}/configmaps`;
  const paths = [...watched, signatures];
  await eventually(async () => {
    for (const path of paths) await readObject(api, path);
  });
  connection.close();
}

/** The target's image, from which the init container copies. */
export function imageOf(deployment: JsonObject | undefined): string {
  return textAt(deployment, "spec", "template", "spec", "initContainers", 0, "image") ?? "";
}

export async function readObject(api: ApiClient, path: string): Promise<JsonObject | undefined> {
  const answer = await api.read(path, AbortSignal.timeout(60_000));
  if (answer.kind === "ok") return answer.object;
  return answer.kind === "absent" ? undefined : assert.fail(`${path}: ${answer.message}`);
}

/** The runner's pods. */
export async function listPods(api: ApiClient): Promise<readonly JsonObject[]> {
  return listAt(await readObject(api, PODS), "items").filter(isObject);
}

export async function readClusterVersion(api: ApiClient): Promise<JsonObject> {
  return (await readObject(api, CLUSTER_VERSION)) ?? assert.fail("there is no ClusterVersion");
}

/** Writes ClusterVersion's status as the operator would: all of it, with a retry after a conflict. */
export async function changeStatus(api: ApiClient, change: (status: JsonObject) => JsonObject): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const now = await readClusterVersion(api);
    const body = { ...now, status: change(objectAt(now, "status")) };
    const answer = await api.write(
      { method: "PUT", path: `${CLUSTER_VERSION}/status`, body },
      AbortSignal.timeout(60_000),
    );
    if (answer.kind === "ok") return;
    assert.equal(answer.kind, "conflict", JSON.stringify(answer));
  }
  assert.fail("the status could not be written");
}

/** Starts an update: the first history entry has no completion time. */
export function beginUpdate(status: JsonObject, version: string): JsonObject {
  const history = listAt(status, "history");
  const entry = { ...objectAt(history[0]), version, state: "Partial", completionTime: null };
  return { ...status, history: [entry, ...history] };
}

/** Offers versions as the update service does, in images of the form that the seeded cluster has. */
function addOffers(status: JsonObject, versions: readonly string[]): JsonObject {
  const offers = versions.map((version) => ({
    version,
    image: `quay.io/openshift-release-dev/ocp-release@sha256:${Buffer.from(version.padEnd(32, ".")).toString("hex")}`,
    channels: [`fast-${version.replace(/\.\d+$/, "")}`],
  }));
  return { ...status, availableUpdates: [...listAt(status, "availableUpdates"), ...offers] };
}

/** Orders and merges the updates offered to the seeded cluster as the operator does. */
function orderAsOperator(status: JsonObject): JsonObject {
  const risks = listAt(status, "conditionalUpdates").flatMap((update) => listAt(update, "risks"));
  return {
    ...status,
    availableUpdates: listAt(status, "availableUpdates").toReversed(),
    conditionalUpdateRisks: risks,
  };
}

/** The three conditions, each as "Running=True Checking". */
export function formatConditions(clusterVersion: JsonObject): readonly string[] {
  return listAt(clusterVersion, "status", "conditions")
    .filter((one) => textAt(one, "type")?.startsWith("Preflight"))
    .map(
      (one) =>
        `${(textAt(one, "type") ?? "").replace("Preflight", "")}=${textAt(one, "status")} ${textAt(one, "reason")}`,
    )
    .toSorted();
}

/** The names of an update's risks, or undefined if it has none. */
export function listRiskNames(status: JsonObject, version: string): readonly string[] | undefined {
  const update = listAt(status, "conditionalUpdates").find((one) => textAt(one, "release", "version") === version);
  return update === undefined ? undefined : listAt(update, "risks").map((risk) => textAt(risk, "name") ?? "");
}

/** The controller's proposal in the result ConfigMap. */
export async function readProposal(api: ApiClient): Promise<JsonObject> {
  const text = textAt(await readObject(api, RESULT), "data", "proposal.json") ?? "{}";
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

/** Nothing of a preflight is left except the history. */
export async function assertCleared(api: ApiClient): Promise<void> {
  for (const path of [REQUEST, RESULT, RUNNER]) assert.equal(await readObject(api, path), undefined, path);
  const clusterVersion = await readClusterVersion(api);
  assert.deepEqual(formatConditions(clusterVersion), []);
  assert.doesNotMatch(JSON.stringify(at(clusterVersion, "status")), /5\.0\.8 -> /);
}

/** Each result in the history, as "5.0.8 -> 5.1.2". */
export async function readHistory(api: ApiClient): Promise<readonly string[]> {
  const text = textAt(await readObject(api, HISTORY), "data", "history.json") ?? "[]";
  const entries: readonly { readonly source: string; readonly target: string }[] = JSON.parse(text);
  return entries.map(({ source, target }) => `${source} -> ${target}`);
}
