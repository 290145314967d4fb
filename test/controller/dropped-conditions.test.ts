import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyActions } from "../../src/controller/controller.ts";
import { followSchema, NO_ATTEMPTS } from "../../src/controller/dropped-conditions.ts";
import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import type { Observation, WriteOutcomes } from "../../src/controller/observation.ts";
import { plan } from "../../src/controller/plan.ts";
import { RESULT } from "../../src/controller/api/api-paths.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { isPreflightCondition } from "../../src/lift/progress/preflight-conditions.ts";
import { isObject, type Json, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { buildSampleDocument, NOW, risk } from "../../verify/operator/status-sample.ts";
import type { MemoryApi } from "../support/controller/memory-api.ts";
import {
  createStore,
  MISSING,
  observeStore,
  requestFor,
  SETTINGS,
  SILENT_LOGGER,
} from "../support/controller/reconcile.ts";

const FOUND: DocumentState = { kind: "read", document: buildSampleDocument([risk("A")]) };

/** The API as a CRD without status.conditions makes it: it accepts our conditions, and drops them. */
function withoutConditions(api: MemoryApi): Pick<ApiClient, "write"> {
  return {
    write: async (change, signal) => {
      const status = objectAt(change.body, "status");
      if (!("conditions" in status)) return api.write(change, signal);
      const conditions = listAt(status, "conditions").filter((one) => !isObject(one) || !isPreflightCondition(one));
      return api.write({ ...change, body: { ...change.body, status: { ...status, conditions } } }, signal);
    },
  };
}

type Turn = { readonly document?: DocumentState; readonly writeStatus: boolean; readonly seconds: number };

/** One reconciliation, which passes on what became of the last one's writes as the controller does. */
async function reconcile(api: MemoryApi, outcomes: WriteOutcomes, turn: Turn, server = withoutConditions(api)) {
  const now = new Date(NOW.getTime() + turn.seconds * 1_000);
  const { document = MISSING, writeStatus } = turn;
  const observation: Observation = await observeStore(api, { document, now, outcomes });
  const actions = plan(observation, { ...SETTINGS, writeStatus }, now);
  const { droppedConditions = outcomes.droppedConditions ?? "" } = await applyActions(
    actions,
    server,
    SILENT_LOGGER,
    new AbortController().signal,
  );
  return { kinds: actions.map(({ kind }) => kind), outcomes: droppedConditions === "" ? {} : { droppedConditions } };
}

describe("conditions that the API server drops", () => {
  for (const writeStatus of [false, true]) {
    const published = writeStatus ? "status" : "conditions";
    test(`are written once, and again only if they change, ${writeStatus ? "with" : "without"} --write-status`, async () => {
      const api = createStore(requestFor({ to: "5.2.0" }));
      const first = await reconcile(api, {}, { writeStatus, seconds: 0 });
      assert.deepEqual(first.kinds, ["result", "runner", published]);
      assert.match(first.outcomes.droppedConditions ?? "", /PreflightRunning/);
      const second = await reconcile(api, first.outcomes, { writeStatus, seconds: 1 });
      assert.deepEqual(second.kinds, ["result", published], "the runner's Deployment is there now");
      const third = await reconcile(api, second.outcomes, { writeStatus, seconds: 2 });
      assert.deepEqual(third.kinds, ["result"], "the result says so");
      const problems = textAt(api.objects.get(RESULT), "data", "proposal.json") ?? "";
      assert.match(problems, /"reason": "ConditionsNotStored"/);
      for (let seconds = 3; seconds < 30; seconds += 1)
        assert.deepEqual((await reconcile(api, second.outcomes, { writeStatus, seconds })).kinds, [], `${seconds} s`);
      const other = await reconcile(api, second.outcomes, { writeStatus, seconds: 30, document: FOUND });
      assert.ok(other.kinds.includes(published));
      assert.notEqual(other.outcomes.droppedConditions, second.outcomes.droppedConditions);
      const next = await reconcile(api, other.outcomes, { writeStatus, seconds: 31, document: FOUND });
      assert.deepEqual(next.kinds, ["result"]);
      assert.deepEqual((await reconcile(api, next.outcomes, { writeStatus, seconds: 32, document: FOUND })).kinds, []);
    });
  }

  test("stay as they are if the API server changes them instead", async () => {
    const api = createStore(requestFor({ to: "5.2.0" }));
    const rewrite = (one: Json): Json => ({ ...objectAt(one), message: "rewritten" });
    const rewriting: Pick<ApiClient, "write"> = {
      write: (change, signal) => {
        const status = objectAt(change.body, "status");
        if (!("conditions" in status)) return api.write(change, signal);
        const conditions = listAt(status, "conditions").map(rewrite);
        return api.write({ ...change, body: { ...change.body, status: { conditions } } }, signal);
      },
    };
    let outcomes: WriteOutcomes = {};
    const kinds: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const next = await reconcile(api, outcomes, { writeStatus: false, seconds: turn }, rewriting);
      outcomes = next.outcomes;
      kinds.push(next.kinds.join(" "));
    }
    assert.deepEqual(kinds.slice(0, 3), ["result runner conditions", "result conditions", "result"]);
    assert.deepEqual(new Set(kinds.slice(3)), new Set([""]));
  });

  test("are tried again when the CRD changes, and a few times after, since the API server may be late", () => {
    let attempts = NO_ATTEMPTS;
    const tries = (generation: number, times: readonly number[]): readonly number[] =>
      times.filter((time) => {
        const followed = followSchema(attempts, generation, time);
        ({ attempts } = followed);
        return followed.forgets;
      });
    assert.deepEqual(tries(1, [0, 1_000, 100_000]), [0]);
    const seconds = Array.from({ length: 200 }, (_, i) => 200_000 + i * 1_000);
    assert.deepEqual(tries(2, seconds), [200_000, 202_000, 210_000, 260_000]);
    assert.deepEqual(tries(3, [500_000, 570_000, 580_000]), [500_000, 570_000]);
  });

  test("are no problem of a store that keeps them", async () => {
    const api = createStore(requestFor({ to: "5.2.0" }));
    const actions = plan(await observeStore(api), SETTINGS, NOW);
    const result = await applyActions(actions, api, SILENT_LOGGER, new AbortController().signal);
    assert.equal(result.droppedConditions, "");
  });
});
