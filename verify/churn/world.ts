import { type ApiClient, createApiClient } from "../../src/cluster/writer/api-client.ts";
import { connect } from "../../src/cluster/access/connect.ts";
import { type ClusterUpdates, getClusterUpdates } from "../../src/lift/objects/cluster-version.ts";
import { type PreflightProcess, startPreflight } from "../shared/preflight.ts";
import { startAuditedCluster } from "../api-server/control-plane.ts";
import { type FakeOperator, startOperator } from "../operator/fake-operator.ts";
import { readClusterVersion, type Stage, startStage } from "../operator/stage.ts";
import { type AlertStore, type AlertTimes, startAlertStore } from "./alerts.ts";
import { FIRST_INPUTS, type Inputs } from "./inputs.ts";
import { buildOperatorStatus } from "./operator-status.ts";
import { CAUSE_OBJECTS } from "./objects.ts";

/** How fast everybody is. */
export type Pace = {
  readonly operatorMs: number;
  readonly alerts: AlertTimes;
  /** Further flags of the controller. */
  readonly controllerFlags: readonly string[];
};

export const FAST: Pace = {
  operatorMs: 500,
  alerts: { intervalMs: 400, keepFiringMs: 1_200 },
  controllerFlags: ["--poll", "300ms", "--lease-duration", "3s", "--runner-interval", "1s"],
};

/** As it is shipped, beside an operator that syncs more often than the real one does. */
export const SHIPPED: Pace = { ...FAST, operatorMs: 30_000, controllerFlags: ["--runner-interval", "1m"] };

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
  readonly startController: (replica: 0 | 1) => PreflightProcess;
  /** Restarts the controllers and the operator at another pace. */
  readonly setPace: (pace: Pace) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const LEASE_SECONDS = 4;

/** What else a replica of the controller is started with. */
export type StartReplica = (replica: 0 | 1) => {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly nodeFlags: readonly string[];
};

const AS_IT_IS: StartReplica = () => ({ flags: [], env: {}, nodeFlags: [] });

export type WorldOptions = {
  readonly startReplica?: StartReplica;
  /** A stand-in for Prometheus by default, which takes less CPU. */
  readonly startAlerts?: (metricsUrl: string, times: AlertTimes) => AlertStore | Promise<AlertStore>;
};

export async function startWorld(
  first: Pace,
  { startReplica = AS_IT_IS, startAlerts = startAlertStore }: WorldOptions = {},
): Promise<ChurnWorld> {
  let pace = first;
  const stage = await startStage({ start: startAuditedCluster, moreControllers: ["disruption-controller"] });
  const { cluster } = stage;
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.always));
  await cluster.kubectl(["replace", "--subresource=status", "-f", "-"], JSON.stringify(CAUSE_OBJECTS.runningPod));
  const operatorApi = await openApi(stage, "operator");
  const offers = getClusterUpdates(await readClusterVersion(stage.api));
  const alerts = await startAlerts(stage.metricsUrl, pace.alerts);
  stage.nodes.setMode({ kind: "runs" });
  const startController = (replica: 0 | 1): PreflightProcess => {
    const { flags, env, nodeFlags } = startReplica(replica);
    const words = ["controller", "--write-status", ...stage.runnerFlags, ...pace.controllerFlags, ...flags];
    return startPreflight(words, env, { nodeFlags });
  };
  const world: ChurnWorld = {
    stage,
    offers,
    alerts,
    controllers: [startController(0), startController(1)],
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
    async setPace(next) {
      pace = next;
      await endControllers(world.controllers);
      world.controllers.splice(0, 2, startController(0), startController(1));
      await world.operator?.stop();
      world.updates.push(...(world.operator?.updates ?? []));
      world.operator = await world.startOperator();
    },
    async stop() {
      await endControllers(world.controllers);
      await Promise.all([alerts.stop(), world.operator?.stop()]);
      operatorApi.close();
      await stage.stop();
    },
  };
  world.operator = await world.startOperator();
  return world;
}

async function endControllers(controllers: readonly PreflightProcess[]): Promise<void> {
  for (const controller of controllers) controller.kill("SIGTERM");
  await Promise.all(controllers.map(({ result }) => result));
}

async function openApi(
  { cluster }: Stage,
  userAgent: string,
): Promise<{ readonly api: ApiClient; readonly close: () => void }> {
  const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
  return { api: createApiClient(connection, { userAgent }), close: () => connection.close() };
}
