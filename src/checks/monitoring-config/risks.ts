import type { RiskText } from "../../model/check.ts";

export const monitoringConfigRefused: RiskText = {
  name: "MonitoringConfigRefused",
  title: "The target's monitoring operator refuses the monitoring configuration",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.17/html/monitoring/config-map-reference-for-the-cluster-monitoring-operator",
  describe: (objects, { target }) =>
    `The monitoring operator of ${target.text} refuses ${objects}, which earlier releases accept: it becomes Degraded and Unavailable, and the update can't finish.`,
  remediation:
    "Correct these keys or take them out: unknown ones have no effect now, and of repeated ones only the last has.",
  published: ["CMOSuddenStrictConfigValidation"],
};

export const monitoringConfigAlertmanagerV1: RiskText = {
  name: "MonitoringConfigAlertmanagerV1",
  title: "The monitoring configuration asks for the v1 API of Alertmanager",
  url: "https://issues.redhat.com/browse/MON-4270",
  describe: (objects, { target }) =>
    `Prometheus of 4.19 and later doesn't speak the v1 API of Alertmanager, which ${objects} asks for: the monitoring operator of ${target.text} refuses the configuration, becomes Degraded, and the update can't finish.`,
  remediation: "Set apiVersion to v2 there, after bringing these Alertmanagers to 0.16 or later.",
  published: ["AlertmanagerV1NotSupported"],
};
