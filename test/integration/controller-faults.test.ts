import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RUNNER } from "../../src/controller/api/api-paths.ts";
import { at, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { startOperator } from "../../verify/operator/fake-operator.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import * as stage from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { nightly } from "../support/cases/sample.ts";

describe("faults", { skip: noControlPlane }, () => {
  const { set, first, begin, beginProcess, end, says, resultOfRunner, write, cleanUpWith } = useFaultStage();

  test(
    "a controller that is killed after each of its writes reaches the same state as one that is not",
    { skip: nightly },
    async () => {
      const document = await (async () => {
        begin();
        return resultOfRunner();
      })();
      await end();
      await write({ ...document, validUntil: new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "") });
      for (const [ask, isDone] of [
        [["request", "--to", "5.1.2"], async () => assert.ok(await stage.readObject(set().api, RUNNER))],
        [["cancel"], async () => stage.assertCleared(set().api)],
      ] as const) {
        await set().command(...ask);
        for (let life = 0; life < 4; life += 1) {
          const controller = beginProcess("--identity", "the-same");
          await eventually(async () => assert.match(controller.err(), /"became the leader"/));
          await new Promise((resolve) => void setTimeout(resolve, life * 15));
          controller.kill("SIGKILL");
          await controller.result;
        }
        begin("--identity", "the-same");
        await eventually(isDone);
        await end();
      }
      const now = await stage.readClusterVersion(set().api);
      assert.deepEqual(at(now, "status"), at(first(), "status"));
    },
  );

  test("of two controllers one writes, and the other takes over if the first is killed", async () => {
    const a = beginProcess("--identity", "a");
    const b = beginProcess("--identity", "b");
    await eventually(async () => assert.match(a.err() + b.err(), /"became the leader"/));
    const [leader, other] = /"became the leader"/.test(a.err()) ? [a, b] : [b, a];
    await set().command("request", "--to", "5.1.2");
    await says(/Running=True Starting/);
    assert.doesNotMatch(other.err(), /"became the leader"|update ConfigMap preflight-result/);
    leader.kill("SIGKILL");
    await eventually(async () => assert.match(other.err(), /"became the leader"/));
    await set().command("cancel");
    await eventually(async () => stage.assertCleared(set().api));
  });

  test("conflicts with an operator that writes constantly lose nothing of either", async () => {
    const operator = await startOperator(set().api);
    cleanUpWith(operator.stop);
    begin();
    for (const target of ["5.1.2", "5.0.9", "5.1.2"]) {
      await set().command("request", "--to", target);
      await says(/Running=True Starting/);
    }
    await set().command("cancel");
    await eventually(async () => stage.assertCleared(set().api));
    await operator.stop();
    assert.deepEqual(operator.updates, []);
    const types = (of: JsonObject) =>
      listAt(of, "status", "conditions").map((controller) => textAt(controller, "type"));
    assert.deepEqual(types(await stage.readClusterVersion(set().api)), types(first()));
  });
});
