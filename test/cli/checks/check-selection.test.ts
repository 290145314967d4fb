import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../../src/checks/index.ts";
import { buildAddedRole, buildClusterRole } from "../../../src/cli/checks/cluster-role.ts";
import { selectChecks } from "../../../src/cli/checks/check-selection.ts";
import { createEarlierChecks } from "../../../src/cli/checks/earlier-checks.ts";
import { buildComparedResult } from "../../../src/format/comparison/compared-result.ts";
import { each, get, ofAnyName, onlyOn, type Read } from "../../../src/model/read.ts";
import { checkWith } from "../../support/fixtures.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";

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

test("a runner's --only and --skip may name checks that are not there yet, and no other command's", () => {
  const isSite = (id: string): boolean => id.startsWith("site-");
  const select = (only: readonly string[], skip: readonly string[]) => selectChecks(checks, only, skip, isSite);
  assert.deepEqual(select([], ["site-csi"]).leftOut, []);
  assert.deepEqual(select(["site-csi"], []).checks, []);
  assert.equal(select(["site-csi"], []).leftOut.length, selectIds([], []).length);
  assert.throws(() => select(["nods"], []), /did you mean nodes/);
  assert.throws(() => selectIds([], ["site-csi"]), /no check has the id "site-csi"/);
});

test("a role for an administrator's checks has what the shipped one lacks", () => {
  const shipped = buildClusterRole(selectChecks(checks, [], []).checks);
  const keep = () => "";
  const build = (...reads: readonly Read[]) => {
    const check = checkWith({ id: "a", reads: () => Object.fromEntries(reads.entries()) });
    return buildAddedRole([check], shipped, "openshift");
  };
  const granted = [each("v1/nodes", keep), get("config.openshift.io/v1/networks", "cluster", keep)];
  const role = build(...granted, onlyOn("kubernetes", each("v1/widgets", keep)));
  assert.deepEqual([role.metadata.name, role.rules], ["cluster-version-operator-preflight-checks", []]);
  const missing = [each("example.com/v1/widgets", keep), get("v1/configmaps", "a/b", keep), get("v1/nodes", "c", keep)];
  assert.deepEqual(build(...granted, ...missing).rules, [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: ["b"], verbs: ["get"] },
    { apiGroups: [""], resources: ["nodes"], resourceNames: ["c"], verbs: ["get"] },
    { apiGroups: ["example.com"], resources: ["widgets"], verbs: ["list"] },
  ]);
});

test("grants every name of a kind of which only the cluster knows what is read", () => {
  const keep = () => "";
  const widget = (name: string) => get("example.com/v1/widgets", `a/${name}`, keep);
  const check = checkWith({ id: "a", reads: () => ({ a: widget("a"), b: ofAnyName(widget("NAME")), c: widget("c") }) });
  const { rules } = buildClusterRole([check]);
  const own = rules.filter((rule) => "apiGroups" in rule && rule.apiGroups.includes("example.com"));
  assert.deepEqual(own, [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }]);
  const wanted = checkWith({ id: "b", reads: () => ({ a: widget("other") }) });
  assert.deepEqual(buildAddedRole([wanted], buildClusterRole([check]), "openshift").rules, []);
});

const EARLIER = buildComparedResult(
  {
    format: "preflight-v1-json",
    executionStatus: "completed",
    observedAt: "2026-01-03T10:00:00Z",
    complete: false,
    risks: [],
    checks: [
      { id: "a", outcome: "risk", risks: ["A"] },
      { id: "b", outcome: "unknown", reason: "Forbidden" },
      { id: "c", outcome: "clear" },
      { id: "d", outcome: "notApplicable" },
      { id: "e", outcome: "unknown", reason: "LeftOut" },
      { id: "f", outcome: "unknown", reason: "LeftOut", clearAt: "2026-01-02T09:00:00Z" },
      { id: "last", outcome: "notApplicable" },
    ],
  },
  { label: "r.json", accept: [], now: new Date("2026-01-04T00:00:00Z") },
);
const CANDIDATES = ["a", "b", "c", "d", "e", "f", "g"].map((id) => checkWith({ id }));
const covering = checkWith({ id: "covering", special: { covers: () => [] } });

test("--recheck runs what was open, what did not apply and what is new", () => {
  const select = (isAll: boolean, skip: readonly string[] = []) => {
    const { checks: selected, leftOut } = createEarlierChecks(EARLIER, isAll).select(CANDIDATES, skip);
    return [
      selected.map(({ id }) => id).join(""),
      leftOut.map(({ check, by, clearAt = "-" }) => [check.id, by, clearAt]),
    ];
  };
  assert.deepEqual(select(false), [
    "abdg",
    [
      ["c", "--recheck", "2026-01-03T10:00:00Z"],
      ["e", "--recheck", "-"],
      ["f", "--recheck", "2026-01-02T09:00:00Z"],
    ],
  ]);
  assert.deepEqual(select(true, ["a"]), ["bcdefg", [["a", "--skip", "-"]]]);
});

test("what a check covers runs again if that check is open which would report it otherwise", () => {
  const last = checkWith({ id: "last", special: { judgedLast: true } });
  const select = (outcome: string) => {
    const checks = new Map(EARLIER.checks);
    for (const [id, like] of [
      ["covering", "c"],
      ["last", outcome],
    ] as const)
      checks.set(id, { ...(checks.get(like) ?? assert.fail(like)), id });
    return createEarlierChecks({ ...EARLIER, checks }, false)
      .select([covering, last], [])
      .checks.map(({ id }) => id);
  };
  assert.deepEqual(select("a"), ["covering", "last"]);
  assert.deepEqual(select("c"), []);
});

test("--recheck names the checks that were open and that nobody has any more", () => {
  const { listGone } = createEarlierChecks(EARLIER, true);
  assert.deepEqual(
    listGone([]).map(({ check, by }) => [check.id, by]),
    [
      ["a", "--recheck"],
      ["b", "--recheck"],
    ],
  );
  assert.deepEqual(listGone(CANDIDATES), []);
});
