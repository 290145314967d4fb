import assert from "node:assert/strict";
import { test } from "node:test";
import { CLUSTER_VERSION } from "../../src/controller/api/api-paths.ts";
import { withKnownTimes } from "../../src/lift/preflight-result.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { getClusterVersion } from "../support/controller/memory-api.ts";
import { createStore, reconcileOnce, reconcileUntilStable, requestFor } from "../support/controller/reconcile.ts";
import {
  buildSampleDocument,
  clusterVersion,
  conditional,
  foreign,
  risk,
} from "../../verify/operator/status-sample.ts";

function condition(type: string, status: string, lastTransitionTime: string, message = ""): JsonObject {
  return { type, status, message, lastTransitionTime };
}

function proposal(applies: JsonObject, recommended: JsonObject, version = "5.1.2"): JsonObject {
  const risk = { name: "A", conditions: [applies] };
  const update = { release: { version }, risks: [risk], conditions: [recommended] };
  return { conditionalUpdates: [update], conditionalUpdateRisks: [risk], problems: [] };
}

const BEFORE = proposal(condition("Applies", "True", "10:00"), condition("Recommended", "False", "10:00"));

test("a condition that an operator sets again with a new time keeps the first one", () => {
  const next = proposal(condition("Applies", "True", "10:05"), condition("Recommended", "False", "10:05"));
  assert.deepEqual(withKnownTimes(next, BEFORE), BEFORE);
});

test("another message is taken over, with the first time", () => {
  const next = proposal(condition("Applies", "True", "10:05", "new"), condition("Recommended", "False", "10:05"));
  const expected = proposal(condition("Applies", "True", "10:00", "new"), condition("Recommended", "False", "10:00"));
  assert.deepEqual(withKnownTimes(next, BEFORE), expected);
});

test("another status, another update and a first proposal have their own times", () => {
  const next = proposal(condition("Applies", "False", "10:05"), condition("Recommended", "True", "10:05"));
  assert.deepEqual(withKnownTimes(next, BEFORE), next);
  const other = {
    ...proposal(condition("Applies", "True", "10:05"), condition("Recommended", "False", "10:05"), "5.0.9"),
  };
  const { conditionalUpdateRisks: _, ...unshared } = other;
  assert.deepEqual(withKnownTimes(unshared, BEFORE), unshared);
  assert.deepEqual(withKnownTimes(next, undefined), next);
});

test("the order of a list doesn't matter", () => {
  const a = condition("A", "True", "10:00");
  const b = condition("B", "True", "10:01");
  const next = { conditions: [condition("B", "True", "10:05"), condition("A", "True", "10:05")] };
  assert.deepEqual(withKnownTimes(next, { conditions: [a, b] }), { conditions: [b, a] });
});

test("an operator that evaluates the risks of the target again causes no write", async () => {
  const recommended = { status: "False", reason: "Theirs", message: "Theirs hurts." };
  const offered = conditional("5.2.0", [foreign("Theirs")], recommended);
  const cluster = clusterVersion({ available: [], conditional: [offered], union: [foreign("Theirs")] });
  const api = createStore(requestFor({ to: "5.2.0" }), cluster);
  const scene = { document: { kind: "read", document: buildSampleDocument([risk("A")]) } } as const;
  await reconcileUntilStable(api, scene);
  const before = JSON.stringify(getClusterVersion(api)["status"]);
  const renewed = before.replaceAll("2026-01-01T00:00:00Z", "2026-03-01T11:59:00Z");
  assert.notEqual(renewed, before);
  api.objects.set(CLUSTER_VERSION, { ...getClusterVersion(api), status: JSON.parse(renewed) });
  assert.deepEqual(await reconcileOnce(api, scene), []);
});
