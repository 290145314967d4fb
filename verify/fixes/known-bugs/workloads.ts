import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, pool, buildObject } from "./fake-cluster.ts";

function pod(spec: JsonObject, phase = "Running"): JsonObject {
  return buildObject("v1", "Pod", "demo/web", { spec, status: { phase } });
}

function cronJob(spec: JsonObject): JsonObject {
  return buildObject("batch/v1", "CronJob", "demo/nightly", {
    spec: { jobTemplate: { spec: { template: { spec } } } },
  });
}

function inTimeZone(timeZone: string): JsonObject {
  return buildObject("batch/v1", "CronJob", "demo/nightly", { spec: { timeZone } });
}

function namespace(labels: JsonObject): JsonObject {
  return buildObject("v1", "Namespace", "openshift-insights", { metadata: { labels } });
}

const WORKER_LABEL = "pools.operator.machineconfiguration.openshift.io/worker";
const WORKERS = pool("worker", [WORKER_LABEL]);
const MASTER_LABEL = "pools.operator.machineconfiguration.openshift.io/master";
const SHARED = pod({ shareProcessNamespace: true });

/** A ContainerRuntimeConfig that sets crun for the pools with a label. */
function runsCrun(label: string): JsonObject {
  return buildObject("machineconfiguration.openshift.io/v1", "ContainerRuntimeConfig", `crun-${label.split("/")[1]}`, {
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
  "insights-run-level": {
    hit: [namespace({ "openshift.io/run-level": "1" })],
    remedied: [namespace({})],
    miss: [],
  },
  "shared-process-namespace": {
    hit: [SHARED, WORKERS, pool("master", [MASTER_LABEL])],
    remedied: [SHARED, WORKERS, pool("master", [MASTER_LABEL]), runsCrun(WORKER_LABEL), runsCrun(MASTER_LABEL)],
    miss: [pod({}), WORKERS],
    otherHits: [
      { hit: [SHARED, WORKERS, runsCrun("pools.example/infra")] },
      { hit: [cronJob({ shareProcessNamespace: true }), WORKERS] },
    ],
    otherMisses: [{ miss: [pod({ shareProcessNamespace: true }, "Succeeded"), WORKERS] }],
  },
  "performance-profile-quota": {
    hit: [buildObject("performance.openshift.io/v2", "PerformanceProfile", "fast")],
    miss: [],
  },
  "kube-state-metrics-time-zone": {
    hit: [inTimeZone("Europe/Berlin"), buildObject("batch/v1", "CronJob", "demo/hourly", { spec: {} })],
    remedied: [inTimeZone("UTC"), buildObject("batch/v1", "CronJob", "demo/hourly", { spec: {} })],
    miss: [buildObject("batch/v1", "CronJob", "demo/hourly", { spec: {} })],
    otherHits: [{ hit: [inTimeZone("Etc/UTC")] }],
  },
  "short-image-names": {
    otherHits: [{ hit: [pod({ containers: [{ image: "team/web" }] }, "Pending")] }],
    otherMisses: [
      { miss: [deployment(0, "team/web")] },
      { miss: [pod({ containers: [{ image: "team/web" }] }, "Succeeded")] },
      { miss: [pod({ containers: [{ image: "team/web" }] }, "Failed")] },
    ],
    hit: [pod({ containers: [{ image: FULL }], initContainers: [{ image: "team/setup" }] })],
    remedied: [pod({ containers: [{ image: FULL }], initContainers: [{ image: "registry.example/team/setup" }] })],
    otherRemedies: [
      { hit: [deployment(1, "team/web")], remedied: [deployment(1, FULL)] },
      {
        hit: [cronJob({ containers: [{ image: "team/web" }] })],
        remedied: [cronJob({ containers: [{ image: FULL }] })],
      },
    ],
    miss: [
      pod({ containers: [{ image: FULL }, { image: "localhost/web" }, { image: "host:5000/web" }] }),
      cronJob({ containers: [{ image: FULL }] }),
      buildObject("apps/v1", "Deployment", "demo/web", {
        spec: { template: { spec: { containers: [{ image: " " }] } } },
      }),
    ],
  },
};
