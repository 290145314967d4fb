import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, buildObject } from "./fake-cluster.ts";

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

const FULL = "registry.example/team/web:1";

export const WORKLOADS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "insights-run-level": { hit: [namespace({ "openshift.io/run-level": "1" })], miss: [namespace({})] },
  "shared-process-namespace": { hit: [pod({ shareProcessNamespace: true })], miss: [pod({})] },
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
