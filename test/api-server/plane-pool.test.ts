import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isObject, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { CRDS } from "../../verify/api-server/api-path.ts";
import {
  type ControlPlane,
  noControlPlane,
  startCluster,
  startControllers,
} from "../../verify/api-server/control-plane.ts";
import { deleteObject, readObject, replaceObject } from "../../verify/api-server/objects.ts";
import { PLANE_HOST, hostPlanes } from "../../verify/api-server/plane-host.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const CLUSTER_ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const NODES = "/apis/config.openshift.io/v1/nodes";
const FOLDER = "ENVTEST_DIR";

/** Every list of every kind that is served, without what the API server renews. */
async function readAll(api: AdminApi): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const { body } = await api.discover("/apis");
  const paths = listAt(body, "items").flatMap((group) =>
    listAt(group, "versions").flatMap((version) =>
      listAt(version, "resources")
        .filter((one) => listAt(one, "verbs").includes("list"))
        .map(
          (one) =>
            `/apis/${textAt(group, "metadata", "name")}/${textAt(version, "version")}/${textAt(one, "resource")}`,
        ),
    ),
  );
  const all = new Map<string, readonly JsonObject[]>();
  for (const path of [...paths, "/api/v1/nodes", "/api/v1/namespaces", "/api/v1/configmaps", "/api/v1/events"]) {
    if (path.includes("/leases") || path.includes("apiserver.k8s.io/v1alpha1")) continue;
    const list = (await api.call("GET", path)).body;
    all.set(path, listAt(list, "items").filter(isObject).map(withoutRevision));
  }
  return all;
}

function withoutRevision(object: JsonObject): JsonObject {
  const { resourceVersion: _, ...metadata } = isObject(object["metadata"]) ? object["metadata"] : {};
  return { ...object, metadata };
}

/** Changes what a test might, by way of kubectl, a controller and nobody's leave. */
async function harm(cluster: ControlPlane, api: AdminApi): Promise<void> {
  await startControllers(cluster, ["clusterrole-aggregation-controller", "deployment-controller"]);
  const nodes = await readObject(cluster, `${CRDS}/nodes.config.openshift.io`);
  const harmed = JSON.stringify(nodes).replace(/("cgroupMode":\{[^}]*"enum":)\[[^\]]*\]/, '$1["none"]');
  await replaceObject(cluster, `${CRDS}/nodes.config.openshift.io`, JSON.parse(harmed));
  for (const path of [
    `${CRDS}/consolelinks.console.openshift.io`,
    `${CRDS}/machinesets.machine.openshift.io`,
    `${CLUSTER_ROLES}/view`,
    `${CLUSTER_ROLES}/cluster-admin`,
    "/api/v1/nodes",
  ])
    await deleteObject(cluster, path);
  await cluster.kubectl(["create", "namespace", "shop"]);
  await cluster.kubectl(["create", "deployment", "cart", "--image=example.com/cart"]);
  await cluster.kubectl(["create", "clusterrolebinding", "all", "--clusterrole=edit", "--user=somebody"]);
  const names = { plural: "carts", singular: "cart", kind: "Cart", listKind: "CartList" };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }];
  await api.call("POST", CRDS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "carts.shop.example.com" },
    spec: { group: "shop.example.com", scope: "Cluster", names, versions },
  });
  const refused = await api.call("PATCH", `${NODES}/cluster`, { spec: { cgroupMode: "v2" } }, MERGE_PATCH);
  assert.equal(refused.code, 422);
}

const MERGE_PATCH = "application/merge-patch+json";

async function listProcesses(folder: string): Promise<readonly string[]> {
  const lines = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(readCommandLine);
  return lines.filter((line) => line.includes(folder));
}

/** Empty if the process has ended. */
function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

describe("a control plane that is given back", { skip: noControlPlane }, () => {
  test("is handed out again as it was at first, and to nobody else at the same time", async () => {
    const first = await startCluster("4.20");
    const other = await startCluster("4.20", "--network", "single");
    assert.notEqual(first.env[FOLDER], other.env[FOLDER]);
    await other.down();
    const api = await connectAdminApi(first);
    const before = await readAll(api);
    assert.ok(before.size > 100, `${before.size} kinds`);
    await harm(first, api);
    await first.down();
    assert.ok(!(await listProcesses(first.env[FOLDER] ?? "")).some((line) => line.includes("controller-manager")));
    const again = await startCluster("4.20");
    assert.equal(again.env[FOLDER], first.env[FOLDER]);
    assert.deepEqual(await again.audit(), []);
    const { code } = await api.call("PATCH", `${NODES}/cluster`, { spec: { cgroupMode: "v2" } }, MERGE_PATCH);
    assert.equal(code, 200);
    const may = ["auth", "can-i", "create", "pods", "--as", "somebody"];
    assert.equal((await again.kubectl(may).catch(() => "no")).trim(), "no");
    await again.down();
    const last = await startCluster("4.20");
    assert.deepEqual(await readAll(api), before);
    api.close();
    await last.down();
  });

  test("is not handed out if the API server may remember what its test did", async () => {
    const first = await startCluster("4.20");
    await first.kubectl(["create", "quota", "few", "--hard=pods=1"]);
    await first.down();
    const next = await startCluster("4.20");
    assert.notEqual(next.env[FOLDER], first.env[FOLDER]);
    assert.deepEqual(await listProcesses(first.env[FOLDER] ?? ""), []);
    assert.ok(!existsSync(first.env[FOLDER] ?? ""));
    await next.down();
  });
});

const MODULE = join(import.meta.dirname, "../../verify/api-server/control-plane.ts");
const PROGRAM = `
const { startKubernetes } = await import(${JSON.stringify(MODULE)});
const { env } = await startKubernetes();
console.log(env.ENVTEST_DIR);
setInterval(() => {}, 1000);
`;

/** All that it starts is in the folder. */
function startProgram(folder: string, host?: string): ChildProcessWithoutNullStreams {
  const env = { ...process.env, TMPDIR: folder, [PLANE_HOST]: host };
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", PROGRAM], { env });
}

describe("a process that is killed", { skip: noControlPlane }, () => {
  test("leaves none behind that it had from a host", async () => {
    const socket = join(createTemporaryFolder(), "planes");
    const host = hostPlanes(socket);
    const child = startProgram(createTemporaryFolder(), socket);
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const folder = String(line).trim();
    assert.ok((await listProcesses(folder)).length >= 2);
    child.kill("SIGKILL");
    await eventually(async () => assert.deepEqual(await listProcesses(folder), []));
    host.close();
  });

  test("leaves no control plane behind, even if somebody else removed its folder first", async () => {
    const child = startProgram(createTemporaryFolder());
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const folder = String(line).trim();
    assert.ok((await listProcesses(folder)).length >= 2);
    await rm(folder, { recursive: true });
    child.kill("SIGKILL");
    await eventually(async () => assert.deepEqual(await listProcesses(folder), []));
  });

  test("leaves none behind that is still starting", async () => {
    const folder = createTemporaryFolder();
    const child = startProgram(folder);
    await eventually(async () => assert.ok((await listProcesses(folder)).some((line) => line.includes("/etcd "))), 20);
    child.kill("SIGKILL");
    await eventually(async () => {
      assert.deepEqual(await listProcesses(folder), []);
      assert.deepEqual(await readdir(folder), []);
    });
  });
});
