import { type Fixture, thing } from "./things.ts";

export const WORKLOADS: Readonly<Record<string, Fixture>> = {
  "kube-state-metrics-time-zone": {
    hit: [
      thing("batch/v1", "CronJob", "demo/nightly", { spec: { timeZone: "Europe/Berlin" } }),
      thing("batch/v1", "CronJob", "demo/hourly", { spec: {} }),
    ],
    miss: [thing("batch/v1", "CronJob", "demo/hourly", { spec: {} })],
  },
};
