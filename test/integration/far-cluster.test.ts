import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createCollector, createFolder, neverAborted } from "../support/cluster/mock-server.ts";
import { createDistantLink, type Distance } from "../support/cluster/links.ts";
import { startCountingProxy } from "../support/cluster/proxies.ts";

const CRDS = parseResource("apiextensions.k8s.io/v1/customresourcedefinitions");
const VERSION = parseResource("config.openshift.io/v1/clusterversions");

type CrdList = { readonly objects: readonly JsonObject[]; readonly size: number; readonly wireBytes: number };

async function listCrds(t: TestContext, cluster: ControlPlane, where: Distance): Promise<CrdList> {
  const { host, port } = new URL(cluster.env["APISERVER_URL"] ?? "");
  const network = await startCountingProxy(t, Number(port));
  const kubeconfig = join(createFolder(t), "config");
  writeFileSync(kubeconfig, readFileSync(cluster.kubeconfig, "utf8").replaceAll(host, `127.0.0.1:${network.port}`));
  const connection = await connect({ kubeconfig, env: {} });
  t.after(connection.close);
  const reader = createLiveReader(connection, { userAgent: "test", link: createDistantLink(where) });
  for (let i = 0; i < 2; i++) await reader.get({ resource: VERSION, name: "version" }, neverAborted);
  network.takeBytes();
  const collector = createCollector();
  const listed = await reader.list(CRDS, collector.begin, neverAborted);
  return {
    objects: collector.objects(),
    size: listed.kind === "listed" ? listed.bytes : 0,
    wireBytes: network.takeBytes(),
  };
}

test("the same CRDs come from a far API server in a fraction of the bytes", { skip: noControlPlane }, async (t) => {
  const cluster = await startCluster("4.20");
  t.after(cluster.down);
  const near = await listCrds(t, cluster, "near");
  const far = await listCrds(t, cluster, "far");
  assert.ok(near.objects.length > 50);
  assert.deepEqual(far.objects, near.objects);
  assert.equal(far.size, near.size);
  assert.ok(near.wireBytes > near.size, `${near.wireBytes} of ${near.size}, with headers and TLS`);
  assert.ok(far.wireBytes < near.wireBytes / 4, `${far.wireBytes} of ${near.wireBytes}`);
});
