import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import { at, isObject, type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { listRefused } from "../support/controller/request-log.ts";
import * as stage from "../../verify/operator/stage.ts";
import { type ControlPlane, createSmallPayload, noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { addPayloadChecks, buildChecksManifest } from "../support/payload-checks.ts";
import type { PreflightService } from "../../verify/shared/preflight.ts";
import { nightly } from "../support/cases/sample.ts";

const CSV = ["csv", "demo-operator.v1.2.3", "-n", "openshift-operators"];

const COUNT = "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io";

/** The seeded client only lists, which a program may do that reads every served version. */
async function letClientWrite({ kubectl }: ControlPlane): Promise<void> {
  const count = await kubectl(["get", "apirequestcount", COUNT, "-o", "json"]);
  const written = count.replaceAll(/"verb": ?"list"/g, '"verb":"update"');
  await kubectl(["replace", "--subresource=status", "-f", "-"], written);
}

describe("the whole chain, without an operator", { skip: noControlPlane }, () => {
  let set: stage.Stage;
  let controller: PreflightService;
  let first: JsonObject;
  before(async () => {
    set = await stage.startStage({ create: createSmallPayload });
    await letClientWrite(set.cluster);
    first = await stage.readClusterVersion(set.api);
    controller = set.controller("--write-status");
    set.nodes.setMode({ kind: "runs" });
    await eventually(async () => assert.match(controller.err(), /"became the leader"/));
  });
  after(async () => {
    controller?.kill("SIGTERM");
    assert.equal((await controller?.result)?.code, 0);
    await set?.stop();
  });

  const clusterVersion = (): Promise<JsonObject> => stage.readClusterVersion(set.api);
  const status = async (): Promise<JsonObject> => objectAt(await clusterVersion(), "status");
  const available = async (): Promise<readonly string[]> =>
    listAt(await status(), "availableUpdates").map((release) => textAt(release, "version") ?? "");
  const recommended = async (version: string): Promise<JsonObject> => {
    const update = listAt(await status(), "conditionalUpdates").find(
      (one) => textAt(one, "release", "version") === version,
    );
    return objectAt(update, "conditions", 0);
  };

  test("a request for an offered target leads to risks in ClusterVersion's status", async () => {
    assert.match(await set.command("request", "--to", "5.1.2"), /^Requested a preflight from 5\.0\.8 to 5\.1\.2\.$/m);
    await eventually(async () => {
      const risks = stage.listRiskNames(await status(), "5.1.2") ?? [];
      for (const name of ["OperatorIncompatibleWithTarget", "RemovedKubernetesAPIInUse"])
        assert.ok(risks.includes(name), risks.join());
    });
    const now = await status();
    assert.deepEqual(stage.listRiskNames(now, "5.1.0"), ["DemoRisk"]);
    assert.ok(!(await available()).includes("5.1.2"));
    const union = listAt(now, "conditionalUpdateRisks").map((risk) => textAt(risk, "name"));
    assert.deepEqual(union, ["DemoRisk", ...(stage.listRiskNames(now, "5.1.2") ?? [])].toSorted());
    assert.match(JSON.stringify(now["conditionalUpdateRisks"]), /5\.0\.8 -> 5\.1\.2: /);
    const [update] = listAt(now, "conditionalUpdates")
      .filter(isObject)
      .filter((one) => textAt(one, "release", "version") === "5.1.2");
    assert.deepEqual(textsAt(update, "riskNames"), stage.listRiskNames(now, "5.1.2"));
    assert.deepEqual(at(await clusterVersion(), "spec"), at(first, "spec"));
  });

  test("the conditions are listed beside those of others", async () => {
    const types = listAt(await status(), "conditions").map((one) => textAt(one, "type"));
    const others = listAt(first, "status", "conditions").map((one) => textAt(one, "type"));
    assert.deepEqual(types, [...others, "PreflightRunning", "PreflightCompleted", "PreflightFailed"]);
  });

  test("status shows the result and only reads", async () => {
    // On a busy machine, a document may expire before the next one is there.
    await eventually(async () => {
      const output = await set.command("status");
      assert.match(output, /^A preflight from 5\.0\.8 to 5\.1\.2 is requested\.$/m);
      assert.match(output, /^PreflightCompleted=True:\n\n {2}Reason: /m);
      assert.match(output, /^ {2}RemovedKubernetesAPIInUse +True +no +20\S+ +document$/m);
      assert.match(output, /^ {2}20\S+ +5\.0\.8 +5\.1\.2 +/m);
    });
  });

  test("an accepted risk no longer counts, and nothing else in the spec changes", async () => {
    const output = await set.command("accept", "RemovedKubernetesAPIInUse");
    assert.equal(output, "info: Accept risks are [RemovedKubernetesAPIInUse]\n");
    assert.equal(await set.command("accept", "RemovedKubernetesAPIInUse"), "info: Accept risks are not changed\n");
    assert.deepEqual(at(await clusterVersion(), "spec"), {
      ...objectAt(first, "spec"),
      desiredUpdate: { acceptRisks: [{ name: "RemovedKubernetesAPIInUse" }] },
    });
    await eventually(async () =>
      assert.doesNotMatch(textAt(await recommended("5.1.2"), "message") ?? "", /old-client/),
    );
    assert.ok(stage.listRiskNames(await status(), "5.1.2")?.includes("RemovedKubernetesAPIInUse"));
    assert.match(await set.command("status"), /^ {2}RemovedKubernetesAPIInUse +True +yes /m);
  });

  test("a fixed risk disappears within a cycle", async () => {
    await set.cluster.kubectl(["delete", ...CSV]);
    await eventually(async () =>
      assert.ok(!stage.listRiskNames(await status(), "5.1.2")?.includes("OperatorIncompatibleWithTarget")),
    );
    assert.ok(stage.listRiskNames(await status(), "5.1.2")?.includes("RemovedKubernetesAPIInUse"));
  });

  test("another target replaces the first at once", async () => {
    await set.command("request", "--to", "5.0.9");
    await eventually(async () => {
      assert.equal(stage.listRiskNames(await status(), "5.1.2"), undefined);
      assert.ok((await available()).includes("5.1.2"));
      assert.match(stage.imageOf(await stage.readObject(set.api, RUNNER)), /352e302e39/);
    });
    await eventually(async () =>
      assert.deepEqual(await stage.readHistory(set.api), ["5.0.8 -> 5.0.9", "5.0.8 -> 5.1.2"]),
    );
    assert.doesNotMatch(JSON.stringify(await status()), /5\.0\.8 -> 5\.1\.2/);
  });

  test("an update that starts ends the preflight and removes everything", async () => {
    await stage.changeStatus(set.api, (one) => stage.beginUpdate(one, "5.1.2"));
    await eventually(async () => stage.assertCleared(set.api));
    await eventually(async () => assert.deepEqual(await stage.listPods(set.api), []));
    assert.ok(!existsSync(set.document));
    const { conditions, availableUpdates, conditionalUpdates } = objectAt(first, "status");
    const now = await status();
    assert.deepEqual(now["conditions"], conditions);
    assert.deepEqual(now["availableUpdates"], availableUpdates);
    assert.deepEqual(now["conditionalUpdates"], conditionalUpdates);
    const late = await set.run("request", "--to", "5.1.2");
    assert.deepEqual([late.code, late.out], [1, ""]);
    assert.match(late.err, /the cluster is updating, which ends every preflight/);
    assert.match(await set.command("status"), /^No preflight is requested\. The cluster is updating to 5\.1\.2, /);
    await stage.changeStatus(set.api, (one) => ({ ...one, history: listAt(one, "history").slice(1) }));
  });

  test("a check in the target's payload leads to a risk in the result, in status and in ClusterVersion", async () => {
    const payload = set.payloadOf("5.1.2");
    const remove = addPayloadChecks(
      payload,
      buildChecksManifest({ "nodes.yaml": buildSiteCheck("nodes", "", "NodeHasName") }),
    );
    await set.command("request", "--to", "5.1.2");
    await eventually(async () => assert.ok(stage.listRiskNames(await status(), "5.1.2")?.includes("NodeHasName")));
    assert.match(await set.command("status"), /^ {2}NodeHasName +True +no +20\S+ +document$/m);
    const risk = listAt(await status(), "conditionalUpdateRisks").find((one) => textAt(one, "name") === "NodeHasName");
    assert.match(textAt(risk, "message") ?? "", /^5\.0\.8 -> 5\.1\.2: From release 5\.1\.2: /);
    const document: Json = JSON.parse(readFileSync(set.document, "utf8"));
    const check = listAt(document, "checks").find((one) => textAt(one, "id") === "payload-nodes");
    assert.deepEqual([textAt(check, "origin", "kind"), textAt(check, "outcome")], ["payload", "risk"]);
    remove();
    await set.command("cancel");
    await eventually(async () => stage.assertCleared(set.api));
  });

  test("a cancelled request leaves only history, and nothing is left of a check that has gone from the payload", async () => {
    await set.command("request", "--to", "5.1.2");
    await eventually(async () => assert.ok(stage.listRiskNames(await status(), "5.1.2")));
    assert.ok(!stage.listRiskNames(await status(), "5.1.2")?.includes("NodeHasName"));
    assert.ok(existsSync(set.document));
    assert.equal(await set.command("cancel"), "Cancelled the preflight.\n");
    await eventually(async () => stage.assertCleared(set.api));
    await eventually(async () => assert.ok(!existsSync(set.document)));
    assert.equal(await set.command("accept", "--clear"), "info: Accept risks are []\n");
    assert.deepEqual(at(await clusterVersion(), "spec"), at(first, "spec"));
    assert.deepEqual(await status(), at(first, "status"));
    assert.deepEqual(await stage.readHistory(set.api), [
      "5.0.8 -> 5.1.2",
      "5.0.8 -> 5.1.2",
      "5.0.8 -> 5.0.9",
      "5.0.8 -> 5.1.2",
    ]);
    assert.equal(await set.command("cancel"), "info: No preflight is requested.\n");
    assert.match(await set.command("status"), /^No preflight is requested\. The cluster runs 5\.0\.8\.$/m);
  });

  test("every command reports a missing controller, and how to clean up after it", { skip: nightly }, async () => {
    controller.kill("SIGTERM");
    await controller.result;
    const killed = set.controllerProcess("--write-status");
    await set.command("request", "--to", "5.1.2");
    await eventually(async () => assert.ok(await stage.readObject(set.api, RUNNER)));
    killed.kill("SIGKILL");
    await killed.result;
    await eventually(async () =>
      assert.match(await set.command("status"), /^No preflight controller runs in this cluster/m),
    );
    const requestResult = await set.run("request", "--to", "5.0.9");
    assert.match(requestResult.err, /^warning: No preflight controller runs in this cluster/);
    const cancelled = await set.run("cancel");
    assert.deepEqual([cancelled.code, cancelled.out], [0, "Cancelled the preflight.\n"]);
    const remedy = /no preflight controller runs.*oc -n \S+ delete deployment cluster-version-operator-preflight$/im;
    assert.match(cancelled.err, remedy);
    assert.match(await set.command("status"), remedy);
    controller = set.controller("--write-status");
    await eventually(async () => stage.assertCleared(set.api));
    assert.doesNotMatch((await set.run("cancel")).err, /warning/);
  });

  test("keys of others in the request are kept", async () => {
    await set.command("request", "--to", "5.1.2");
    const note = ["--type=merge", '-p={"data":{"note":"mine"}}'];
    await set.cluster.kubectl(["patch", "configmap", "preflight-request", "-n", "openshift-cluster-version", ...note]);
    await set.command("request", "--to", "5.0.9");
    const { "requested-at": requestedAt, ...data } = objectAt(await stage.readObject(set.api, REQUEST), "data");
    assert.deepEqual(data, { note: "mine", to: "5.0.9" });
    assert.ok(requestedAt);
    await set.command("cancel");
    await eventually(async () => stage.assertCleared(set.api));
  });

  test("the shipped rights are sufficient", async () => {
    assert.deepEqual(await listRefused(set.cluster), []);
  });
});
