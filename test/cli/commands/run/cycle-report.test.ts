import assert from "node:assert/strict";
import { test } from "node:test";
import { reportCycles } from "../../../../src/cli/commands/run/run.ts";
import { createRunnerMetrics } from "../../../../src/cli/commands/run/runner-metrics.ts";
import type { CycleFailureReason, CycleResult } from "../../../../src/model/report.ts";
import { reportOf, risk } from "../../../../verify/pages/sample.ts";

const COMPLETED = {
  kind: "completed",
  report: reportOf([risk("Alpha")]),
} as const satisfies CycleResult;

function failWith(reason: CycleFailureReason): CycleResult {
  return { kind: "failed", failure: { reason, message: `because of ${reason}` }, observedAt: new Date(0) };
}

/** Runs the cycles; returns what was logged, and the metrics without HELP and TYPE. */
async function play(results: readonly CycleResult[]) {
  const lines: string[] = [];
  const clock = (): number => 0;
  const metrics = createRunnerMetrics({ clock, interval: 300_000, showsMessages: true });
  const add =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level}: ${message}`);
  const log = { info: add("info"), warn: add("warn"), error: add("error") };
  const rest = [...results];
  const cycle = reportCycles(async () => rest.shift() ?? COMPLETED, { metrics, log, clock });
  for (const result of results) {
    await cycle(new AbortController().signal);
    metrics.onPublish(true, result.kind === "completed" ? result.report.observedAt : undefined);
  }
  return { lines, text: (await metrics.text()).replaceAll(/^#.*\n/gm, "") };
}

const OF_RESULT = /^preflight_(?:risk|risk_message|check_outcome|complete|document_age_seconds)\b/m;

test("an update that has begun withdraws the risks from the metrics, and is logged once", async () => {
  const updating = failWith("UpdateInProgress");
  const { lines, text } = await play([COMPLETED, updating, updating, failWith("TargetReached"), updating]);
  assert.deepEqual(lines, [
    "info: cycle completed",
    "warn: because of UpdateInProgress",
    "warn: because of TargetReached",
    "warn: because of UpdateInProgress",
  ]);
  assert.doesNotMatch(text, OF_RESULT);
  assert.match(text, /^preflight_ended\{reason="UpdateInProgress"\} 1$/m);
  assert.doesNotMatch(text, /TargetReached|^preflight_cycle_failed/m);
  assert.match(text, /^preflight_cycles_total\{result="completed"\} 1$/m);
  assert.doesNotMatch(text, /^preflight_cycles_total\{result="failed"\}/m);
});

test("an outage keeps the risks in the metrics, and the next cycle after an update shows them again", async () => {
  const outage = await play([COMPLETED, failWith("ClusterUnreachable")]);
  assert.match(outage.text, OF_RESULT);
  assert.match(outage.text, /^preflight_cycle_failed\{reason="ClusterUnreachable"\} 1$/m);
  const resumed = await play([COMPLETED, failWith("UpdateInProgress"), COMPLETED]);
  assert.match(resumed.text, /^preflight_risk\{name="Alpha"/m);
  assert.match(resumed.text, /^preflight_document_age_seconds/m);
  assert.doesNotMatch(resumed.text, /^preflight_ended/m);
});

test("a check that is gone leaves the metrics with its cycle", async () => {
  const both = {
    id: "olm-shop-carts",
    name: "OlmShopCarts",
    title: "Carts",
    outcome: { kind: "clear", notices: [] },
  } as const;
  const first: CycleResult = { kind: "completed", report: { ...COMPLETED.report, checks: [both] } };
  assert.match((await play([first])).text, /^preflight_check_outcome\{check="olm-shop-carts"/m);
  const { text } = await play([first, { kind: "completed", report: reportOf([risk("Beta")]) }]);
  assert.doesNotMatch(text, /olm-shop-carts/);
});
