import assert from "node:assert/strict";
import { test } from "node:test";
import { createControllerMetrics } from "../../../../src/cli/commands/controller/controller-metrics.ts";
import { plan } from "../../../../src/controller/plan.ts";
import {
  requestFor,
  observeStore,
  SETTINGS,
  reconcileUntilStable,
  createStore,
} from "../../../support/controller/reconcile.ts";
import { buildSampleDocument, NOW, risk } from "../../../support/lift/sample.ts";

const DOCUMENT = { kind: "read", document: buildSampleDocument([risk("A"), risk("B")]) } as const;

/** The lines of the metrics, without HELP and TYPE. */
async function readSamples({ text }: ReturnType<typeof createControllerMetrics>): Promise<readonly string[]> {
  return (await text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("the controller's metrics show the current state and its writes, and drop the state once it stops leading", async () => {
  const metrics = createControllerMetrics();
  const api = createStore(requestFor({ to: "5.2.0" }));
  metrics.onLeading(true);
  const first = await observeStore(api, { document: DOCUMENT });
  metrics.onReconcile(first, plan(first, SETTINGS, NOW));
  await reconcileUntilStable(api, { document: DOCUMENT });
  metrics.onReconcile(await observeStore(api, { document: DOCUMENT }), []);
  assert.deepEqual(await readSamples(metrics), [
    "preflight_controller_leading 1",
    "preflight_controller_looks_total 2",
    'preflight_controller_writes_total{kind="result"} 1',
    'preflight_controller_writes_total{kind="history"} 1',
    'preflight_controller_writes_total{kind="runner"} 1',
    'preflight_controller_writes_total{kind="conditions"} 1',
    'preflight_controller_condition{type="PreflightRunning",reason="Starting"} 1',
    'preflight_controller_condition{type="PreflightCompleted",reason="RisksFound"} 1',
    'preflight_controller_condition{type="PreflightFailed",reason="AsExpected"} 0',
    'preflight_controller_risks{source="5.0.3",target="5.2.0"} 2',
    'preflight_controller_result_observed_timestamp_seconds{source="5.0.3",target="5.2.0"} 1772366100',
  ]);
  metrics.onLeading(false);
  const remaining = (await readSamples(metrics)).filter((line) => !/_total/.test(line));
  assert.deepEqual(remaining, ["preflight_controller_leading 0"]);
});

test("metrics of a removed request disappear", async () => {
  const metrics = createControllerMetrics();
  const api = createStore(requestFor({ to: "5.2.0" }));
  await reconcileUntilStable(api, { document: DOCUMENT });
  metrics.onReconcile(await observeStore(api, { document: DOCUMENT }), []);
  metrics.onReconcile(await observeStore(createStore(undefined)), []);
  assert.deepEqual(await readSamples(metrics), [
    "preflight_controller_leading 0",
    "preflight_controller_looks_total 2",
  ]);
});
