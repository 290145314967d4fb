import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, pool, buildObject } from "./fake-cluster.ts";

function pod(spec: JsonObject): JsonObject {
  return buildObject("v1", "Pod", "demo/web", { spec });
}

function cronJob(image: string): JsonObject {
  return buildObject("batch/v1", "CronJob", "demo/nightly", {
    spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image }] } } } } },
  });
}

function namespace(labels: JsonObject): JsonObject {
  return buildObject("v1", "Namespace", "openshift-insights", { metadata: { labels } });
}

const WORKER_LABEL = "pools.operator.machineconfiguration.openshift.io/worker";
const WORKERS = pool("worker", [WORKER_LABEL]);
const SHARED = pod({ shareProcessNamespace: true });

/** A ContainerRuntimeConfig that sets crun for the pools with a label. */
function runsCrun(label: string): JsonObject {
  return buildObject("machineconfiguration.openshift.io/v1", "ContainerRuntimeConfig", "crun", {
    spec: {
      containerRuntimeConfig: { defaultRuntime: "crun" },
      machineConfigPoolSelector: { matchLabels: { [label]: "" } },
    },
  });
}

function deployment(replicas: number, image: string): JsonObject {
  return buildObject("apps/v1", "Deployment", "demo/web", {
    spec: { replicas, template: { spec: { containers: [{ image }] } } },
  });
}

const FULL = "registry.example/team/web:1";

export const WORKLOADS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "insights-run-level": { hit: [namespace({ "openshift.io/run-level": "1" })], miss: [namespace({})] },
  "shared-process-namespace": {
    hit: [SHARED, WORKERS, pool("master", [])],
    miss: [pod({}), WORKERS],
    otherHits: [{ hit: [SHARED, WORKERS, runsCrun("pools.example/infra")] }],
    otherMisses: [{ miss: [SHARED, WORKERS, runsCrun(WORKER_LABEL)] }],
  },
  "performance-profile-quota": {
    hit: [buildObject("performance.openshift.io/v2", "PerformanceProfile", "fast")],
    miss: [],
  },
  "kube-state-metrics-time-zone": {
    hit: [
      buildObject("batch/v1", "CronJob", "demo/nightly", { spec: { timeZone: "Europe/Berlin" } }),
      buildObject("batch/v1", "CronJob", "demo/hourly", { spec: {} }),
    ],
    miss: [buildObject("batch/v1", "CronJob", "demo/hourly", { spec: {} })],
  },
  "short-image-names": {
    otherHits: [{ hit: [deployment(1, "team/web")] }],
    otherMisses: [{ miss: [deployment(0, "team/web")] }],
    hit: [pod({ containers: [{ image: FULL }], initContainers: [{ image: "team/setup" }] }), cronJob(FULL)],
    miss: [
      pod({ containers: [{ image: FULL }, { image: "localhost/web" }, { image: "host:5000/web" }] }),
      cronJob(FULL),
      buildObject("apps/v1", "Deployment", "demo/web", {
        spec: { template: { spec: { containers: [{ image: " " }] } } },
      }),
    ],
  },
};
