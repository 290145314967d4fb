import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand } from "../../model/commands.ts";
import { buildConfigMapRef } from "../../model/resource.ts";

/** The ConfigMap of the platform's own monitoring. */
export const CLUSTER_CONFIG = buildConfigMapRef("openshift-monitoring", "cluster-monitoring-config");

export const monitoringConfigRefused: RiskText = {
  name: "MonitoringConfigRefused",
  effect: "stuck",
  title: "The target's monitoring operator refuses the monitoring configuration",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.17/html/monitoring/config-map-reference-for-the-cluster-monitoring-operator",
  describe: (objects, { target }) =>
    `The monitoring operator of ${target.text} refuses ${objects}, which earlier releases accept: it becomes Degraded and Unavailable, and the update can't finish.`,
  remediation:
    "Correct or remove these keys. The running operator ignores unknown keys, and uses only the last of repeated ones.",
  knownAs: { published: ["CMOSuddenStrictConfigValidation"] },
  example: { object: CLUSTER_CONFIG },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};

export const monitoringConfigAlertmanagerV1: RiskText = {
  name: "MonitoringConfigAlertmanagerV1",
  effect: "stuck",
  title: "The monitoring configuration requests the v1 API of Alertmanager",
  url: "https://issues.redhat.com/browse/MON-4270",
  describe: (objects, { target }) =>
    `From 4.19 on Prometheus doesn't support the v1 API of Alertmanager, which ${objects} requests: the monitoring operator of ${target.text} refuses the configuration, becomes Degraded, and the update can't finish.`,
  remediation: "Make sure that these Alertmanagers run 0.16 or later, and set apiVersion to v2.",
  knownAs: { published: ["AlertmanagerV1NotSupported"] },
  example: { object: CLUSTER_CONFIG },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};
