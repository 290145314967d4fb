import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseCountName, formatCountName, REMOVALS } from "../../src/model/api-removals.ts";
import { isOwnUser, isRelevantLine, keepMetrics, keepRequestCount } from "../../src/checks/removed-apis/api-usage.ts";
import { judgeUsages } from "../../src/checks/removed-apis/usage-verdict.ts";
import { buildContext } from "../../src/model/check.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { object, release, version } from "../support/fixtures.ts";
import type { Platform } from "../../src/model/version.ts";

const PLATFORM = "openshift";
const FLOWS = "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io";
const USER = { username: "system:serviceaccount:ci:deployer", userAgent: "helm/v3.17", requestCount: 1 };

function count(
  name: string,
  removedInRelease: Json | undefined,
  status: object = {},
): Parameters<typeof keepRequestCount>[0] {
  const hour = { requestCount: 1, byNode: [{ requestCount: 1, byUser: [USER] }] };
  const announced: JsonObject = removedInRelease === undefined ? {} : { removedInRelease };
  return object("apiserver.openshift.io/v1", "APIRequestCount", name, {
    status: { ...announced, currentHour: hour, last24h: [], ...status },
  });
}

function found(
  source: string,
  target: string,
  usage: ReturnType<typeof keepRequestCount>,
  on: Platform = PLATFORM,
): boolean {
  const context = buildContext(version(source), release(target), new Date(0), on);
  return (judgeUsages(usage === undefined ? [] : [usage], [], context).findings ?? []).length > 0;
}

/** Updates around a removal in Kubernetes 1.36 (4.23 and 5.0) that the cluster announces. */
const SEAM: readonly (readonly [source: string, target: string, risk: boolean])[] = [
  ["4.21.1", "4.22.1", false],
  ["4.22.1", "4.23.0", true],
  ["4.22.1", "5.0.0", true],
  ["4.21.1", "5.0.0", true],
  ["4.22.1", "5.1.0", true],
  ["4.23.1", "5.0.0", false],
  ["5.0.0", "5.1.0", false],
  ["4.23.1", "5.1.0", false],
  ["4.20.1", "4.22.1", false],
];

/** Updates around the removal of validatingadmissionpolicies v1beta1 in the table: Kubernetes 1.34, and OpenShift 4.20 with 1.33. */
const OWN: readonly (readonly [Platform, source: string, target: string, risk: boolean])[] = [
  ["openshift", "4.18.1", "4.19.1", false],
  ["openshift", "4.19.1", "4.20.1", true],
  ["openshift", "4.18.1", "4.20.1", true],
  ["openshift", "4.19.1", "4.21.1", true],
  ["openshift", "4.20.1", "4.21.1", false],
  ["kubernetes", "1.32.1", "1.33.0", false],
  ["kubernetes", "1.33.1", "1.34.0", true],
  ["kubernetes", "1.32.1", "1.34.0", true],
  ["kubernetes", "1.33.1", "1.35.0", true],
  ["kubernetes", "1.34.1", "1.35.0", false],
];

describe("removed-apis", () => {
  for (const [source, target, risk] of SEAM) {
    test(`${risk ? "reports" : "doesn't report"} APIs that 1.36 removes, from ${source} to ${target}`, () =>
      assert.equal(found(source, target, keepRequestCount(count("things.v1.example.com", "1.36"))), risk));
  }

  for (const [on, source, target, risk] of OWN) {
    test(`${risk ? "reports" : "doesn't report"} admission policies on ${on}, from ${source} to ${target}`, () => {
      const name = "validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io";
      const sample = `apiserver_requested_deprecated_apis{group="admissionregistration.k8s.io",removed_release="",resource="validatingadmissionpolicies",subresource="",version="v1beta1"} 1`;
      const [metric] = keepMetrics(`# TYPE apiserver_request_total counter\n${sample}\n`);
      assert.equal(
        found(source, target, on === "openshift" ? keepRequestCount(count(name, undefined)) : metric, on),
        risk,
      );
    });
  }

  test("prefers the cluster's removal release to the table's", () => {
    const postponed = keepRequestCount(count(FLOWS, "1.33"));
    assert.deepEqual([found("4.18.1", "4.19.1", postponed), found("4.18.1", "4.20.1", postponed)], [false, true]);
    const context = buildContext(version("4.18.1"), release("4.19.1"), new Date(0));
    const removals = REMOVALS.filter(({ api }) => api.version === "v1beta3");
    const [notice] = judgeUsages(postponed ? [postponed] : [], removals, context).notices ?? [];
    assert.match(notice ?? "", /no longer serves flowcontrol[^ ]*\/prioritylevelconfigurations\. /);
  });

  test("drops APIs that no release removes", () => {
    assert.equal(keepRequestCount(count("pods.v1", undefined)), undefined);
    assert.equal(keepRequestCount(count("deployments.v1.apps", "")), undefined);
    assert.equal(keepRequestCount(count("odd", undefined)), undefined);
  });

  const ODD: readonly (readonly [string, ReturnType<typeof count>])[] = [
    ["an invalid release", count(FLOWS, "4.19")],
    ["a release that is a number", count(FLOWS, 1.32)],
    ["a name that is not an API's", count("odd", "1.32")],
    ["a day that is not a list", count(FLOWS, "1.32", { last24h: {} })],
    ["an hour whose count is not a number", count(FLOWS, "1.32", { last24h: [{ requestCount: "many" }] })],
  ];
  for (const [what, given] of ODD) {
    test(`can't parse ${what}`, () => assert.equal(keepRequestCount(given)?.kind, "odd"));
  }

  test("counts a client once, and ignores older hours", () => {
    const hour = { requestCount: 2, byNode: [{ byUser: [USER] }, { byUser: [{ ...USER, userAgent: "helm/v3.16" }] }] };
    const usage = keepRequestCount(count(FLOWS, "1.32", { last24h: [hour, { requestCount: 0 }] }));
    assert.deepEqual(usage?.kind === "usage" && usage.clients, [
      { text: "system:serviceaccount:ci:deployer (helm)", namespace: "ci", verbs: [], hours: [0] },
    ]);
    const none = keepRequestCount(count(FLOWS, "1.32", { currentHour: { requestCount: 0 } }));
    assert.equal(none?.kind === "usage" && (none.hasUnnamedClients || none.clients.length > 0), false);
  });

  test("keeps what the requests for an API were, except those that were not made", () => {
    const count = (verb: string, value: number): string =>
      `apiserver_request_total{code="200",group="a",resource="b",subresource="",verb="${verb}",version="v1beta1"} ${value}`;
    const lines = [
      "# TYPE apiserver_request_total counter",
      count("LIST", 3),
      count("WATCH", 1),
      count("PUT", 0),
      'apiserver_requested_deprecated_apis{group="a",removed_release="1.40",resource="b",subresource="",version="v1beta1"} 1',
    ];
    assert.ok(lines.every(isRelevantLine));
    const [usage] = keepMetrics(lines.join("\n"));
    assert.deepEqual(usage?.kind === "usage" && usage.unnamedVerbs, ["LIST", "WATCH"]);
  });

  test("recognizes the platform's own clients by user or program", () => {
    const own = ["system:apiserver", "system:serviceaccount:kube-system:namespace-controller"];
    for (const username of own) assert.ok(isOwnUser({ username, userAgent: "x/1" }));
    assert.ok(isOwnUser({ username: "x", userAgent: "kube-controller-manager/v1.31.1" }));
    const others = ["kube-controller-manager-like/v1", "helm/v3", ""];
    for (const userAgent of others) assert.ok(!isOwnUser({ username: "system:serviceaccount:a:b", userAgent }));
  });

  test("parses and formats the names of counts", () => {
    for (const name of [FLOWS, "pods.v1", "deployments.v1.apps"]) {
      const api = parseCountName(name);
      assert.equal(api && formatCountName(api), name);
    }
    assert.equal(parseCountName("pods"), undefined);
  });

  test("reads only the samples that it needs, and ignores everything around them", () => {
    const wanted = [
      "# HELP apiserver_request_total x",
      "# TYPE apiserver_request_total counter",
      'apiserver_request_total{code="200"} 5',
      "# TYPE apiserver_requested_deprecated_apis gauge",
      'apiserver_requested_deprecated_apis{group="a",removed_release="1.40",resource="b",subresource="",version="v1"} 1',
    ].filter(isRelevantLine);
    assert.equal(wanted.length, 2);
    const again =
      'apiserver_requested_deprecated_apis{version="v1",resource="b",group="a",removed_release="1.40",subresource="status"} 1e+00 1700000000000';
    const zero =
      'apiserver_requested_deprecated_apis{version="v2",resource="b",group="a",removed_release="1.40",subresource=""} 0';
    const usages = keepMetrics([...wanted, again, zero].join("\n"));
    const api = { group: "a", version: "v1", resource: "b" };
    assert.deepEqual(usages, [
      { kind: "usage", api, minor: 40, hasUnnamedClients: true, unnamedVerbs: [], clients: [] },
    ]);
    assert.throws(() => keepMetrics("<html>"), /not the metrics of an API server/);
    const cut = keepMetrics('# TYPE apiserver_request_total counter\napiserver_requested_deprecated_apis{group="a"');
    assert.equal(cut[0]?.kind, "odd");
  });
});
