import type { Check } from "../../src/model/check.ts";
import { type Alert, NAMESPACE } from "./alert.ts";
import { riskAlerts } from "./risk-alerts.ts";
import { runnerAlerts } from "./runner-alerts.ts";

type Group = { readonly name: string; readonly rules: readonly Alert[] };

/** The PrometheusRule: a group for what the checks find, one for the runner itself. */
export function prometheusRule(checks: readonly Check[]) {
  const groups: readonly Group[] = [
    { name: "preflight-risks", rules: checks.flatMap(riskAlerts) },
    { name: "preflight-runner", rules: runnerAlerts },
  ];
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "cluster-version-operator-preflight", namespace: NAMESPACE },
    spec: { groups },
  };
}
