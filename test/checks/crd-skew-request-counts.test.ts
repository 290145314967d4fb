import assert from "node:assert/strict";
import { test } from "node:test";
import { keepRequestCount } from "../../src/checks/crd-skew/version-usage.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NAME = "widgets.v1beta1.storage.example.com";
const CONTROLLER = { username: "system:kube-controller-manager", userAgent: "kube-controller-manager/v1.33.4" };

function hour(requestCount: number, ...byUser: readonly JsonObject[]): JsonObject {
  return { requestCount, byNode: [{ nodeName: "demo-0", requestCount, byUser }] };
}

function kept(currentHour: JsonObject, ...last24h: readonly JsonObject[]) {
  return keepRequestCount({ metadata: { name: NAME }, status: { currentHour, last24h } });
}

test("counts this hour and the last 24, and lists each user once, sorted", () => {
  const a = { username: "demo-b", userAgent: "oc/4.18", requestCount: 2 };
  const b = { username: "demo-a", userAgent: "oc/4.18", requestCount: 1 };
  assert.deepEqual(kept(hour(2, a), {}, hour(3, a, b)), { name: NAME, users: ["demo-a", "demo-b"] });
  assert.deepEqual(kept(hour(2, a)), { name: NAME, users: ["demo-b"] });
});

test("keeps nothing if no request was counted, whatever the status contains", () => {
  assert.equal(kept({ requestCount: 0 }, {}, { requestCount: 0 }), undefined);
  assert.equal(keepRequestCount({ metadata: { name: NAME } }), undefined);
});

test("omits clients that read every served version, and counts requests of unnamed users", () => {
  assert.equal(kept({}, hour(40, { ...CONTROLLER, requestCount: 40 })), undefined);
  assert.deepEqual(kept({}, hour(41, { ...CONTROLLER, requestCount: 40 })), { name: NAME, users: [] });
});

test("doesn't omit user agents that only resemble those clients", () => {
  const user = { username: "demo-a", userAgent: "my-kube-controller-manager/v1", requestCount: 1 };
  assert.deepEqual(kept({}, hour(1, user)), { name: NAME, users: ["demo-a"] });
});
