import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { before, suite, test, type TestContext } from "node:test";
import { createMetrics, startMonitoringServer } from "../../../src/cli/io/monitoring-server.ts";
import { eventually } from "../../../verify/shared/eventually.ts";
import { createAuthority, type KeyPair, noOpenssl } from "../../../verify/api-server/certificates.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const PROMETHEUS = "system:serviceaccount:openshift-monitoring:prometheus-k8s";

suite("TLS", { skip: noOpenssl }, () => {
  const ours = createTemporaryFolder();
  const theirs = createTemporaryFolder();
  const keys: { ca: string; server?: KeyPair; prometheus?: KeyPair; other?: KeyPair; foreign?: KeyPair } = { ca: "" };
  before(() => {
    const cluster = createAuthority(ours);
    const foreign = createAuthority(theirs);
    keys.ca = cluster.ca.cert;
    keys.server = cluster.issue("server");
    keys.prometheus = cluster.issue(PROMETHEUS);
    keys.other = cluster.issue("system:serviceaccount:default:other");
    keys.foreign = foreign.issue(PROMETHEUS);
    writePair(keys.server);
  });

  function writePair(pair: KeyPair): void {
    writeFileSync(join(ours, "tls.crt"), pair.cert);
    writeFileSync(join(ours, "tls.key"), pair.key);
  }

  async function start(t: TestContext, authorities: string | undefined | Promise<string>): Promise<number> {
    const server = await startMonitoringServer({
      listen: "127.0.0.1:0",
      tls: { folder: ours, readClientAuthorities: async () => authorities, warn: () => {} },
      metrics: createMetrics(),
      readiness: () => undefined,
    });
    t.after(server.close);
    return Number(server.address.split(":").at(-1));
  }

  function get(port: number, path: string, client?: KeyPair, agent?: Agent): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const pair = client && { cert: client.cert, key: client.key };
      request({ host: "127.0.0.1", port, path, ca: keys.ca, agent: agent ?? false, ...pair }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      })
        .on("error", reject)
        .end();
    });
  }

  test("the metrics are for the cluster's Prometheus alone, and the probes for everybody", async (t) => {
    const port = await start(t, keys.ca);
    await eventually(async () => assert.equal(await get(port, "/metrics", keys.prometheus), 200));
    assert.equal(await get(port, "/metrics"), 401);
    assert.equal(await get(port, "/metrics", keys.foreign), 401);
    assert.equal(await get(port, "/metrics", keys.other), 403);
    assert.deepEqual([await get(port, "/healthz"), await get(port, "/readyz")], [200, 200]);
  });

  test("as long as the cluster's authorities are unknown, no certificate counts", async (t) => {
    const port = await start(t, undefined);
    assert.equal(await get(port, "/metrics", keys.prometheus), 401);
    assert.equal(await get(port, "/healthz"), 200);
  });

  test("a client that keeps its connection is let in once the authorities are known", async (t) => {
    const authorities = Promise.withResolvers<string>();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const port = await start(t, authorities.promise);
    assert.equal(await get(port, "/metrics", keys.prometheus, agent), 401);
    authorities.resolve(keys.ca);
    await eventually(async () => assert.equal(await get(port, "/metrics", keys.prometheus, agent), 200));
  });

  test("a folder without a certificate ends the command in one line", async () => {
    const tls = { folder: theirs, readClientAuthorities: () => Promise.resolve(undefined), warn: () => {} };
    const options = { listen: "127.0.0.1:0", tls, metrics: createMetrics(), readiness: () => undefined };
    await assert.rejects(startMonitoringServer(options), /cannot read the serving certificate: .*tls.crt/);
  });
});
