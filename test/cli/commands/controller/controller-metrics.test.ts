import assert from "node:assert/strict";
import { test } from "node:test";
import { createControllerMetrics } from "../../../../src/cli/commands/controller/controller.ts";
import { buildPatchAction } from "../../../../src/controller/action.ts";
import { applyActions } from "../../../../src/controller/controller.ts";
import { FAILURE_DEADLINE_KEY } from "../../../../src/controller/failure-deadline.ts";
import { plan } from "../../../../src/controller/plan.ts";
import {
  requestFor,
  observeStore,
  SETTINGS,
  SILENT_LOGGER,
  reconcileUntilStable,
  createStore,
} from "../../../support/controller/reconcile.ts";
import { buildSampleDocument, NOW, risk } from "../../../../verify/operator/status-sample.ts";

const DOCUMENT = { kind: "read", document: buildSampleDocument([risk("A"), risk("B")]) } as const;

/** The lines of the metrics, without HELP and TYPE. */
async function readSamples({ text }: ReturnType<typeof createControllerMetrics>): Promise<readonly string[]> {
  return (await text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("the controller's metrics show the current state and its writes, and drop the state once it stops leading", async () => {
  const metrics = createControllerMetrics(() => NOW);
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
    "preflight_controller_failing 0",
    "preflight_controller_reconciled_timestamp_seconds 0",
    "preflight_controller_gave_up 0",
    'preflight_controller_condition{type="PreflightRunning",reason="Starting"} 1',
    'preflight_controller_condition{type="PreflightCompleted",reason="RisksFound"} 1',
    'preflight_controller_condition{type="PreflightFailed",reason="AsExpected"} 0',
    'preflight_controller_risks{source="5.0.3",target="5.2.0"} 2',
    'preflight_controller_result_observed_timestamp_seconds{source="5.0.3",target="5.2.0"} 1772366100',
  ]);
  metrics.onLeading(false);
  const remaining = (await readSamples(metrics)).filter((line) => !/_total/.test(line));
  assert.deepEqual(remaining, [
    "preflight_controller_leading 0",
    "preflight_controller_failing 0",
    "preflight_controller_reconciled_timestamp_seconds 0",
    "preflight_controller_gave_up 0",
  ]);
});

test("metrics of a removed request disappear", async () => {
  const metrics = createControllerMetrics(() => NOW);
  const api = createStore(requestFor({ to: "5.2.0" }));
  await reconcileUntilStable(api, { document: DOCUMENT });
  metrics.onReconcile(await observeStore(api, { document: DOCUMENT }), []);
  metrics.onReconcile(await observeStore(createStore(undefined)), []);
  assert.deepEqual(await readSamples(metrics), [
    "preflight_controller_leading 0",
    "preflight_controller_looks_total 2",
    "preflight_controller_failing 0",
    "preflight_controller_reconciled_timestamp_seconds 0",
    "preflight_controller_gave_up 0",
  ]);
});

test("a reconciliation that fails shows as failing and is counted, until one succeeds or another controller leads", async () => {
  const metrics = createControllerMetrics(() => NOW);
  const findFailing = async () =>
    (await readSamples(metrics)).filter((line) => /failing|failures|reconciled/.test(line));
  const reconciled = `preflight_controller_reconciled_timestamp_seconds ${NOW.getTime() / 1_000}`;
  metrics.onLeading(true);
  metrics.onReconciled(["observe"]);
  metrics.onReconciled(["result", "conditions"]);
  const failures = ["observe", "result", "conditions"].map(
    (kind) => `preflight_controller_failures_total{kind="${kind}"} 1`,
  );
  assert.deepEqual(await findFailing(), [...failures, "preflight_controller_failing 1", reconciled]);
  metrics.onReconciled([]);
  assert.deepEqual(await findFailing(), [...failures, "preflight_controller_failing 0", reconciled]);
  metrics.onReconciled(["observe"]);
  metrics.onLeading(false);
  assert.ok((await findFailing()).includes("preflight_controller_failing 0"));
});

test("a runner that was removed because it failed for too long shows as given up", async () => {
  const metrics = createControllerMetrics(() => NOW);
  const state = await observeStore(createStore(undefined));
  metrics.onReconcile({ ...state, result: { data: { [FAILURE_DEADLINE_KEY]: "{}" } } }, []);
  assert.ok((await readSamples(metrics)).includes("preflight_controller_gave_up 1"));
});

for (const [kind, failed] of [
  ["refused", ["result", "history"]],
  ["unreachable", ["result"]],
  ["conflict", []],
  ["ok", []],
] as const) {
  test(`writes whose answer is ${kind} ${failed.length === 0 ? "have not failed" : "have failed"}`, async () => {
    const actions = (["result", "history"] as const).map((one) => buildPatchAction(one, one, `/${one}`, {}));
    const response = kind === "ok" ? { kind, object: {} } : { kind, message: "no" };
    const api = { ...createStore(undefined), write: () => Promise.resolve(response) };
    const result = await applyActions(actions, api, SILENT_LOGGER, new AbortController().signal);
    assert.deepEqual(result.failed, failed);
  });
}
