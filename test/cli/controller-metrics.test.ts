import assert from "node:assert/strict";
import { test } from "node:test";
import { controllerMetrics } from "../../src/cli/controller-metrics.ts";
import { decide } from "../../src/controller/decide.ts";
import { requestFor, seenIn, SETTINGS, settle, storeWith } from "../controller/play.ts";
import { documentOf, NOW, risk } from "../lift/sample.ts";

const DOCUMENT = { kind: "read", document: documentOf([risk("A"), risk("B")]) } as const;

/** The lines of the metrics, without help and types. */
async function samples({ text }: ReturnType<typeof controllerMetrics>): Promise<readonly string[]> {
  return (await text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("the controller's metrics tell what stands and how much was written, and of nothing that it no longer leads", async () => {
  const metrics = controllerMetrics();
  const api = storeWith(requestFor({ to: "5.2.0" }));
  metrics.onLeading(true);
  const first = await seenIn(api, { document: DOCUMENT });
  metrics.onLook(first, decide(first, SETTINGS, NOW));
  await settle(api, { document: DOCUMENT });
  metrics.onLook(await seenIn(api, { document: DOCUMENT }), []);
  assert.deepEqual(await samples(metrics), [
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
  const left = (await samples(metrics)).filter((line) => !/_total/.test(line));
  assert.deepEqual(left, ["preflight_controller_leading 0"]);
});

test("what stands no more is told no more", async () => {
  const metrics = controllerMetrics();
  const api = storeWith(requestFor({ to: "5.2.0" }));
  await settle(api, { document: DOCUMENT });
  metrics.onLook(await seenIn(api, { document: DOCUMENT }), []);
  metrics.onLook(await seenIn(storeWith(undefined)), []);
  assert.deepEqual(await samples(metrics), ["preflight_controller_leading 0", "preflight_controller_looks_total 2"]);
});
