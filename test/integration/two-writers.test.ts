import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createApiClient } from "../../src/cluster/writer/api-client.ts";
import { changeStatus } from "../../verify/operator/stage.ts";
import { playTwoWriters } from "../support/controller/two-writers.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { hasAllCases } from "../support/cases/sample.ts";

/** PREFLIGHT_WRITER_STEPS=2000 runs the long schedule. */
const STEPS = Number(process.env["PREFLIGHT_WRITER_STEPS"] ?? (hasAllCases ? 1_000 : 100));

test(`two writers converge within ${STEPS} random steps on a real API server`, { skip: noControlPlane }, async () => {
  const cluster = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
  const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
  try {
    const api = createApiClient(connection, { userAgent: "test" });
    await changeStatus(api, (status) =>
      Object.fromEntries(Object.entries(status).filter(([key]) => !key.startsWith("conditionalUpdate"))),
    );
    const random = createRandom(3);
    // The runner's times must follow the requests', which the API server's clock stamps.
    const start = new Date(Date.now() + 3_600_000);
    const coverage = await playTwoWriters(api, {
      steps: STEPS,
      random,
      source: "5.0.8",
      targets: ["5.0.9", "5.1.2"],
      start,
    });
    assert.ok(coverage.shown > 0, JSON.stringify(coverage));
    process.stdout.write(`${STEPS} steps: ${JSON.stringify(coverage)}\n`);
  } finally {
    connection.close();
    await cluster.down();
  }
});
