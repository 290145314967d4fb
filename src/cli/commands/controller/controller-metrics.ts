import type { Action } from "../../../controller/action.ts";
import type { Observation } from "../../../controller/observation.ts";
import { isPreflightCondition } from "../../../lift/progress/preflight-conditions.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { isObject, listAt, textAt } from "../../../model/json.ts";
import { parseTimestamp } from "../../../model/time.ts";
import { createMetrics, type Metrics } from "../../io/metrics.ts";

export type ControllerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onReconcile: (state: Observation, actions: readonly Action[]) => void;
  readonly onLeading: (isLeading: boolean) => void;
};

/** The controller's Prometheus metrics: ClusterVersion and the result as last reconciled, and the number of writes. */
export function createControllerMetrics(): ControllerMetrics {
  const metrics = createMetrics();
  const m = createInstruments(metrics);
  return {
    onReconcile: (state, actions) => {
      m.looks.inc();
      for (const { kind } of actions) m.writes.inc({ kind });
      m.condition.reset();
      for (const condition of listAt(state.clusterVersion, "status", "conditions")
        .filter(isObject)
        .filter(isPreflightCondition)) {
        const [type, reason] = [textAt(condition, "type") ?? "", textAt(condition, "reason") ?? ""];
        m.condition.set({ type, reason }, textAt(condition, "status") === "True" ? 1 : 0);
      }
      const retained = getRetainedResult(state.result);
      m.risks.reset();
      m.observed.reset();
      if (!retained) return;
      const versions = { source: retained.source, target: retained.target };
      m.risks.set(versions, retained.risks.length);
      const observed = parseTimestamp(retained.observedAt);
      if (observed !== undefined) m.observed.set(versions, observed / 1_000);
    },
    onLeading: (isLeading) => {
      m.leading.set(isLeading ? 1 : 0);
      // From then on the new leader reports these.
      if (!isLeading) for (const gauge of [m.condition, m.risks, m.observed]) gauge.reset();
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
