import { Counter, Gauge, Registry } from "prom-client";
import type { Action } from "../../../controller/action.ts";
import type { Observation } from "../../../controller/observation.ts";
import { isPreflightCondition } from "../../../lift/progress/preflight-conditions.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { isObject, listAt, textAt } from "../../../model/json.ts";
import { parseTimestamp } from "../../../model/time.ts";

export type ControllerMetrics = {
  readonly onReconcile: (state: Observation, actions: readonly Action[]) => void;
  readonly onLeading: (isLeading: boolean) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** The controller's Prometheus metrics: ClusterVersion and the result as last reconciled, and the number of writes. */
export function createControllerMetrics(): ControllerMetrics {
  const registry = new Registry();
  const m = createInstruments(registry);
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** An empty registry, for a command that only serves probes. */
export function createProcessMetrics(): Pick<ControllerMetrics, "text" | "contentType"> {
  const registry = new Registry();
  return { text: () => registry.metrics(), contentType: registry.contentType };
}

function createInstruments(registry: Registry) {
  const registers = [registry];
  const versions = ["source", "target"] as const;
  return {
    leading: new Gauge({
      name: "preflight_controller_leading",
      help: "1 if this controller is the leader.",
      registers,
    }),
    looks: new Counter({
      name: "preflight_controller_looks_total",
      help: "Reconciliations of the cluster's state.",
      registers,
    }),
    writes: new Counter({
      name: "preflight_controller_writes_total",
      help: "Planned writes, by kind.",
      labelNames: ["kind"],
      registers,
    }),
    condition: new Gauge({
      name: "preflight_controller_condition",
      help: "1 if the condition of ClusterVersion is True, 0 if it is False.",
      labelNames: ["type", "reason"],
      registers,
    }),
    risks: new Gauge({
      name: "preflight_controller_risks",
      help: "Number of risks in the current result.",
      labelNames: versions,
      registers,
    }),
    observed: new Gauge({
      name: "preflight_controller_result_observed_timestamp_seconds",
      help: "When the cycle of the current result began to read the cluster.",
      labelNames: versions,
      registers,
    }),
  };
}
