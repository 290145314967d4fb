import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { startFaultServer } from "../../verify/reliability/fault-server.ts";
import { FAULTS, type Fault } from "../../verify/reliability/faults.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import { createCollector, createFakeClock, neverAborted, writeKubeconfig } from "../support/cluster/mock-server.ts";

const RECORDING = join(import.meta.dirname, "..", "..", "demo", "cluster.json");
const BUDGETS_PATH = "/apis/policy/v1/poddisruptionbudgets";
const BUDGETS = parseResource("policy/v1/poddisruptionbudgets");
/** Short only if the fault is silence and lasts, or never ends: a slow machine must not fail the other reads. */
const IDLE_MS = 60_000;
const SILENCE_MS = 100;
const ENDLESS_MS = 300;
/** For silence that is followed by an answer: a healthy server is tried four times, and has to answer in time once. */
const PATIENT_SILENCE_MS = 1_000;

/** "read" only if every object was visited. The clock never waits; the sleep restarts a killed server. */
async function readBudgets(
  t: TestContext,
  { strike, isEndless, isSilent, once }: Fault,
  times: number,
): Promise<string> {
  const server = await startFaultServer(RECORDING, { isStruck: (path) => path === BUDGETS_PATH, fault: strike, times });
  t.after(server.close);
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: server.url } }), env: {} });
  t.after(connection.close);
  const clock = { ...createFakeClock(), sleep: async () => (times === 1 ? server.restart() : undefined) };
  const live = createLiveReader(connection, {
    userAgent: "test",
    clock,
    idleTimeoutMs: isSilent ? (times === 1 ? PATIENT_SILENCE_MS : SILENCE_MS) : IDLE_MS,
  });
  const reader = live.forCycle?.() ?? live;
  const collector = createCollector();
  const isReadToItsEnd = times === 1 && once === "read";
  const signal = isEndless && !isReadToItsEnd ? AbortSignal.timeout(ENDLESS_MS) : neverAborted;
  const result = await reader.list(BUDGETS, collector.begin, signal);
  if (result.kind === "failed") return result.reason;
  return result.kind === "listed" && collector.names().length === 2 ? "read" : result.kind;
}

for (const fault of FAULTS) {
  test(`${fault.name}: never returns a wrong list, and retries if that can help`, async (t) => {
    // What is not tried again is the same once as for ever.
    if (hasAllCases || fault.lasting !== fault.once) assert.equal(await readBudgets(t, fault, Infinity), fault.lasting);
    assert.equal(await readBudgets(t, fault, 1), fault.once);
  });
}
