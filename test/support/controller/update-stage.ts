import type { JsonObject } from "../../../src/model/json.ts";

// The objects of a small cluster at one moment of an update from 5.0.8 to 5.1.0: two operators, three control plane nodes, three workers.

export const SOURCE = "5.0.8";
export const TARGET = "5.1.0";

const STARTED_AT = "2026-03-01T10:00:00Z";
const ENDED_AT = "2026-03-01T11:00:00Z";

/** What machine-config has done with a node; `left`: it has begun nothing. */
export type NodePhase = "left" | "asked" | "draining" | "applying" | "rebooting" | "updated" | "degraded" | "retuned";

export type UpdateStage = {
  /** Of ClusterVersion. `torn`: its parts contradict each other. */
  readonly update: "never" | "running" | "failing" | "complete" | "torn";
  /** The version of each operator, and what else is wrong with it. */
  readonly operators: Readonly<Record<string, readonly [string, ("progressing" | "degraded" | "down" | "silent")?]>>;
  readonly controlPlane: readonly NodePhase[];
  readonly workers: readonly NodePhase[];
  readonly isPaused?: boolean;
};

export type StageObjects = {
  readonly clusterVersion: JsonObject;
  readonly operators: readonly JsonObject[];
  readonly pools: readonly JsonObject[];
  readonly nodes: readonly JsonObject[];
  readonly configs: readonly JsonObject[];
};

export function buildStage(stage: UpdateStage): StageObjects {
  return {
    clusterVersion: buildClusterVersion(stage.update),
    operators: Object.entries(stage.operators).map(([name, [version, fault]]) => buildOperator(name, version, fault)),
    pools: [buildPool("master", false), buildPool("worker", stage.isPaused === true)],
    nodes: [
      ...stage.controlPlane.map((phase, i) => buildNode("master", `control-${i}`, phase)),
      ...stage.workers.map((phase, i) => buildNode("worker", `worker-${i}`, phase)),
    ],
    configs: ["master", "worker"].flatMap((pool) => [
      buildConfig(`rendered-${pool}-old`, SOURCE),
      buildConfig(`rendered-${pool}-new`, TARGET),
      buildConfig(`rendered-${pool}-tuned`, TARGET),
    ]),
  };
}

function buildClusterVersion(update: UpdateStage["update"]): JsonObject {
  const installed: JsonObject = buildEntry(SOURCE, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z");
  const isOver = update === "complete" || update === "torn";
  const last: JsonObject = buildEntry(TARGET, STARTED_AT, isOver ? ENDED_AT : undefined);
  const isProgressing = update === "running" || update === "failing" || update === "torn";
  const target = update === "never" ? SOURCE : TARGET;
  const message = isProgressing
    ? `Working towards ${TARGET}: 300 of 900 done (33% complete)`
    : `Cluster version is ${target}`;
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: {
      desired: { version: target, image: "example.com/release@sha256:1" },
      history: update === "never" ? [installed] : [last, installed],
      conditions: [
        buildCondition("Progressing", isProgressing, message),
        buildCondition("Failing", update === "failing", "Cluster operator dns is degraded"),
      ],
    },
  };
}

function buildEntry(version: string, startedTime: string, completionTime: string | undefined): JsonObject {
  const state = completionTime === undefined ? "Partial" : "Completed";
  const image = `example.com/release@sha256:${version}`;
  return { state, version, image, verified: true, startedTime, completionTime: completionTime ?? null };
}

function buildCondition(type: string, status: boolean, message = ""): JsonObject {
  return { type, status: status ? "True" : "False", reason: "Played", message, lastTransitionTime: STARTED_AT };
}

function buildOperator(name: string, version: string, fault: string | undefined): JsonObject {
  const conditions = [
    buildCondition("Available", fault !== "down", "no replica is left"),
    buildCondition("Degraded", fault === "degraded" || fault === "down", "a pod keeps restarting"),
    buildCondition("Progressing", fault === "progressing", "rolling out"),
  ];
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name },
    spec: {},
    status: {
      versions: [{ name: "operator", version }],
      conditions: fault === "silent" ? [] : conditions,
    },
  };
}

function buildPool(name: string, paused: boolean): JsonObject {
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfigPool",
    metadata: { name },
    spec: { paused, nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: "" } } },
  };
}

function buildConfig(name: string, version: string): JsonObject {
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfig",
    metadata: { name, annotations: { "machineconfiguration.openshift.io/release-image-version": version } },
    spec: { config: { ignition: { version: "3.4.0" } } },
  };
}

/** The configuration that a node has, the one it is to get, and the state of its machine-config daemon. */
const PHASES: Readonly<Record<NodePhase, readonly [string, string, string]>> = {
  left: ["old", "old", "Done"],
  asked: ["old", "new", "Done"],
  draining: ["old", "new", "Working"],
  applying: ["old", "new", "Working"],
  rebooting: ["old", "new", "Rebooting"],
  updated: ["new", "new", "Done"],
  degraded: ["old", "new", "Degraded"],
  retuned: ["new", "tuned", "Working"],
};

function buildNode(pool: string, name: string, phase: NodePhase): JsonObject {
  const [current, desired, state] = PHASES[phase];
  const isAway = phase === "draining" || phase === "rebooting";
  const prefix = "machineconfiguration.openshift.io/";
  const annotations = {
    [`${prefix}currentConfig`]: `rendered-${pool}-${current}`,
    [`${prefix}desiredConfig`]: `rendered-${pool}-${desired}`,
    [`${prefix}state`]: state,
    [`${prefix}reason`]: phase === "degraded" ? "unexpected on-disk state" : "",
    [`${prefix}desiredDrain`]: phase === "left" ? "uncordon-1" : "drain-2",
    [`${prefix}lastAppliedDrain`]: phase === "left" || phase === "draining" ? "uncordon-1" : "drain-2",
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, annotations, labels: { [`node-role.kubernetes.io/${pool}`]: "" } },
    spec: isAway ? { unschedulable: true } : {},
    status: {
      conditions: [
        { ...buildCondition("Ready", phase !== "rebooting", "the kubelet says so"), lastHeartbeatTime: STARTED_AT },
      ],
    },
  };
}

const LEFT = ["left", "left", "left"] as const;
const UPDATED = ["updated", "updated", "updated"] as const;
export const OLD = { dns: [SOURCE], machine: [SOURCE] } as const;
export const NEW = { dns: [TARGET], machine: [TARGET] } as const;

/** In the order of an update, and then what is not in order. */
export const STAGES = {
  "before any update": { update: "never", operators: OLD, controlPlane: LEFT, workers: LEFT },
  "an update that has only begun": { update: "running", operators: OLD, controlPlane: LEFT, workers: LEFT },
  "operators on their way": {
    update: "running",
    operators: { dns: [SOURCE, "progressing"], machine: [SOURCE] },
    controlPlane: LEFT,
    workers: LEFT,
  },
  "an operator that is degraded and holds up the update": {
    update: "failing",
    operators: { dns: [SOURCE, "degraded"], machine: [TARGET, "progressing"] },
    controlPlane: LEFT,
    workers: LEFT,
  },
  "an operator that is down, and one that says nothing": {
    update: "running",
    operators: { dns: [SOURCE, "down"], machine: [SOURCE, "silent"] },
    controlPlane: LEFT,
    workers: LEFT,
  },
  "nodes of the control plane that are drained and reboot": {
    update: "running",
    operators: { dns: [TARGET], machine: [SOURCE, "progressing"] },
    controlPlane: ["updated", "draining", "rebooting"],
    workers: ["applying", "asked", "left"],
  },
  "a control plane that is complete, and workers on their way": {
    update: "complete",
    operators: NEW,
    controlPlane: UPDATED,
    workers: ["updated", "applying", "left"],
  },
  "workers whose pool is paused": {
    update: "complete",
    operators: NEW,
    controlPlane: UPDATED,
    workers: ["updated", "left", "left"],
    isPaused: true,
  },
  "a worker that is degraded": {
    update: "complete",
    operators: NEW,
    controlPlane: UPDATED,
    workers: ["updated", "degraded", "left"],
  },
  "an update that is complete, and another configuration on its way": {
    update: "complete",
    operators: { dns: [TARGET, "progressing"], machine: [TARGET] },
    controlPlane: ["updated", "updated", "retuned"],
    workers: UPDATED,
  },
  "a ClusterVersion that contradicts itself": {
    update: "torn",
    operators: { dns: [TARGET], machine: [SOURCE, "progressing"] },
    controlPlane: ["updated", "draining", "left"],
    workers: LEFT,
  },
  "an update that is complete, which parts of the control plane contradict": {
    update: "complete",
    operators: { dns: [TARGET], machine: [SOURCE] },
    controlPlane: ["updated", "left", "asked"],
    workers: UPDATED,
  },
} as const satisfies Readonly<Record<string, UpdateStage>>;

export function findStage(name: string): UpdateStage {
  const found = Object.entries(STAGES).find(([one]) => one === name);
  if (found === undefined) throw new Error(`there is no stage "${name}"`);
  return found[1];
}
