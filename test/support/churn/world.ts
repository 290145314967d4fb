import { type ApiClient, createApiClient } from "../../../src/cluster/writer/api-client.ts";
import { connect } from "../../../src/cluster/access/connect.ts";
import { type ClusterUpdates, getClusterUpdates } from "../../../src/lift/objects/cluster-updates.ts";
import { type PreflightProcess, startPreflight } from "../preflight.ts";
import { startAuditedCluster } from "../control-plane.ts";
import { type FakeOperator, startOperator } from "../controller/fake-operator.ts";
import { readClusterVersion, type Stage, startStage } from "../controller/stage.ts";
import { type AlertStore, startAlertStore } from "./alerts.ts";
import { FIRST_INPUTS, type Inputs } from "./inputs.ts";
import { buildOperatorStatus } from "./operator-status.ts";
import { CAUSE_OBJECTS } from "./objects.ts";

/** How fast everybody is. */
export type Pace = {
  readonly operatorMs: number;
  readonly alerts: { readonly intervalMs: number; readonly keepFiringMs: number };
  /** Further flags of the controller. */
  readonly controllerFlags: readonly string[];
};

export const FAST: Pace = {
  operatorMs: 500,
  alerts: { intervalMs: 400, keepFiringMs: 1_200 },
  controllerFlags: ["--poll", "300ms", "--lease-duration", "3s", "--runner-interval", "1s"],
};

/** A cluster with its operator, alerts, a node, and two replicas of our controller. */
export type ChurnWorld = {
  readonly stage: Stage;
  readonly offers: ClusterUpdates;
  readonly alerts: AlertStore;
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
  const stage = await startStage({ start: startAuditedCluster, moreControllers: ["disruption-controller"] });
  const { cluster } = stage;
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.always));
  await cluster.kubectl(["replace", "--subresource=status", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.runningPod));
  const operatorApi = await openApi(stage, "operator");
  const offers = getClusterUpdates(await readClusterVersion(stage.api));
  const alerts = startAlertStore(stage.metricsUrl, pace.alerts);
  stage.nodes.setMode({ kind: "runs" });
  const startController = (): PreflightProcess =>
    startPreflight(["controller", "--write-status", ...stage.runnerFlags, ...pace.controllerFlags]);
  const world: ChurnWorld = {
    stage,
    offers,
    alerts,
    controllers: [startController(), startController()],
    operator: undefined,
    updates: [],
    inputs: FIRST_INPUTS,
    startController,
    startOperator: () =>
      startOperator(operatorApi.api, {
        buildStatus: (present) => buildOperatorStatus(present, world.inputs, offers, alerts.firing(), new Date()),
        intervalMs: pace.operatorMs,
        leaseSeconds: LEASE_SECONDS,
      }),
    async stop() {
      for (const controller of world.controllers) controller.kill("SIGTERM");
      await Promise.all(world.controllers.map(({ result }) => result));
      await Promise.all([alerts.stop(), world.operator?.stop()]);
      operatorApi.close();
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
