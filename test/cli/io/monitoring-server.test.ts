import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics, startMonitoringServer } from "../../../src/cli/io/monitoring-server.ts";

test("/healthz fails with the reason once the loop is stuck, so that the kubelet restarts the controller", async (t) => {
  const loop: { stuck?: string } = {};
  const server = await startMonitoringServer({
    listen: "127.0.0.1:0",
    metrics: createMetrics(),
    readiness: () => undefined,
    liveness: () => loop.stuck,
  });
  t.after(server.close);
  const read = async (path: string): Promise<readonly [number, string]> => {
    const response = await fetch(`http://${server.address}${path}`);
    return [response.status, await response.text()];
  };
  assert.deepEqual(await read("/healthz"), [200, "ok\n"]);
  loop.stuck = "no progress for 60 s";
  assert.deepEqual(await read("/healthz"), [503, "no progress for 60 s\n"]);
  assert.deepEqual(await read("/readyz"), [200, "ok\n"]);
});
