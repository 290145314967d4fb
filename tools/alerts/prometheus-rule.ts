import type { Check } from "../../src/model/check.ts";
import { type Alert, NAMESPACE } from "./alert.ts";
import { buildRiskAlerts } from "./risk-alerts.ts";
import { runnerAlerts } from "./runner-alerts.ts";

type RuleGroup = { readonly name: string; readonly rules: readonly Alert[] };

/** The PrometheusRule: a group for what the checks find, one for the runner itself. */
export function buildPrometheusRule(checks: readonly Check[]) {
  const groups: readonly RuleGroup[] = [
    { name: "preflight-risks", rules: checks.flatMap(buildRiskAlerts) },
    { name: "preflight-runner", rules: runnerAlerts },
  ];
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "cluster-version-operator-preflight", namespace: NAMESPACE },
    spec: { groups },
  };
}
