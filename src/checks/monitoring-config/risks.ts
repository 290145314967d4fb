import { buildConfigMapRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";

/** The ConfigMap of the platform's own monitoring. */
export const CLUSTER_CONFIG = buildConfigMapRef("openshift-monitoring", "cluster-monitoring-config");

export const risks = readRisks("monitoring-config", {
  MonitoringConfigAlertmanagerV1: {},
  MonitoringConfigRefused: {},
});
