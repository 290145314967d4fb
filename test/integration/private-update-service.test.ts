import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { NAME, startUpdateService } from "../support/cli/private-network.ts";
import { noOpenssl } from "../../verify/api-server/certificates.ts";
import { startConnectProxy } from "../support/cluster/proxies.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";

const [NAMESPACE, ACCOUNT] = ["ci", "updater"];

describe("a disconnected cluster on a real control plane", { skip: noControlPlane || noOpenssl }, () => {
  let [folder, kubeconfig] = ["", ""];
  let controlPlane: ControlPlane | undefined;
  const kubectl = async (...args: readonly string[]): Promise<string> => (await controlPlane?.kubectl(args)) ?? "";
  const apply = (object: object) => controlPlane?.kubectl(["apply", "-f", "-"], JSON.stringify(object));
  const check = (env: Readonly<Record<string, string>> = {}) =>
    runPreflight(["check", "--kubeconfig", kubeconfig, "--to", "4.22"], env);
  const patch = (what: string, change: object, ...args: readonly string[]) =>
    kubectl("patch", what, "--type=merge", "-p", JSON.stringify(change), ...args);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "preflight-private-"));
    controlPlane = await startCluster("4.20");
    kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, await createAccount(controlPlane, NAMESPACE, ACCOUNT));
  });
  after(async () => {
    await controlPlane?.down();
    await rm(folder, { recursive: true, force: true });
  });

  test("an account with few rights is told what is missing, and the printed role grants it", async (t) => {
    const { authority, named, server } = await startUpdateService(t);
    const proxy = await startConnectProxy(t);
    await patch("clusterversion/version", { spec: { upstream: named, channel: "stable-4.20" } });
    await apply({ apiVersion: "config.openshift.io/v1", kind: "Proxy", metadata: { name: "cluster" }, spec: {} });
    const status = { httpsProxy: `http://admin:hunter2@127.0.0.1:${proxy.port}`, noProxy: ".svc,10.0.0.0/8" };
    await patch("proxies.config.openshift.io/cluster", { status }, "--subresource=status");
    const user = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
    await kubectl("create", "clusterrole", "versions", "--verb=get,list", "--resource=clusterversions,nodes");
    await kubectl("create", "clusterrolebinding", "versions", "--clusterrole=versions", `--user=${user}`);

    await eventually(async () => assert.match((await check()).err, /updates\.lab\.test/));
    const { code, err } = await check();
    assert.equal(code, 1);
    assert.match(
      err,
      /: its name was not found: if only a proxy leads there, set HTTPS_PROXY or Proxy cluster; Proxy cluster could not be read \(proxies\.config\.openshift\.io "cluster" is forbidden: .*\), so its proxy is not used; name a graph's file or another address with --graph, or the release's folder with --target\n$/,
    );

    const { out } = await runPreflight(["rbac", "--bind-to", user]);
    await controlPlane?.kubectl(["apply", "-f", "-"], out);
    await eventually(async () => assert.match((await check()).err, /its certificate is not trusted/));
    assert.deepEqual([...new Set(proxy.requests)], [`${NAME}:${server.port}`]);

    await kubectl("create", "namespace", "openshift-config-managed").catch(() => "");
    const bundle = join(folder, "ca-bundle.crt");
    await writeFile(bundle, authority.ca.cert);
    await kubectl(
      "-n",
      "openshift-config-managed",
      "create",
      "configmap",
      "trusted-ca-bundle",
      `--from-file=${bundle}`,
    );
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
