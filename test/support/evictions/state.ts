import { type JsonObject, objectAt, textAt, textsAt, listAt } from "../../../src/model/json.ts";

/** A controller of pods; one that is gone leaves pods that name it. */
export type PodController = {
  readonly kind: "ReplicaSet" | "StatefulSet" | "DaemonSet" | "Job" | "Gone";
  readonly uid: string;
  readonly replicas: number;
};

export type PodState = "healthy" | "unhealthy" | "pending" | "Failed" | "Succeeded" | "deleting";

export type TestPod = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: PodState;
  readonly controller?: PodController;
};

export type TestBudget = {
  readonly name: string;
  readonly generation: number;
  readonly spec: JsonObject;
  readonly status: JsonObject;
};

/** One namespace of a cluster at one moment. */
export type DrainState = {
  readonly namespace: string;
  readonly pods: readonly TestPod[];
  readonly controllers: readonly PodController[];
  readonly budgets: readonly TestBudget[];
};

/** Whether a pod is or can become healthy. */
export function isPresent({ state }: TestPod): boolean {
  return state === "healthy" || state === "unhealthy" || state === "pending";
}

export function isDrained({ controller }: TestPod): boolean {
  return controller?.kind !== "DaemonSet";
}

/** Whether the controller's replicas count for a limit. */
export function hasScale(controller: PodController): boolean {
  return controller.kind === "ReplicaSet" || controller.kind === "StatefulSet";
}

export function selectPods(pods: readonly TestPod[], spec: JsonObject): readonly TestPod[] {
  const labels = Object.entries(objectAt(spec, "selector", "matchLabels"));
  const expressions = listAt(spec, "selector", "matchExpressions");
  return pods.filter(
    (pod) =>
      labels.every(([key, value]) => pod.labels[key] === value) &&
      expressions.every((one) => {
        const label = pod.labels[textAt(one, "key") ?? ""];
        const values = textsAt(one, "values");
        switch (textAt(one, "operator") ?? "") {
          case "In":
            return label !== undefined && values.includes(label);
          case "NotIn":
            return label === undefined || !values.includes(label);
          case "Exists":
            return label !== undefined;
          default:
            return label === undefined;
        }
      }),
  );
}

const API_VERSIONS = {
  ReplicaSet: "apps/v1",
  Gone: "apps/v1",
  StatefulSet: "apps/v1",
  DaemonSet: "apps/v1",
  Job: "batch/v1",
};

/** The objects of a state by their keys in etcd. */
export function buildObjects({ namespace, pods, budgets }: DrainState): ReadonlyMap<string, JsonObject> {
  return new Map([
    ...pods.map((pod) => [`/registry/pods/${namespace}/${pod.name}`, buildPod(namespace, pod)] as const),
    ...budgets.map(
      (budget) =>
        [`/registry/poddisruptionbudgets/${namespace}/${budget.name}`, buildBudget(namespace, budget)] as const,
    ),
  ]);
}

const CREATED = "2026-01-01T00:00:00Z";

function buildPod(namespace: string, { name, labels, state, controller }: TestPod): JsonObject {
  const owner = controller && {
    apiVersion: API_VERSIONS[controller.kind],
    kind: controller.kind === "Gone" ? "ReplicaSet" : controller.kind,
    name: controller.uid,
    uid: controller.uid,
    controller: true,
  };
  const deletion = { deletionTimestamp: CREATED, deletionGracePeriodSeconds: 30, finalizers: ["example.com/hold"] };
  const isReady = state === "healthy" || state === "deleting";
  const phases = { pending: "Pending", Failed: "Failed", Succeeded: "Succeeded" };
  const phase = state === "healthy" || state === "unhealthy" || state === "deleting" ? "Running" : phases[state];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name,
      labels,
      uid: `${namespace}-${name}`,
      creationTimestamp: CREATED,
      ...(owner ? { ownerReferences: [owner] } : {}),
      ...(state === "deleting" ? deletion : {}),
    },
    spec: { containers: [{ name: "main", image: "example.com/main" }] },
    status: { phase, conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
  };
}

function buildBudget(namespace: string, { name, generation, spec, status }: TestBudget): JsonObject {
  const metadata = { namespace, name, generation, uid: `${namespace}-${name}`, creationTimestamp: CREATED };
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec, status };
}
