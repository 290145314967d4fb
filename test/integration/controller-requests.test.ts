import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { CLUSTER_VERSION_CRD_PATH, RESULT } from "../../src/controller/api/api-paths.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type FakeOperator, startOperator } from "../../verify/operator/fake-operator.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import {
  countRequests,
  listRequests,
  type RequestCounts,
  startChangeCounter,
} from "../support/controller/request-log.ts";
import * as stage from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { replaceObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { formatTime } from "../../src/model/time.ts";
import { nightly } from "../support/cases/sample.ts";

const SYNCS = 5;
const MAX_ROUNDS = 20;
const NOTHING = { reads: [], writes: [], conflicts: 0 };

describe("the controller's requests, by the audit log", { skip: noControlPlane }, () => {
  const { set, begin, beginProcess, end, says, resultOfRunner, write, cleanUpWith } = useFaultStage();

  async function startWriting(): Promise<FakeOperator> {
    // One update has a risk of the operator's own, whose condition it sets again and again.
    await stage.changeStatus(set().api, giveRisk);
    const operator = await startOperator(set().api, { renewsTimes: true });
    cleanUpWith(operator.stop);
    return operator;
  }

  /** The requests while the operator writes a number of times, and those of the leases apart. */
  async function countWhile(operator: FakeOperator): Promise<Omit<RequestCounts, "renewals">> {
    const before = (await listRequests(set().cluster)).length;
    const syncs = operator.syncs();
    await eventually(async () => assert.ok(operator.syncs() >= syncs + SYNCS));
    const { renewals: _, ...counts } = countRequests((await listRequests(set().cluster)).slice(before));
    return counts;
  }

  /** Waits until everything that was asked for is written, and nothing has been asked for twice in a row: whoever acts at intervals never settles. */
  async function settle(operator: FakeOperator): Promise<void> {
    for (let tries = 1, quiet = 0; quiet < 2; tries += 1) {
      const counts = await countWhile(operator);
      quiet = isDeepStrictEqual(counts, NOTHING) ? quiet + 1 : 0;
      if (tries >= MAX_ROUNDS) assert.deepEqual(counts, NOTHING);
    }
  }

  test(
    "the operator's writes cause none, idle or with a result, and each write is a change",
    { skip: nightly },
    async () => {
      const operator = await startWriting();
      const counter = await startChangeCounter(set().api);
      const first = (await listRequests(set().cluster)).length;
      const controller = begin();
      await settle(operator);

      const document = await resultOfRunner();
      const validUntil = formatTime(new Date(Date.now() + 600_000));
      await write({ ...document, validUntil });
      await settle(operator);

      await set().command("accept", "OperatorIncompatibleWithTarget");
      await settle(operator);
      await write({ ...document, validUntil, risks: listAt(document, "risks").slice(1) });
      await settle(operator);
      await set().command("cancel");
      await eventually(async () => stage.assertCleared(set().api));
      await settle(operator);
      await end();
      await counter.stop();
      const { writes, conflicts } = countRequests((await listRequests(set().cluster)).slice(first));
      assert.equal(writes.length, counter.count(), `${writes.join("\n")}\n${controller.err()}`);
      assert.ok(writes.length > 10, "the play had changes");
      assert.ok(conflicts <= operator.syncs(), `${conflicts} conflicts`);
      await set().command("accept", "--clear");
    },
  );

  test("a takeover lists everything once, and writes nothing that is there already", async () => {
    const operator = await startWriting();
    const leader = beginProcess("--identity", "first");
    const document = await resultOfRunner();
    await write({ ...document, validUntil: formatTime(new Date(Date.now() + 600_000)) });
    await settle(operator);
    leader.kill("SIGKILL");
    await leader.result;
    const before = (await listRequests(set().cluster)).length;
    const next = begin("--identity", "second");
    await eventually(async () => assert.match(next.err(), /"became the leader"/));
    await settle(operator);
    const { reads, writes } = countRequests((await listRequests(set().cluster)).slice(before));
    assert.deepEqual(writes, []);
    const lists = reads.filter((one) => one.startsWith("list"));
    // On a machine that is too busy to renew its lease in time, it takes over again.
    const terms = next.err().match(/"became the leader"/g)?.length ?? 0;
    assert.equal(lists.length, 9 * terms, lists.join("\n"));
    // Once a term: whether the control plane is hosted.
    const gets = reads.filter((one) => one.startsWith("get") && !one.endsWith("/leases/preflight-controller"));
    const infrastructure = "get /apis/config.openshift.io/v1/infrastructures/cluster";
    assert.deepEqual(
      gets,
      Array.from({ length: terms }, () => infrastructure),
    );
  });

  test("conditions that the API server drops are written once, which is told once", { skip: nightly }, async () => {
    const crd = objectAt(await stage.readObject(set().api, CLUSTER_VERSION_CRD_PATH));
    cleanUpWith(() => replaceCrd(crd));
    await replaceCrd(withoutConditions(crd));
    const operator = await startOperator(set().api);
    cleanUpWith(async () => {
      await operator.stop();
      await replaceCrd(crd);
    });
    // The events of a pending pod would be read.
    set().nodes.setMode({ kind: "hangs" });
    const controller = begin();
    await set().command("request", "--to", "5.1.2");
    const dropped = /API server accepted the Preflight conditions/g;
    await eventually(async () => assert.match(controller.err(), dropped));
    await settle(operator);
    assert.match(
      textAt(await stage.readObject(set().api, RESULT), "data", "proposal.json") ?? "",
      /ConditionsNotStored/,
    );
    assert.equal(controller.err().match(dropped)?.length, 1);
    await replaceCrd(crd);
    await says(/Running=/);
  });

  async function replaceCrd(crd: JsonObject): Promise<void> {
    const { metadata } = objectAt(await stage.readObject(set().api, CLUSTER_VERSION_CRD_PATH));
    await replaceObject(set().cluster, CLUSTER_VERSION_CRD_PATH, { ...crd, metadata: objectAt(metadata) });
  }
});

function withoutConditions(crd: JsonObject): JsonObject {
  const text = JSON.stringify(crd);
  return JSON.parse(text, (key: string, value: unknown) => {
    if (key !== "status" || !isObject(value) || !isObject(value["properties"])) return value;
    const { conditions: _, ...properties } = value["properties"];
    return { ...value, properties };
  });
}

/** A risk of the update 5.1.2 whose query the operator has evaluated. */
function giveRisk(status: JsonObject): JsonObject {
  const available = listAt(status, "availableUpdates");
  const release = available.find((one) => textAt(one, "version") === "5.1.2");
  if (release === undefined) return status;
  const time = formatTime(new Date());
  const risk = {
    name: "OfAnother",
    message: "Something is known.",
    url: "https://example.com/risk",
    matchingRules: [{ type: "PromQL", promql: { promql: "vector(1)" } }],
    conditions: [{ type: "Applies", status: "True", reason: "Match", message: "", lastTransitionTime: time }],
  };
  const recommended = {
    type: "Recommended",
    status: "False",
    reason: "OfAnother",
    message: "Something is known. https://example.com/risk",
    lastTransitionTime: time,
  };
  const update = { release, risks: [risk], riskNames: ["OfAnother"], conditions: [recommended] };
  return {
    ...status,
    availableUpdates: available.filter((one) => one !== release),
    conditionalUpdates: [update, ...listAt(status, "conditionalUpdates")],
    conditionalUpdateRisks: [...listAt(status, "conditionalUpdateRisks"), risk],
  };
}
