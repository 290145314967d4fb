import { UNKNOWN_URL } from "../../src/runner/risks.ts";
import { MOST_ALERTS, TOO_MANY } from "./risk-alerts.ts";
import { type Alert, PATIENCE, PRECHECK, labels, metric } from "./alert.ts";

const RUNNER = "cluster-version-operator-preflight";

/** A runner that says nothing must not look like a cluster without risks, so the first three are shown before an update too. */
export const runnerAlerts: readonly Alert[] = [
  {
    alert: "PreflightRunnerStale",
    expr: lines(
      `max by (namespace) (${metric("kube_deployment_spec_replicas", { deployment: RUNNER })}) > 0`,
      `unless on () (max(${metric("preflight_document_age_seconds")}) < 3 * max(${metric("preflight_interval_seconds")}))`,
      `unless on () (max(${metric("preflight_cycle_failed")}) > 0)`,
    ),
    for: PATIENCE,
    labels: labels("warning", PRECHECK),
    annotations: {
      summary: "The preflight's result is too old, or there is none.",
      description:
        "The Deployment cluster-version-operator-preflight is there, but its pod has not told of a completed cycle for three intervals. Risks that have arisen since are not known. See the pod's state, events and log.",
      runbook_url: UNKNOWN_URL,
    },
  },
  {
    alert: "PreflightRunnerFailing",
    expr: `max by (reason) (${metric("preflight_cycle_failed")}) > 0`,
    for: PATIENCE,
    labels: labels("warning", PRECHECK),
    annotations: {
      summary: "The preflight can't check the cluster: {{ $labels.reason }}.",
      description:
        "The runner's cycles fail. The risks of the last completed cycle stand, and what has arisen since is not known. The runner's log says more of the reason.",
      runbook_url: UNKNOWN_URL,
    },
  },
  {
    alert: "PreflightRisksTooMany",
    expr: TOO_MANY,
    keep_firing_for: PATIENCE,
    labels: labels("warning", PRECHECK),
    annotations: {
      summary: `The preflight has found more than ${MOST_ALERTS} risks.`,
      description:
        "They are too many to be told one by one: none has an alert of its own any more. The runner's document has them all.",
      runbook_url: UNKNOWN_URL,
    },
  },
  {
    alert: "PreflightRunnerIncomplete",
    expr: `max(${metric("preflight_complete")}) == 0`,
    for: "1h",
    labels: labels("info"),
    annotations: {
      summary: "Some of the preflight's checks can't look.",
      description:
        "At least one check has been without a verdict for an hour. Each such check has an alert of its own, whose name ends with Unknown.",
      runbook_url: UNKNOWN_URL,
    },
  },
  {
    alert: "PreflightDocumentUnwritten",
    expr: `max(${metric("preflight_document_written")}) == 0`,
    for: PATIENCE,
    labels: labels("warning"),
    annotations: {
      summary: "The preflight's result can't be written.",
      description:
        "The runner can't write its document to the node's folder, so that nobody who reads it there sees the last result. The runner's log says why.",
      runbook_url: UNKNOWN_URL,
    },
  },
];

function lines(...parts: readonly string[]): string {
  return parts.join("\n");
}
