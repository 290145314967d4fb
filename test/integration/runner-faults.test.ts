import assert from "node:assert/strict";
import { chmod, rename } from "node:fs/promises";
import { describe, test } from "node:test";
import { REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import { NAMESPACE } from "../../src/lift/objects/preflight-request.ts";
import { at, type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import { NODE, readObject } from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { nightly } from "../support/cases/sample.ts";

const SOON = ["--patience", "1s"];

describe("faults", { skip: noControlPlane }, () => {
  const { set, begin, says, held, resultOfRunner, write } = useFaultStage();

  test("a dead runner's document goes stale, the result stays and is marked as stale, and the next runner continues", async () => {
    begin(...SOON);
    await resultOfRunner();
    const before = await held();
    await says(/Completed=False DocumentStale; Failed=True DocumentStale/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), at(JSON.parse(before), "risks"));
    set().nodes.setMode({ kind: "runs" });
    await says(/Completed=True \w+; Failed=False/);
  });

  test("garbage, a document of another source, and an old one replace nothing, and each has its own reason", async () => {
    begin(...SOON);
    const document = await resultOfRunner();
    const later = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "");
    const valid: JsonObject = { ...document, validUntil: later };
    await write(valid);
    await says(/Completed=True \w+; Failed=False/);
    const before = at(JSON.parse(await held()), "risks");
    const older = listAt(valid, "risks").map((risk) => ({ ...objectAt(risk), message: "This was so." }));
    for (const [wrong, expected] of [
      ["{", /Completed=False DocumentInvalid; Failed=True DocumentInvalid/],
      [{ ...valid, sourceVersion: "5.0.1" }, /Completed=False OtherSource/],
      [{ ...valid, observedAt: "2026-01-01T00:00:00Z", risks: older }, /Completed=False DocumentBeforeRequest/],
      [
        {
          ...valid,
          executionStatus: "failed",
          risks: [],
          failure: { reason: "ClusterUnreachable", message: "no route" },
        },
        /Completed=False CycleFailed; Failed=True CycleFailed/,
      ],
    ] as const) {
      await write(wrong);
      await says(expected);
      assert.deepEqual(at(JSON.parse(await held()), "risks"), before);
    }
    await write(valid);
    await says(/Completed=True \w+; Failed=False/);
  });

  test("a missing or unreadable volume is reported", { skip: nightly }, async () => {
    begin(...SOON);
    await resultOfRunner();
    const before = at(JSON.parse(await held()), "risks");
    await rename(set().volume, `${set().volume}-gone`);
    await says(/Completed=False DocumentUnreadable; Failed=True/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), before);
    await rename(`${set().volume}-gone`, set().volume);
    await chmod(set().volume, 0o755);
    await says(/Completed=/);
  });

  test(
    "a node selector that the controller's node doesn't match is refused, and a matching one runs",
    { skip: nightly },
    async () => {
      begin();
      await set().command("request", "--to", "5.1.2", "--node-selector", "kubernetes.io/os=linux,preflight=");
      await says(/Completed=False DocumentMissing; Failed=True Unschedulable; Running=False Unschedulable/);
      assert.equal(await readObject(set().api, RUNNER), undefined);
      const said =
        /The runner has to be on node master-0\.demo\.example\.com, .* it has no label preflight=\. Request the/;
      assert.match((await set().run("status")).out.replaceAll(/\s+/g, " "), said);
      await set().cluster.kubectl(["label", "node", NODE, "preflight="]);
      await says(/Failed=False AsExpected; Running=True/);
      assert.ok(await readObject(set().api, RUNNER));
      await set().cluster.kubectl(["label", "node", NODE, "preflight-"]);
    },
  );

  test(
    "request itself refuses a node selector that the node of the leading controller's pod doesn't match",
    { skip: nightly },
    async () => {
      const controller = begin("--identity", "controller-1");
      const containers = [{ name: "controller", image: "example.com/preflight" }];
      const metadata = { name: "controller-1", namespace: NAMESPACE };
      const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: NODE, containers } };
      await set().cluster.kubectl(["create", "-f", "-"], JSON.stringify(pod));
      await eventually(async () => assert.match(controller.err(), /"became the leader"/));
      const refused = await set().run("request", "--to", "5.1.2", "--node-selector", "preflight=");
      assert.deepEqual([refused.code, refused.out], [1, ""]);
      assert.match(
        refused.err,
        /^preflight: The runner has to be on node master-0.* it has no label preflight=\. .*\n$/,
      );
      assert.equal(await readObject(set().api, REQUEST), undefined);
      await set().command("request", "--to", "5.1.2", "--node-selector", "kubernetes.io/os=linux");
      await set().cluster.kubectl(["delete", "pod", "controller-1", "-n", NAMESPACE, "--force", "--grace-period=0"]);
    },
  );

  test("a runner that no node takes is reported until one does", { skip: nightly }, async () => {
    begin("--patience", "10m");
    set().nodes.setMode({ kind: "unschedulable" });
    await set().command("request", "--to", "5.1.2");
    await says(/Failed=True Unschedulable; Running=False Unschedulable/);
    set().nodes.setMode({ kind: "hangs" });
    await says(/Failed=False AsExpected; Running=True Checking/);
  });
});
