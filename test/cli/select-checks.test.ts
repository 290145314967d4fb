import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { clusterRole } from "../../src/cli/rbac.ts";
import { selectChecks } from "../../src/cli/select-checks.ts";

const ids = (only: readonly string[], skip: readonly string[]) => selectChecks(checks, only, skip).map(({ id }) => id);

test("leaves out checks that run only on request, unless --only names them", () => {
  const onRequest = checks.filter((check) => check.onRequest !== undefined).map(({ id }) => id);
  assert.ok(onRequest.includes("certificates-expiring"));
  for (const id of onRequest) {
    assert.ok(!ids([], []).includes(id), id);
    assert.ok(!ids([], ["webhooks"]).includes(id), id);
    assert.deepEqual(ids([id], []), [id]);
  }
  assert.deepEqual(ids(["webhooks", "certificates-expiring"], ["webhooks"]), ["certificates-expiring"]);
  assert.equal(ids([], []).length, checks.length - onRequest.length);
});

test("asks for the right to list Secrets only where the check that needs it is named", () => {
  const mayRead = (only: readonly string[]) => JSON.stringify(clusterRole(selectChecks(checks, only, [])));
  assert.ok(!mayRead([]).includes('"secrets"'));
  assert.match(
    mayRead(["certificates-expiring"]),
    /"apiGroups":\[""\],"resources":\["nodes","secrets"\],"verbs":\["list"\]/,
  );
});
