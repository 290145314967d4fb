import type { Entry } from "../vocabulary.ts";

/** Faults that hit what users run. */
export const WORKLOADS: readonly Entry[] = [
  {
    id: "kube-state-metrics-time-zone",
    name: "CronJobTimeZonesCrashMetrics",
    certainty: "risk",
    published: ["KubeStateMetricsTimezonePanic"],
    versions: [
      { first: "4.20.29", last: "4.20.31", sources: [{ before: "4.20.29" }], fixedIn: "4.20.32" },
      {
        first: "4.21.24",
        last: "4.21.26",
        sources: [{ before: "4.20.29" }, { from: "4.21.0-0", before: "4.21.24" }],
        fixedIn: "4.21.27",
      },
      { first: "4.22.0", last: "4.22.7", sources: [{ before: "4.21.24" }], fixedIn: "4.22.8" },
    ],
    when: { each: "batch/v1/cronjobs", where: { at: "spec.timeZone", is: "nonEmpty" } },
    title: "CronJobs with a time zone crash kube-state-metrics",
    message:
      "kube-state-metrics of {target} has no time zones and keeps crashing over CronJobs that set spec.timeZone, which takes monitoring down and can stall the update",
    url: "https://redhat.atlassian.net/browse/MON-4619",
  },
];
