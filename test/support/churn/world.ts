import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../../src/cluster/writer/api-client.ts";
import { connect } from "../../../src/cluster/access/connect.ts";
import { type ClusterUpdates, getClusterUpdates, releaseOf } from "../../../src/lift/objects/cluster-updates.ts";
import { textAt } from "../../../src/model/json.ts";
import { RUNNER_NAME } from "../../../src/controller/api/api-paths.ts";
import { findFreePort } from "../free-port.ts";
import { type PreflightProcess, startPreflight } from "../preflight.ts";
import { startControlledCluster } from "../control-plane.ts";
import { type FakeOperator, startOperator } from "../controller/fake-operator.ts";
import { OUR_IMAGE, readClusterVersion, type Stage, startStage } from "../controller/stage.ts";
import { type AlertStore, startAlertStore } from "./alerts.ts";
import { FIRST_INPUTS, type Inputs } from "./inputs.ts";
import { type Node, startNode } from "./node.ts";
import { buildOperatorStatus } from "./operator-status.ts";
import { ACCOUNTS, CAUSE_OBJECTS } from "./objects.ts";

/** How fast everybody is. */
export type Pace = {
  readonly operatorMs: number;
  readonly alerts: { readonly intervalMs: number; readonly keepFiringMs: number };
  readonly runnerInterval: string;
  /** Further flags of the controller. */
  readonly controllerFlags: readonly string[];
};

export const FAST: Pace = {
  operatorMs: 500,
  alerts: { intervalMs: 400, keepFiringMs: 1_200 },
  runnerInterval: "1s",
  controllerFlags: ["--poll", "300ms", "--lease-duration", "3s"],
};

/** A cluster with its operator, alerts, a node, and two replicas of our controller. */
export type ChurnWorld = {
  readonly stage: Stage;
  readonly offers: ClusterUpdates;
  readonly alerts: AlertStore;
  readonly node: Node;
  readonly controllers: PreflightProcess[];
  operator: FakeOperator | undefined;
  /** The targets that any operator would have updated to. */
  readonly updates: string[];
  inputs: Inputs;
  readonly startOperator: () => Promise<FakeOperator>;
  readonly startController: () => PreflightProcess;
  readonly stop: () => Promise<void>;
};

const LEASE_SECONDS = 4;

export async function startWorld(pace: Pace): Promise<ChurnWorld> {
  const stage = await startStage(startControlledCluster);
  const folder = await mkdtemp(join(tmpdir(), "preflight-churn-"));
  const { cluster, document } = stage;
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(ACCOUNTS));
  await cluster.kubectl(["apply", "-k", "deploy/runner/account"]);
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.always));
  await cluster.kubectl(["replace", "--subresource=status", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.runningPod));
  const account = join(folder, "runner.kubeconfig");
  await writeFile(account, await cluster.script("sa-kubeconfig.sh", "openshift-cluster-version", RUNNER_NAME));
  const port = await findFreePort();
  const others = await openApi(stage, "operator");
  const nodeApi = await openApi(stage, "node");
  const offers = getClusterUpdates(await readClusterVersion(stage.api));
  const alerts = startAlertStore(`http://127.0.0.1:${port}/metrics`, pace.alerts);
  const listen = ["--listen", `127.0.0.1:${port}`];
  const node = startNode({
    api: nodeApi.api,
    name: "master-0.demo.example.com",
    payloads: mapImages(offers, stage.payloads),
    flags: ["--kubeconfig", account, "--document", document, "--interval", pace.runnerInterval, ...listen],
    isReady: alerts.isUp,
  });
  const startController = (): PreflightProcess =>
    startPreflight([
      "controller",
      ...["--kubeconfig", stage.account, "--image", OUR_IMAGE, "--document", document, "--write-status"],
      ...pace.controllerFlags,
    ]);
  const world: ChurnWorld = {
    stage,
    offers,
    alerts,
    node,
    controllers: [startController(), startController()],
    operator: undefined,
    updates: [],
    inputs: FIRST_INPUTS,
    startController,
    startOperator: () =>
      startOperator(others.api, {
        buildStatus: (present) => buildOperatorStatus(present, world.inputs, offers, alerts.firing(), new Date()),
        intervalMs: pace.operatorMs,
        leaseSeconds: LEASE_SECONDS,
      }),
    async stop() {
      for (const controller of world.controllers) controller.kill("SIGTERM");
      await Promise.all(world.controllers.map(({ result }) => result));
      await Promise.all([node.stop(), alerts.stop(), world.operator?.stop()]);
      others.close();
      nodeApi.close();
      await rm(folder, { recursive: true, force: true });
      await stage.stop();
    },
  };
  world.operator = await world.startOperator();
  return world;
}

async function openApi(
  { cluster }: Stage,
  userAgent: string,
): Promise<{ readonly api: ApiClient; readonly close: () => void }> {
  const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
  return { api: createApiClient(connection, { userAgent }), close: () => connection.close() };
}

/** The payloads by pull spec. */
function mapImages(
  { available, conditional }: ClusterUpdates,
  payloads: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const releases = [...available, ...conditional.map(releaseOf)];
  return new Map(
    releases.flatMap((release) => {
      const payload = payloads.get(textAt(release, "version") ?? "");
      return payload === undefined ? [] : [[textAt(release, "image") ?? "", payload] as const];
    }),
  );
}
