import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { startPrometheusStore } from "../../verify/churn/prometheus.ts";
import { findRiskAlert } from "../../verify/operator/operator-model.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { listen } from "../../verify/shared/loopback.ts";
import { noPrometheus } from "../../verify/shared/prometheus.ts";

const VERSIONS = { source: "5.0.3", target: "5.1.0" };
const NAME = "DrainBlockedByDisruptionBudget";

test(
  "a Prometheus with the shipped rules fires what its stand-in does, and ends with the risk",
  { skip: noPrometheus },
  async () => {
    let metrics = `preflight_risk{name="${NAME}",source="5.0.3",target="5.1.0"} 1\n`;
    const server = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metrics),
    );
    after(() => server.close());
    const port = await listen(server);
    const store = await startPrometheusStore(`http://127.0.0.1:${port}/metrics`, {
      intervalMs: 200,
      keepFiringMs: 400,
    });
    after(() => store.stop());
    await eventually(async () => assert.deepEqual(store.firing(), [findRiskAlert(NAME, VERSIONS)]));
    metrics = "";
    await eventually(async () => assert.deepEqual(store.firing(), []));
  },
);
