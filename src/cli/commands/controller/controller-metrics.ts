import type { Action } from "../../../controller/action.ts";
import type { ReconcileFailure } from "../../../controller/controller.ts";
import { hasFailureDeadline } from "../../../controller/failure-deadline.ts";
import type { Observation } from "../../../controller/observation.ts";
import { selectPreflightConditions } from "../../../lift/progress/preflight-conditions.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { textAt } from "../../../model/json.ts";
import { parseTimestamp } from "../../../model/time.ts";
import { createMetrics, type Metrics } from "../../io/metrics.ts";

export type ControllerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onReconcile: (state: Observation, actions: readonly Action[]) => void;
  readonly onReconciled: (failed: readonly ReconcileFailure[]) => void;
  readonly onWatchFailure: () => void;
  readonly onLeading: (isLeading: boolean) => void;
};

/** The controller's Prometheus metrics: ClusterVersion and the result as last reconciled, and the number of writes. */
export function createControllerMetrics(now: () => Date): ControllerMetrics {
  const metrics = createMetrics();
  const m = createInstruments(metrics);
  return {
    onReconcile: (state, actions) => {
      m.looks.inc();
      for (const { kind } of actions) m.writes.inc({ kind });
      m.condition.reset();
      for (const condition of selectPreflightConditions(state.clusterVersion)) {
        const type = textAt(condition, "type") ?? "";
        const reason = textAt(condition, "reason") ?? "";
        m.condition.set({ type, reason }, textAt(condition, "status") === "True" ? 1 : 0);
      }
      m.gaveUp.set(hasFailureDeadline(state.result) ? 1 : 0);
      const retained = getRetainedResult(state.result);
      m.risks.reset();
      m.observed.reset();
      if (!retained) return;
      const versions = { source: retained.source, target: retained.target };
      m.risks.set(versions, retained.risks.length);
      const observed = parseTimestamp(retained.observedAt);
      if (observed !== undefined) m.observed.set(versions, observed / 1_000);
    },
    onReconciled: (failed) => {
      for (const kind of failed) m.failures.inc({ kind });
      m.failing.set(failed.length > 0 ? 1 : 0);
      m.reconciled.set(now().getTime() / 1_000);
    },
    onWatchFailure: () => m.failures.inc({ kind: "watch" }),
    onLeading: (isLeading) => {
      m.leading.set(isLeading ? 1 : 0);
      // From then on the new leader reports these.
      if (!isLeading) for (const gauge of [m.condition, m.risks, m.observed, m.gaveUp, m.failing]) gauge.reset();
    },
    text: metrics.text,
    contentType: metrics.contentType,
  };
}

function createInstruments({ counter, gauge }: Metrics) {
  return {
    leading: gauge("preflight_controller_leading", "1 if this controller is the leader."),
    looks: counter("preflight_controller_looks_total", "Reconciliations of the cluster's state."),
    writes: counter("preflight_controller_writes_total", "Planned writes, by kind.", "kind"),
    failures: counter(
      "preflight_controller_failures_total",
      "Watches (watch), other reads (observe) and writes that failed, by kind.",
      "kind",
    ),
    failing: gauge("preflight_controller_failing", "1 if the last reconciliation could not read or write something."),
    reconciled: gauge("preflight_controller_reconciled_timestamp_seconds", "When the last reconciliation ended."),
    gaveUp: gauge(
      "preflight_controller_gave_up",
      "1 if the controller removed a runner that failed for too long, until the next request or its end.",
    ),
    condition: gauge(
      "preflight_controller_condition",
      "1 if the condition of ClusterVersion is True, 0 if it is False.",
      "type",
      "reason",
    ),
    risks: gauge("preflight_controller_risks", "Number of risks in the current result.", "source", "target"),
    observed: gauge(
      "preflight_controller_result_observed_timestamp_seconds",
      "When the cycle of the current result began to read the cluster.",
      "source",
      "target",
    ),
  };
}
