import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { load } from "js-yaml";
import { CLUSTER_VERSION } from "../../src/controller/api/api-paths.ts";
import { at, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { getCollectionPath } from "../../verify/api-server/api-path.ts";
import { applyObjects, readManifests } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createObject, deleteObject, patchObject, readObject, replaceObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { compareRights, readGrantedRights } from "../support/audit-rights.ts";
import { DEPLOY } from "../support/deploy/bases.ts";
import { INSIGHT_KEY } from "../../src/controller/status-controller.ts";
import { findInsightContradictions } from "../support/controller/insight-contradictions.ts";
import { listTold, TOLD } from "../support/controller/told-insights.ts";
import { buildStage, findStage, type StageObjects } from "../support/controller/update-stage.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { type PreflightProcess, startPreflight } from "../../verify/shared/preflight.ts";

const NAMESPACE = "openshift-update-status-controller";
const NAME = "status-api-cm-prototype";
const ACCOUNT = "update-status-controller";
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const BASE = join(DEPLOY, "status-controller");
const CONFIG_MAP = `/api/v1/namespaces/${NAMESPACE}/configmaps/${NAME}`;

const COLLECTIONS: Readonly<Record<string, string>> = {
  ClusterOperator: "/apis/config.openshift.io/v1/clusteroperators",
  MachineConfig: "/apis/machineconfiguration.openshift.io/v1/machineconfigs",
  MachineConfigPool: "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
  Node: "/api/v1/nodes",
};

function parseYamlObject(text = ""): JsonObject {
  const value: unknown = load(text);
  return isObject(value) ? value : assert.fail(`no insight in ${JSON.stringify(text)}`);
}

describe("the update status controller", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  let controller: PreflightProcess;
  const folder = createTemporaryFolder();
  before(async () => {
    cluster = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
    const files = ["namespace", "serviceaccount", "roles", "rolebindings"].map((name) => join(BASE, `${name}.yaml`));
    await applyObjects(cluster, files.flatMap(readManifests));
    const limited = join(folder, "account.kubeconfig");
    await writeFile(limited, await createAccount(cluster, NAMESPACE, ACCOUNT));
    // New RBAC rules take effect after a moment.
    const list = `/api/v1/namespaces/${NAMESPACE}/configmaps?fieldSelector=metadata.name%3D${NAME}`;
    await eventually(() => cluster.kubectl(["get", "--as", USER, "--raw", list]));
    controller = startPreflight(["update-status-controller", "--kubeconfig", limited]);
  });
  after(async () => {
    controller.kill("SIGTERM");
    assert.equal((await controller.result).code, 0);
    await cluster.down();
  });

  async function insight(): Promise<JsonObject> {
    return parseYamlObject(textAt(await readObject(cluster, CONFIG_MAP), "data", INSIGHT_KEY));
  }

  /** The version that the cluster was installed with: the insight's target until the first update. */
  async function installed(): Promise<JsonObject> {
    const history = listAt(await readObject(cluster, CLUSTER_VERSION), "status", "history");
    const version = textAt(history, 0, "version") ?? "";
    return { version, ...(history.length === 1 ? { metadata: [{ key: "Installation" }] } : {}) };
  }

  /** A merge patch would drop the null of an update that isn't complete. */
  async function replaceStatus(history: readonly Json[], conditions: readonly Json[]): Promise<void> {
    const object = await readObject(cluster, CLUSTER_VERSION);
    const changed = { ...object, status: { ...objectAt(object, "status"), history, conditions } };
    await replaceObject(cluster, `${CLUSTER_VERSION}/status`, changed);
  }

  test("does nothing while the ConfigMap is absent, and logs that", async () => {
    await eventually(async () => assert.match(controller.err(), /does not exist, so there is nothing to write/));
    const writes = (await cluster.audit()).filter(
      ({ agent, verb }) => agent.startsWith("target-release") && verb !== "list" && verb !== "watch",
    );
    assert.deepEqual(writes, []);
  });

  test("reports ClusterVersion as soon as the ConfigMap exists", async () => {
    await createObject(cluster, getCollectionPath(CONFIG_MAP), { metadata: { name: NAME }, data: { other: "kept" } });
    await eventually(async () => {
      const seen = await insight();
      assert.deepEqual(at(seen, "resource"), {
        group: "config.openshift.io",
        resource: "clusterversions",
        name: "version",
      });
      assert.equal(textAt(seen, "conditions", 0, "type"), "Updating");
      assert.equal(textAt(seen, "conditions", 0, "status"), "False");
      assert.equal(at(seen, "completion"), 100);
      assert.deepEqual(at(seen, "versions", "target"), await installed());
    });
    assert.equal(textAt(await readObject(cluster, CONFIG_MAP), "data", "other"), "kept");
  });

  test("follows an update from start to end, and writes only on changes", async () => {
    const before = listAt(await readObject(cluster, CLUSTER_VERSION), "status", "history");
    const partial: JsonObject = {
      state: "Partial",
      version: "5.1.0",
      image: "example.com/release@sha256:1",
      startedTime: "2026-03-01T10:00:00Z",
      completionTime: null,
      verified: true,
    };
    const history = [partial, ...before];
    const conditions = (status: string, message: string) => [
      { type: "Progressing", status, reason: "Test", message, lastTransitionTime: "2026-03-01T10:00:00Z" },
    ];
    await replaceStatus(history, conditions("True", "Working towards 5.1.0: 90 of 900 done (10% complete)"));
    await eventually(async () => {
      const seen = await insight();
      assert.equal(textAt(seen, "conditions", 0, "status"), "True");
      assert.equal(textAt(seen, "conditions", 0, "reason"), "ClusterVersionProgressing");
      assert.equal(textAt(seen, "versions", "target", "version"), "5.1.0");
      assert.equal(textAt(seen, "versions", "previous", "version"), textAt(before, 0, "version"));
      assert.equal(textAt(seen, "startedAt"), "2026-03-01T10:00:00Z");
      assert.equal(at(seen, "completion"), 10);
      assert.equal(textAt(seen, "assessment"), "Progressing");
    });
    // What a process writes arrives later than what it does.
    await eventually(async () => assert.match(controller.err(), /"changed":\[[^\]]*"\+ version: 5\.1\.0"/));
    await replaceStatus(history, conditions("True", "Unable to apply 5.1.0: an operator is degraded"));
    await eventually(async () => {
      const seen = await insight();
      assert.match(textAt(seen, "conditions", 0, "message") ?? "", /Unable to apply/);
      assert.equal(at(seen, "completion"), 10, "the operator names no number beside an error");
    });
    await patchObject(cluster, CLUSTER_VERSION, { metadata: { labels: { touched: "once" } } });
    const done = { ...partial, state: "Completed", completionTime: "2026-03-01T11:00:00Z" };
    await replaceStatus([done, ...before], conditions("False", "Cluster version is 5.1.0"));
    await eventually(async () => {
      const seen = await insight();
      assert.equal(textAt(seen, "conditions", 0, "status"), "False");
      assert.equal(textAt(seen, "completedAt"), "2026-03-01T11:00:00Z");
      assert.equal(textAt(seen, "assessment"), "Completed");
    });
  });

  test("writes its content again if somebody removes it", async () => {
    await patchObject(cluster, CONFIG_MAP, { data: { "usc-cv-version": null } });
    await eventually(async () => assert.equal(textAt(await insight(), "resource", "name"), "version"));
    await deleteObject(cluster, CONFIG_MAP);
    await eventually(async () => assert.equal(controller.err().match(/does not exist/g)?.length, 2));
    const patches = (await cluster.audit()).filter(
      ({ agent, verb }) => agent.startsWith("target-release") && verb === "patch",
    );
    assert.equal(patches.length, 5, "one for each insight that differs, and none for the label");
  });

  test("tells of operators, pools, nodes and health through an update, and never contradicts itself", async () => {
    await createObject(cluster, getCollectionPath(CONFIG_MAP), { metadata: { name: NAME }, data: { other: "kept" } });
    await cluster.kubectl(["delete", "--all", "clusteroperators,nodes,machineconfigpools,machineconfigs"]);
    const contradictions = new Set<string>();
    for (const [name, told] of Object.entries(TOLD)) {
      await applyStage(buildStage(findStage(name)));
      await eventually(async () => {
        const data = objectAt(await readObject(cluster, CONFIG_MAP), "data");
        const insights = new Map(
          Object.keys(data).flatMap((key) =>
            key.startsWith("usc.") ? [[key, parseYamlObject(textAt(data, key))]] : [],
          ),
        );
        // Also while objects change one after another.
        const all = findInsightContradictions(parseYamlObject(textAt(data, INSIGHT_KEY)), insights);
        for (const one of all) contradictions.add(`${name}: ${one}`);
        assert.deepEqual(listTold(insights), told, name);
      });
    }
    assert.deepEqual([...contradictions], []);
    assert.equal(textAt(await readObject(cluster, CONFIG_MAP), "data", "other"), "kept");
  });

  async function applyStage({ clusterVersion, operators, pools, nodes, configs }: StageObjects): Promise<void> {
    for (const object of [...configs, ...pools]) await upsert(object, []);
    for (const object of [...operators, ...nodes]) await upsert(object, ["status"]);
    await replaceStatus(listAt(clusterVersion, "status", "history"), listAt(clusterVersion, "status", "conditions"));
  }

  /** Creates or replaces an object, and its status, if it has one of its own. */
  async function upsert(object: JsonObject, subresources: readonly string[]): Promise<void> {
    const path = `${COLLECTIONS[textAt(object, "kind") ?? ""]}/${textAt(object, "metadata", "name")}`;
    const present = await readObject(cluster, path).catch(() => undefined);
    if (present === undefined) await createObject(cluster, getCollectionPath(path), object);
    else await replaceObject(cluster, path, { ...object, metadata: await keepVersion(path, object) });
    for (const part of subresources)
      await replaceObject(cluster, `${path}/${part}`, { ...object, metadata: await keepVersion(path, object) });
  }

  async function keepVersion(path: string, object: JsonObject): Promise<JsonObject> {
    const resourceVersion = textAt(await readObject(cluster, path), "metadata", "resourceVersion") ?? "";
    return { ...objectAt(object, "metadata"), resourceVersion };
  }

  test("uses each right that its roles grant, and tries nothing else", async () => {
    controller.kill("SIGTERM");
    await controller.result;
    const granted = readGrantedRights(join(BASE, "roles.yaml"), ACCOUNT);
    const requests = (await cluster.audit()).filter(({ user }) => user === USER);
    assert.deepEqual(compareRights(granted, requests, {}), { forbidden: [], unused: [] });
  });
});
