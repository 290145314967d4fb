import type { RunnerAlertName } from "../../src/model/preflight-mark.ts";
import { MAX_ALERTS, TOO_MANY_RISKS } from "./risk-alerts.ts";
import { type Alert, ALERT_DELAY, PRECHECK_LABELS, buildLabels, formatMetric, formatRunbookUrl } from "./alert.ts";

const RUNNER_DEPLOYMENT = "cluster-version-operator-preflight";

/** A silent runner must not look like a cluster without risks, so the first three alerts are also shown before an update. */
export const runnerAlerts: readonly (Alert & { readonly alert: RunnerAlertName })[] = [
  {
    alert: "PreflightRunnerStale",
    expr: [
      `max by (namespace) (${formatMetric("kube_deployment_spec_replicas", { deployment: RUNNER_DEPLOYMENT })}) > 0`,
      `unless on () (max(${formatMetric("preflight_document_age_seconds")}) < 3 * max(${formatMetric("preflight_interval_seconds")}))`,
      `unless on () (max(${formatMetric("preflight_cycle_failed")}) > 0)`,
      `unless on () (max(${formatMetric("preflight_ended")}) > 0)`,
    ].join("\n"),
    for: ALERT_DELAY,
    labels: buildLabels("warning", PRECHECK_LABELS),
    annotations: annotate(
      "runner-stale",
      "The preflight's result is too old, or there is none.",
      "The Deployment cluster-version-operator-preflight is there, but its pod has not told of a completed cycle for three intervals. Risks that have arisen since are not known. See the pod's state, events and log.",
    ),
  },
  {
    alert: "PreflightRunnerFailing",
    expr: `max by (reason) (${formatMetric("preflight_cycle_failed")}) > 0`,
    for: ALERT_DELAY,
    labels: buildLabels("warning", PRECHECK_LABELS),
    annotations: annotate(
      "runner-failing",
      "The preflight can't check the cluster: {{ $labels.reason }}.",
      "The runner's cycles fail. The risks of the last completed cycle stand, and what has arisen since is not known. The runner's log says more of the reason.",
    ),
  },
  {
    alert: "PreflightRisksTooMany",
    expr: TOO_MANY_RISKS,
    keep_firing_for: ALERT_DELAY,
    labels: buildLabels("warning", PRECHECK_LABELS),
    annotations: annotate(
      "risks",
      `The preflight has found more than ${MAX_ALERTS} risks.`,
      "They are too many to be told one by one: none has an alert of its own any more. The runner's document has them all.",
    ),
  },
  {
    alert: "PreflightRunnerIncomplete",
    expr: `max(${formatMetric("preflight_complete")}) == 0`,
    for: "1h",
    labels: buildLabels("info"),
    annotations: annotate(
      "incomplete",
      "Some of the preflight's checks can't look.",
      "At least one check has been without a verdict for an hour. Each such check has an alert of its own, whose name ends with Unknown.",
    ),
  },
  {
    alert: "PreflightDocumentUnwritten",
    expr: `max(${formatMetric("preflight_document_written")}) == 0`,
    for: ALERT_DELAY,
    labels: buildLabels("warning"),
    annotations: annotate(
      "volume",
      "The preflight's result can't be written.",
      "The runner can't write its document to the node's folder, so that nobody who reads it there sees the last result. The runner's log says why.",
    ),
  },
  {
    alert: "PreflightTargetReached",
    expr: `max by (namespace) (${formatMetric("preflight_ended", { reason: "TargetReached" })}) > 0`,
    for: "1h",
    labels: buildLabels("info"),
    annotations: annotate(
      "runner-failing",
      "The cluster runs the preflight's target: remove the runner.",
      "The runner has nothing left to check since the update to its target is complete. Remove its Deployment, or set another target.",
    ),
  },
];

function annotate(page: string, summary: string, description: string): Alert["annotations"] {
  return { summary, description, runbook_url: formatRunbookUrl(page) };
}
