import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../../src/checks/index.ts";
import { buildClusterRole } from "../../../src/cli/checks/cluster-role.ts";
import { selectChecks } from "../../../src/cli/checks/check-selection.ts";
import { runPreflight } from "../../support/preflight.ts";

const selectIds = (only: readonly string[], skip: readonly string[]) =>
  selectChecks(checks, only, skip).checks.map(({ id }) => id);

test("leaves out checks that run only on request, unless --only names them", () => {
  const onRequest = checks.filter((check) => check.special?.onRequest !== undefined).map(({ id }) => id);
  assert.ok(onRequest.includes("certificates-expiring"));
  for (const id of onRequest) {
    assert.ok(!selectIds([], []).includes(id), id);
    assert.ok(!selectIds([], ["webhooks"]).includes(id), id);
    assert.deepEqual(selectIds([id], []), [id]);
  }
  assert.deepEqual(selectIds(["webhooks", "certificates-expiring"], ["webhooks"]), ["certificates-expiring"]);
  assert.equal(selectIds([], []).length, checks.length - onRequest.length);
});

test("requires permission to list Secrets only if the check that needs it is selected by name", () => {
  const mayRead = (only: readonly string[]) => JSON.stringify(buildClusterRole(selectChecks(checks, only, []).checks));
  assert.ok(!mayRead([]).includes('"secrets"'));
  assert.match(
    mayRead(["certificates-expiring"]),
    /"apiGroups":\[""\],"resources":\["nodes","secrets"\],"verbs":\["list"\]/,
  );
});

test("grants what leads to registries and the update service to an account, but not to a runner in the cluster", async () => {
  const reads = /imagetagmirrorsets|trusted-ca-bundle|user-ca-bundle/g;
  const list = async (...args: readonly string[]) => {
    const { out } = await runPreflight(["rbac", ...args]);
    return [...new Set(out.match(reads))].toSorted();
  };
  assert.deepEqual(await list(), []);
  const user = ["--bind-to", "system:serviceaccount:ci:updater"];
  assert.deepEqual(await list(...user), ["imagetagmirrorsets", "trusted-ca-bundle", "user-ca-bundle"]);
  assert.deepEqual(await list(...user, "--target-version", "v1.36"), []);
});

test("names what --only and --skip leave out, without checks that run only on request", () => {
  const list = (only: readonly string[], skip: readonly string[]) =>
    selectChecks(checks, only, skip).leftOut.map(({ check, by }) => `${by} ${check.id}`);
  assert.deepEqual(list([], []), []);
  assert.deepEqual(list([], ["webhooks"]), ["--skip webhooks"]);
  const byOnly = list(["webhooks", "nodes"], ["nodes"]);
  assert.ok(byOnly.includes("--skip nodes") && byOnly.includes("--only crd-skew"));
  assert.ok(!byOnly.some((one) => /webhooks|certificates-expiring/.test(one)));
});
