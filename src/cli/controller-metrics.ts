import { Counter, Gauge, Registry } from "prom-client";
import type { Action } from "../controller/action.ts";
import type { Observed } from "../controller/observed.ts";
import { isOurCondition } from "../lift/conditions.ts";
import { heldIn } from "../lift/result.ts";
import { isObject, listAt, textAt } from "../model/json.ts";
import { instantOf } from "../model/time.ts";

export type ControllerMetrics = {
  readonly onLook: (seen: Observed, actions: readonly Action[]) => void;
  readonly onLeading: (isLeading: boolean) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** The controller's Prometheus metrics: what ClusterVersion and the result said at the last look, and how much was written. */
export function controllerMetrics(): ControllerMetrics {
  const registry = new Registry();
  const m = instruments(registry);
  return {
    onLook: (seen, actions) => {
      m.looks.inc();
      for (const { kind } of actions) m.writes.inc({ kind });
      m.condition.reset();
      for (const one of listAt(seen.clusterVersion, "status", "conditions").filter(isObject).filter(isOurCondition)) {
        const [type, reason] = [textAt(one, "type") ?? "", textAt(one, "reason") ?? ""];
        m.condition.set({ type, reason }, textAt(one, "status") === "True" ? 1 : 0);
      }
      const held = heldIn(seen.result);
      m.risks.reset();
      m.observed.reset();
      if (!held) return;
      const versions = { source: held.source, target: held.target };
      m.risks.set(versions, held.risks.length);
      const observed = instantOf(held.observedAt);
      if (observed !== undefined) m.observed.set(versions, observed / 1_000);
    },
    onLeading: (isLeading) => {
      m.leading.set(isLeading ? 1 : 0);
      // Whoever leads then tells how things are.
      if (!isLeading) for (const gauge of [m.condition, m.risks, m.observed]) gauge.reset();
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function instruments(registry: Registry) {
  const registers = [registry];
  const versions = ["source", "target"] as const;
  return {
    leading: new Gauge({ name: "preflight_controller_leading", help: "1 where this controller leads.", registers }),
    looks: new Counter({ name: "preflight_controller_looks_total", help: "Looks at the cluster.", registers }),
    writes: new Counter({
      name: "preflight_controller_writes_total",
      help: "Writes that were decided on, by what they are about.",
      labelNames: ["kind"],
      registers,
    }),
    condition: new Gauge({
      name: "preflight_controller_condition",
      help: "1 where the condition of ClusterVersion is True, 0 where it is False.",
      labelNames: ["type", "reason"],
      registers,
    }),
    risks: new Gauge({
      name: "preflight_controller_risks",
      help: "Risks of the result that stands.",
      labelNames: versions,
      registers,
    }),
    observed: new Gauge({
      name: "preflight_controller_result_observed_timestamp_seconds",
      help: "When the cycle behind the result that stands began to look.",
      labelNames: versions,
      registers,
    }),
  };
}
