import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { Check } from "../../src/model/check.ts";
import { type Alert, NAMESPACE, PRECHECK_LABEL } from "./alert.ts";
import { buildRiskAlerts, buildUnseenAlerts } from "./risk-alerts.ts";

export const runnerAlerts: readonly Alert[] = JSON.parse(
  JSON.stringify(load(readFileSync(new URL("runner-alerts.yaml", import.meta.url), "utf8"))),
);

type RuleGroup = { readonly name: string; readonly rules: readonly Alert[] };

/** The PrometheusRule: one group for the checks' risks and one for the runner itself. An overlay adds the update precheck. */
export function buildPrometheusRule(checks: readonly Check[]) {
  const groups = buildGroups(checks).map(({ name, rules }) => ({ name, rules: rules.map(withoutPrecheck) }));
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "cluster-version-operator-preflight", namespace: NAMESPACE },
    spec: { groups },
  };
}

/** The overlay's JSON patch: the label that makes an alert a risk of every offered update. */
export function buildPrecheckPatch(checks: readonly Check[]) {
  return buildGroups(checks).flatMap(({ rules }, group) =>
    rules.flatMap((rule, i) =>
      PRECHECK_LABEL in rule.labels
        ? [{ op: "add", path: `/spec/groups/${group}/rules/${i}/labels/${PRECHECK_LABEL}`, value: "true" }]
        : [],
    ),
  );
}

function buildGroups(checks: readonly Check[]): readonly RuleGroup[] {
  return [
    { name: "preflight-risks", rules: [...checks.flatMap(buildRiskAlerts), ...buildUnseenAlerts()] },
    { name: "preflight-runner", rules: runnerAlerts },
  ];
}

function withoutPrecheck(alert: Alert): Alert {
  const { [PRECHECK_LABEL]: _, ...labels } = alert.labels;
  return { ...alert, labels };
}
