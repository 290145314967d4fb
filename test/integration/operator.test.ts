import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { at, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type FakeOperator, startOperator } from "../../verify/operator/fake-operator.ts";
import * as stage from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import type { PreflightService } from "../../verify/shared/preflight.ts";

const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"] as const;

describe("the whole chain, with an operator that would update on any desiredUpdate", { skip: noControlPlane }, () => {
  let set: stage.Stage;
  let controller: PreflightService;
  let operator: FakeOperator;
  let first: JsonObject;
  before(async () => {
    set = await stage.startStage();
    first = await stage.readClusterVersion(set.api);
    operator = await startOperator(set.api);
    // Both flags are set, and neither may have an effect here.
    controller = set.controller("--write-status", "--use-mode");
    set.nodes.setMode({ kind: "runs" });
    await eventually(async () => assert.match(controller.err(), /"became the leader"/));
  });
  after(async () => {
    await operator?.stop();
    controller?.kill("SIGTERM");
    assert.equal((await controller?.result)?.code, 0);
    await set?.stop();
  });

  /** The lists of updates always remain the operator's own. */
  const assertUntouched = async (): Promise<void> => {
    const now = await stage.readClusterVersion(set.api);
    for (const list of LISTS) assert.deepEqual(at(now, "status", list), at(first, "status", list));
    const types = listAt(now, "status", "conditions").map((one) => textAt(one, "type") ?? "");
    const others = types.filter((type) => !type.startsWith("Preflight"));
    assert.deepEqual(
      others,
      listAt(first, "status", "conditions").map((one) => textAt(one, "type")),
    );
    assert.deepEqual(operator.updates, []);
  };

  test("ends in preflight-result, and ClusterVersion holds the operator's own status and the three conditions", async () => {
    await set.command("request", "--to", "5.1.2");
    await eventually(async () => {
      const risks = stage.listRiskNames(await stage.readProposal(set.api), "5.1.2") ?? [];
      assert.ok(risks.includes("OperatorIncompatibleWithTarget"), risks.join());
      await assertUntouched();
    });
    const conditions = stage.formatConditions(await stage.readClusterVersion(set.api));
    assert.deepEqual(
      conditions.map((one) => one.split("=")[0]),
      ["Completed", "Failed", "Running"],
    );
    assert.equal(conditions[1], "Failed=False AsExpected");
  });

  test("the conditions survive the operator's writes, and its own keep changing", async () => {
    // The request may still be ending when this begins.
    await eventually(async () => {
      const syncs = operator.syncs();
      const conditions = stage.formatConditions(await stage.readClusterVersion(set.api));
      await eventually(async () => assert.ok(operator.syncs() > syncs + 5));
      assert.deepEqual(stage.formatConditions(await stage.readClusterVersion(set.api)), conditions);
    });
    const now = await stage.readClusterVersion(set.api);
    const progressing = listAt(now, "status", "conditions").find((one) => textAt(one, "type") === "Progressing");
    assert.match(textAt(progressing, "message") ?? "", /^sync \d+$/);
    await assertUntouched();
  });

  test("accepting, another target and cancelling write no target into spec.desiredUpdate", async () => {
    await set.command("accept", "OperatorIncompatibleWithTarget");
    await set.command("request", "--to", "5.0.9");
    await eventually(async () =>
      assert.deepEqual(await stage.readHistory(set.api), ["5.0.8 -> 5.0.9", "5.0.8 -> 5.1.2"]),
    );
    await set.command("cancel");
    await eventually(async () => stage.assertCleared(set.api));
    await set.command("accept", "OperatorIncompatibleWithTarget-");
    await eventually(async () => assert.equal(operator.desiredUpdates.at(-1), "{}"));
    assert.deepEqual(operator.desiredUpdates, ['{"acceptRisks":[{"name":"OperatorIncompatibleWithTarget"}]}', "{}"]);
    await assertUntouched();
    const { desiredUpdate: _, ...spec } = objectAt(await stage.readClusterVersion(set.api), "spec");
    assert.deepEqual(spec, at(first, "spec"));
  });

  test("the audit log has no write of ClusterVersion's spec by the controller, nor any write of its whole status", async () => {
    const ours = (await set.cluster.audit()).filter(({ agent }) => agent.startsWith("target-release-preflight"));
    const writes = ours.filter(
      ({ verb, uri }) => /clusterversions/.test(uri) && !["get", "list", "watch"].includes(verb),
    );
    const kinds = new Set(
      writes.map(
        ({ verb, uri }) =>
          `${verb} ${uri.split("?")[0]?.split("/").slice(5).join("/")} ${/fieldManager=[^&]*/.exec(uri)?.[0]}`,
      ),
    );
    assert.deepEqual([...kinds].toSorted(), [
      "patch version fieldManager=target-release-preflight-cli",
      "patch version/status fieldManager=target-release-preflight",
    ]);
  });
});
