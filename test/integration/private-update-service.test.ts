import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { patchObject } from "../../verify/api-server/objects.ts";
import { parseObjects } from "../support/deploy/bases.ts";
import { NAME, startUpdateService } from "../support/cli/private-network.ts";
import { noOpenssl } from "../../verify/api-server/certificates.ts";
import { startConnectProxy } from "../support/cluster/proxies.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";

const NAMESPACE = "ci";
const ACCOUNT = "updater";
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const CONFIG = "/apis/config.openshift.io/v1";
const RBAC = "rbac.authorization.k8s.io";
const FEW_RIGHTS: readonly JsonObject[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: "versions" },
    rules: [
      { apiGroups: ["config.openshift.io"], resources: ["clusterversions"], verbs: ["get", "list"] },
      { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list"] },
    ],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "versions" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "versions" },
    subjects: [{ apiGroup: RBAC, kind: "User", name: USER }],
  },
];

describe("a disconnected cluster on a real control plane", { skip: noControlPlane || noOpenssl }, () => {
  let folder = "";
  let kubeconfig = "";
  let cluster: ControlPlane;
  const check = (env: Readonly<Record<string, string>> = {}) =>
    runPreflight(["check", "--kubeconfig", kubeconfig, "--to", "4.22"], env);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "preflight-private-"));
    cluster = await startCluster("4.20");
    kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, await createAccount(cluster, NAMESPACE, ACCOUNT));
  });
  after(async () => {
    await cluster?.down();
    await rm(folder, { recursive: true, force: true });
  });

  test("an account with few rights is told what is missing, and the printed role grants it", async (t) => {
    const { authority, named, server } = await startUpdateService(t);
    const proxy = await startConnectProxy(t);
    const updates = { upstream: named, channel: "stable-4.20" };
    await patchObject(cluster, `${CONFIG}/clusterversions/version`, { spec: updates });
    await applyObjects(cluster, [
      { apiVersion: "config.openshift.io/v1", kind: "Proxy", metadata: { name: "cluster" }, spec: {} },
    ]);
    const status = { httpsProxy: `http://admin:hunter2@127.0.0.1:${proxy.port}`, noProxy: ".svc,10.0.0.0/8" };
    await patchObject(cluster, `${CONFIG}/proxies/cluster/status`, { status });
    await applyObjects(cluster, FEW_RIGHTS);

    await eventually(async () => assert.match((await check()).err, /updates\.lab\.test/));
    const { code, err } = await check();
    assert.equal(code, 1);
    assert.match(
      err,
      /: its name was not found: if only a proxy leads there, set HTTPS_PROXY or Proxy cluster; Proxy cluster could not be read \(proxies\.config\.openshift\.io "cluster" is forbidden: .*\), so its proxy is not used; name a graph's file or another address with --graph, or the release's folder with --target\n$/,
    );

    const { out } = await runPreflight(["rbac", "--bind-to", USER]);
    await applyObjects(cluster, parseObjects(out));
    await eventually(async () => assert.match((await check()).err, /its certificate is not trusted/));
    assert.deepEqual([...new Set(proxy.requests)], [`${NAME}:${server.port}`]);

    const metadata = { namespace: "openshift-config-managed", name: "trusted-ca-bundle" };
    await applyObjects(cluster, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.namespace } },
      { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "ca-bundle.crt": authority.ca.cert } },
    ]);
    const trusted = await check();
    assert.match(
      trusted.err,
      /no updates lead from 4\.20\.\d+ to 4\.22 in the channel stable-4\.20: the update service recommends /,
    );
    assert.equal(trusted.code, 2);

    const own = await startConnectProxy(t);
    const before = proxy.requests.length;
    await check({ HTTPS_PROXY: `http://127.0.0.1:${own.port}` });
    assert.deepEqual([[...new Set(own.requests)], proxy.requests.length], [[`${NAME}:${server.port}`], before]);
  });
});
