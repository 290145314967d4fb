import { INSIGHT_NAMESPACE } from "../../src/controller/status-controller.ts";
import { type Alert, buildLabels, formatMetric, formatRunbookUrl, NAMESPACE } from "./alert.ts";

/** Longer than a node of the control plane takes to restart in an update, and its API server to return. */
const CONTROLLER_DELAY = "15m";

/** Shorter than the delay, so that one failure is no alert, and longer than a failed watch waits before it tries again. */
const FAILURE_WINDOW = "10m";

export const controllerAlerts: readonly Alert[] = [
  buildDownAlert("PreflightController", NAMESPACE, "preflight-controller", "Requests for a preflight are not served."),
  buildAlert(NAMESPACE, {
    alert: "PreflightControllerNotLeading",
    expr: `max(${formatMetric("preflight_controller_leading")}) == 0`,
    summary: "No preflight controller leads.",
    description:
      "Controllers run, but none has held the Lease preflight-controller for a quarter of an hour, so requests are not served. The controller's log says why it could not acquire or renew the Lease.",
  }),
  buildAlert(NAMESPACE, {
    alert: "PreflightControllerFailing",
    expr: [
      `max(${formatMetric("preflight_controller_failing")}) > 0`,
      `or sum(increase(${formatMetric("preflight_controller_failures_total", { kind: "watch" })}[${FAILURE_WINDOW}])) > 0`,
    ].join("\n"),
    summary: "The preflight controller can't read or write the cluster.",
    description:
      "Reads or writes of the preflight controller have failed for a quarter of an hour, so what ClusterVersion and preflight-result say may be old. preflight_controller_failures_total says of what kind, and the controller's log why.",
  }),
  buildAlert(NAMESPACE, {
    alert: "PreflightGaveUp",
    expr: `max(${formatMetric("preflight_controller_gave_up")}) > 0`,
    summary: "The requested preflight failed for too long and was given up.",
    description:
      'The controller removed the runner, since it had no result for an hour (--failed-timeout). ClusterVersion\'s condition PreflightFailed says why it failed. Run "preflight request" again to retry, or "preflight cancel".',
  }),
];

export const statusControllerAlerts: readonly Alert[] = [
  buildDownAlert(
    "UpdateStatusController",
    INSIGHT_NAMESPACE,
    "update-status-controller",
    "The status insight about ClusterVersion is not kept.",
  ),
  buildAlert(INSIGHT_NAMESPACE, {
    alert: "UpdateStatusControllerFailing",
    expr: `max(${formatMetric("update_status_controller_failing", { namespace: INSIGHT_NAMESPACE })}) > 0`,
    summary: "The update status controller can't write the status insight.",
    description:
      "Its writes of ConfigMap status-api-cm-prototype have failed for a quarter of an hour, so the insight there is old. The controller's log says why.",
  }),
];

/** Not shown before an update, whose risks these are not. */
function buildAlert(
  namespace: string,
  { alert, expr, ...texts }: Pick<Alert, "alert" | "expr"> & { readonly summary: string; readonly description: string },
): Alert {
  const annotations = { ...texts, runbook_url: formatRunbookUrl("controllers") };
  return { alert, expr, for: CONTROLLER_DELAY, labels: buildLabels("warning", { namespace }), annotations };
}

/** A Deployment that somebody scaled to 0 is not missed. */
function buildDownAlert(name: string, namespace: string, deployment: string, consequence: string): Alert {
  return buildAlert(namespace, {
    alert: `${name}Down`,
    expr: [
      `max(${formatMetric("kube_deployment_spec_replicas", { namespace, deployment })}) > 0`,
      `unless on () (max(${formatMetric("up", { namespace, job: deployment })}) > 0)`,
    ].join("\n"),
    summary: `The controller ${deployment} is down.`,
    description: `Prometheus has reached no pod of the Deployment ${deployment} for a quarter of an hour. ${consequence} See the pod's state, events and log.`,
  });
}
