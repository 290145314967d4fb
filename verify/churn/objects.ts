import type { JsonObject } from "../../src/model/json.ts";

const WEB = { name: "web", namespace: "demo" };
const WEB_POD: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { ...WEB, labels: { app: "churn-web" } },
  spec: { nodeName: "worker-0.demo.example.com", containers: [{ name: "web", image: "example.com/web" }] },
};

/** A pod that is always there, and the budget that keeps it from being evicted, which is a cause. */
export const CAUSE_OBJECTS = {
  always: {
    apiVersion: "v1",
    kind: "List",
    items: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "demo" } }, WEB_POD],
  },
  runningPod: {
    ...WEB_POD,
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  },
  budget: {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: WEB,
    spec: { minAvailable: 1, selector: { matchLabels: { app: "churn-web" } } },
  },
} as const satisfies Readonly<Record<string, JsonObject>>;
