import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { createSmallPayload, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createObject, deleteObject, patchObject } from "../../verify/api-server/objects.ts";
import * as stage from "../../verify/operator/stage.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import type { PreflightService } from "../../verify/shared/preflight.ts";

const TARGET = "5.2.2";
const SELINUX = "SELinuxLabelsOfSharedVolumesConflict";
const CONFIG_MAPS = "/api/v1/namespaces/openshift-config/configmaps";
const GATE = "ack-5.0-kube-1.37-api-removals";

/** What a seeded cluster has on purpose, so that something is found. */
async function makeHealthy({ cluster }: stage.Stage): Promise<void> {
  const versions = "/apis/operators.coreos.com/v1alpha1/namespaces/openshift-operators/clusterserviceversions";
  await deleteObject(cluster, `${versions}/demo-operator.v1.2.3`);
  await deleteObject(cluster, "/apis/policy/v1/namespaces/demo-a/poddisruptionbudgets/tight");
  await patchObject(cluster, `${CONFIG_MAPS}/admin-acks`, { data: { [GATE]: "true" } });
}

describe("an update from 5.0 to 5.2, as one", { skip: noControlPlane }, () => {
  let set: stage.Stage;
  let controller: PreflightService;
  before(async () => {
    const start: typeof startCluster = (release) => startCluster(release, "--network", "single");
    set = await stage.startStage({ start, moreOffered: { [TARGET]: "5.2" }, create: createSmallPayload });
    await makeHealthy(set);
    controller = set.controller();
    set.nodes.setMode({ kind: "runs" });
  });
  after(async () => {
    controller?.kill("SIGTERM");
    assert.equal((await controller?.result)?.code, 0);
    await set?.stop();
  });

  /** What `check` says to a person: its exit code, the risks, and the minors between. */
  const check = async () => {
    const { code, out, err } = await set.run("check", "-o", "json", "--target", set.payloadOf(TARGET));
    assert.notEqual(out, "", err);
    const result: JsonObject = JSON.parse(out);
    const { complete, minorsBetween } = result;
    return { code, complete, minorsBetween, risks: listAt(result, "risks").map((risk) => textAt(risk, "name")) };
  };

  /** The runner's document with these risks, once it has one. */
  const readDocument = async (...risks: readonly string[]): Promise<JsonObject> => {
    let document: JsonObject = {};
    await eventually(async () => {
      document = JSON.parse(await readFile(set.document, "utf8"));
      assert.equal(textAt(document, "executionStatus"), "completed");
      assert.deepEqual(
        listAt(document, "risks").map((risk) => textAt(risk, "name")),
        risks,
      );
    });
    return document;
  };
  const listVersions = (clusterVersion: JsonObject): readonly (string | undefined)[] =>
    listAt(clusterVersion, "status", "availableUpdates").map((one) => textAt(one, "version"));
  const findOutcome = (document: JsonObject, id: string): string | undefined =>
    textAt(
      listAt(document, "checks").find((one) => textAt(one, "id") === id),
      "outcome",
    );

  test("is complete, clear and lifted as recommended for a healthy cluster", async () => {
    await set.command("request", "--to", TARGET);
    const document = await readDocument();
    assert.deepEqual([document["complete"], textAt(document, "sourceVersion")], [true, "5.0.8"]);
    // The change is one of 5.1.
    assert.equal(findOutcome(document, "selinux-mount"), "clear");
    // What is in availableUpdates and has no conditions is recommended.
    await eventually(async () => {
      const clusterVersion = await stage.readClusterVersion(set.api);
      assert.match(stage.formatConditions(clusterVersion).join(), /Completed=True/);
      assert.deepEqual(listVersions(clusterVersion), [TARGET, "5.1.2", "5.0.9"]);
      assert.deepEqual((await stage.readProposal(set.api))["conditionalUpdates"], []);
      assert.equal((await set.run("status")).code, 0);
    });
  });

  test("is one for a person, too, as long as ClusterVersion lists it", async () => {
    assert.deepEqual(await check(), { code: 0, complete: true, minorsBetween: undefined, risks: [] });
  });

  test("is not recommended for a cluster with a fault that 5.1 brings to light", async () => {
    const report = { metadata: { name: "selinux-conflicts" }, data: { conflictsPresent: "True" } };
    await createObject(set.cluster, CONFIG_MAPS, report);
    const document = await readDocument(SELINUX);
    assert.deepEqual([document["complete"], findOutcome(document, "selinux-mount")], [true, "risk"]);
    await eventually(async () => {
      const proposal = await stage.readProposal(set.api);
      assert.deepEqual(stage.listRiskNames(proposal, TARGET), [SELINUX]);
      const recommended = objectAt(proposal, "conditionalUpdates", 0, "conditions", 0);
      assert.deepEqual([recommended["type"], recommended["status"]], ["Recommended", "False"]);
      assert.equal((await set.run("status")).code, 3);
    });
    await deleteObject(set.cluster, `${CONFIG_MAPS}/selinux-conflicts`);
    await readDocument();
  });

  test("is several updates for a person, and one for the runner, if ClusterVersion does not list it", async () => {
    await stage.changeStatus(set.api, (status) => ({
      ...status,
      availableUpdates: listAt(status, "availableUpdates").filter((one) => textAt(one, "version") !== TARGET),
    }));
    const told = { complete: false, minorsBetween: ["5.1"], risks: ["PreflightMinorsBetween"] };
    assert.deepEqual(await check(), { code: 4, ...told });
    const runner = await set.run("--format=preflight-v1-json", "--interval", "0", "--target", set.payloadOf(TARGET));
    const { complete, risks }: JsonObject = JSON.parse(runner.out);
    assert.deepEqual([runner.code, complete, risks], [0, true, []]);
  });
});
