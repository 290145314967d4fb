import { RUNC_MAY_RUN, CRON_JOB_POD_SPEC, buildPodTest } from "../common-predicates.ts";
import type { BugEntry, ItemTest, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const SHORT: ItemTest = {
  allOf: [{ at: "image", matches: "\\S" }, { not: { at: "image", matches: "^([^/]*[.:][^/]*|localhost)/" } }],
};

function buildShortImageTest(pod: string): ItemTest {
  return {
    anyOf: [
      { items: `${pod}containers`, where: SHORT },
      { items: `${pod}initContainers`, where: SHORT },
    ],
  };
}

const TEMPLATE = buildShortImageTest("spec.template.spec.");

/** Templates with 0 replicas create no pods. */
const REPLICATED: ItemTest = { allOf: [TEMPLATE, { not: { at: "spec.replicas", equals: 0 } }] };

/** Pods that have not ended, and pods that a template would create. */
const SHORT_IMAGES: Predicate = {
  anyOf: [
    { each: "v1/pods", where: buildPodTest(buildShortImageTest("spec.")) },
    { each: "apps/v1/deployments", where: REPLICATED },
    { each: "apps/v1/statefulsets", where: REPLICATED },
    { each: "apps/v1/daemonsets", where: TEMPLATE },
    { each: "batch/v1/cronjobs", where: buildShortImageTest(`${CRON_JOB_POD_SPEC}.`) },
  ],
};

const SHARED_PROCESSES: Predicate = {
  anyOf: [
    { each: "v1/pods", where: buildPodTest({ at: "spec.shareProcessNamespace", equals: true }) },
    { each: "batch/v1/cronjobs", where: { at: `${CRON_JOB_POD_SPEC}.shareProcessNamespace`, equals: true } },
  ],
};

/** Go's time.LoadLocation knows "UTC" without time zone data, but not "Etc/UTC". */
const NAMED_TIME_ZONE: ItemTest = {
  allOf: [{ at: "spec.timeZone", is: "nonEmpty" }, { not: { at: "spec.timeZone", equals: "UTC" } }],
};

/** Bugs that affect workloads. */
export const WORKLOADS_BUGS: readonly BugEntry[] = [
  {
    id: "insights-run-level",
    name: "InsightsNamespaceRunLevelLeft",
    effect: "stuck",
    published: ["StaleInsightsRunLevelLabel"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.4"),
    when: {
      get: "v1/namespaces",
      name: "openshift-insights",
      where: { at: 'metadata.labels."openshift.io/run-level"', is: "nonEmpty" },
    },
    title: "A leftover label stops the insights operator",
    message:
      "Namespace openshift-insights still has the label openshift.io/run-level, with which the insights operator of {target} may not start",
    remedy: "remove the label (oc label namespace openshift-insights openshift.io/run-level-)",
    fix: { kinds: ["Namespace"], command: "label {object} openshift.io/run-level-" },
    url: "https://issues.redhat.com/browse/OCPBUGS-959",
  },
  {
    id: "shared-process-namespace",
    name: "RuncFailsSharedProcessNamespaces",
    published: ["RuncShareProcessNamespace"],
    versions: [
      { first: "4.12.83", last: "4.12.83", fixedIn: "4.12.84" },
      { first: "4.14.59", last: "4.14.59", fixedIn: "4.14.60" },
      { first: "4.16.53", last: "4.16.53", fixedIn: "4.16.54" },
      { first: "4.17.44", last: "4.17.44", fixedIn: "4.17.45" },
      { first: "4.18.29", last: "4.18.29", fixedIn: "4.18.30" },
      { first: "4.19.19", last: "4.19.20", fixedIn: "4.19.21" },
      { first: "4.20.4", last: "4.20.6", fixedIn: "4.20.8" },
    ],
    when: {
      allOf: [SHARED_PROCESSES, RUNC_MAY_RUN],
    },
    title: "Pods with a shared process namespace may not start",
    message:
      "runc of {target} may fail to start containers of pods that share a process namespace, on nodes that use runc",
    remedy:
      "set defaultRuntime to crun for each pool (in a ContainerRuntimeConfig) and delete the MachineConfigs 00-override-*",
    url: "https://issues.redhat.com/browse/RUN-3748",
  },
  {
    id: "performance-profile-quota",
    name: "PerformanceProfilesBreakCPUQuota",
    published: ["PerformanceProfilesCPUQuota"],
    versions: fromEarlierMinors("4.13.0-ec.1", "4.13.4", "4.13.5"),
    when: {
      each: "performance.openshift.io/v2/performanceprofiles",
      where: { at: "metadata.name", is: "present" },
    },
    title: "CPU quotas are wrong under performance profiles",
    message:
      "On {target}, pods on nodes with a performance profile may get wrong CPU quotas and run too slowly or not at all",
    url: "https://issues.redhat.com/browse/OCPNODE-1705",
  },
  {
    id: "kube-state-metrics-time-zone",
    name: "CronJobTimeZonesCrashMetrics",
    published: ["KubeStateMetricsTimezonePanic"],
    versions: backported(
      ["4.20.29", "4.20.31", "4.20.32"],
      ["4.21.24", "4.21.26", "4.21.27"],
      ["4.22.0", "4.22.7", "4.22.8"],
    ),
    when: { each: "batch/v1/cronjobs", where: NAMED_TIME_ZONE },
    title: "CronJobs with a time zone crash kube-state-metrics",
    message:
      "Monitoring goes down and the update can stall: kube-state-metrics of {target} lacks time zone data and crashes if CronJobs set spec.timeZone to anything but UTC",
    remedy: "set spec.timeZone of these CronJobs to UTC, and adapt spec.schedule",
    fix: { kinds: ["CronJob"], command: "edit {object}" },
    url: "https://redhat.atlassian.net/browse/MON-4619",
  },
  {
    id: "short-image-names",
    name: "ImageNamesLackRegistry",
    published: ["ShortNameImageReferences"],
    versions: fromEarlierMinors("4.21.0", "4.21.1", "4.21.2"),
    when: SHORT_IMAGES,
    title: "Images without a registry in their names can't be pulled",
    message: "The container runtime of {target} no longer pulls images whose names don't begin with a registry",
    remedy: "add the registry to the names of these images",
    url: "https://issues.redhat.com/browse/OCPNODE-4070",
  },
];
