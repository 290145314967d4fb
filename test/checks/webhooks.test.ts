import assert from "node:assert/strict";
import { test } from "node:test";
import { buildBackends, keepService, keepEndpointSlice, getBackendState } from "../../src/checks/webhooks/backends.ts";
import { keepAdmissionWebhooks } from "../../src/checks/webhooks/webhooks.ts";
import { hasResource, judgeReach, selectWrittenKinds, type WrittenKind } from "../../src/checks/webhooks/reach.ts";
import { risks } from "../../src/checks/webhooks/check.ts";
import { buildContext } from "../../src/model/check.ts";
import { getFixKind } from "../../src/model/commands.ts";
import { buildCrd } from "../support/checks/widgets.ts";
import { release, version } from "../support/fixtures.ts";
import { matchesSelector, parseSelector } from "../../src/model/object.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NAMESPACES = ["demo", "openshift-dns"].map((name) => ({ name, labels: { name } }));
const WRITTEN_KINDS: readonly WrittenKind[] = [
  { group: "", resource: "nodes", isNamespaced: false },
  { group: "", resource: "nodes/status", isNamespaced: false },
  { group: "", resource: "namespaces", isNamespaced: true },
  { group: "apps", version: "v1", resource: "deployments", isNamespaced: true },
  { group: "config.openshift.io", shipped: new Set(["proxies"]), isNamespaced: false },
];

function reach(rule: JsonObject, more: JsonObject = {}) {
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"], ...rule }];
  const [hook] = keepAdmissionWebhooks({ webhooks: [{ rules, ...more }] }) ?? [];
  assert.ok(hook);
  return judgeReach(hook, NAMESPACES, WRITTEN_KINDS);
}

const only = (...values: readonly string[]) => ({
  namespaceSelector: { matchExpressions: [{ key: "name", operator: "In", values }] },
});

test("finds the requests of an update that call a webhook", () => {
  assert.equal(reach({}), "pods");
  assert.equal(reach({ scope: "Cluster" }), "writes");
  assert.equal(reach({ apiGroups: [""], resources: ["pods"] }, only("demo")), "pods");
  assert.equal(reach({ apiGroups: [""], resources: ["pods"] }, only("other")), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["pods/*"] }), "pods");
  assert.equal(reach({ apiGroups: [""], resources: ["pods/log"] }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["pods"], operations: ["CONNECT"] }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["pods"], operations: ["DELETE"] }), "pods");
  assert.equal(reach({ apiGroups: ["apps"] }, only("openshift-dns")), "writes");
  assert.equal(reach({ apiGroups: ["apps"] }, only("demo")), "nothing");
  assert.equal(reach({ apiGroups: ["apps"], resources: ["deployments/*"] }, only("openshift-dns")), "writes");
  assert.equal(reach({ apiGroups: [""], resources: ["nodes"] }, only("other")), "writes");
  assert.equal(reach({ apiGroups: ["apps"], operations: ["DELETE"] }), "deletes");
  assert.equal(reach({ apiGroups: ["apps"], resources: ["deployments"], operations: ["DELETE"] }), "nothing");
  assert.equal(reach({ apiGroups: ["storage.k8s.io"], operations: ["DELETE"] }), "writes");
  assert.equal(reach({ apiGroups: [""], resources: ["namespaces"], scope: "Namespaced" }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["namespaces"], scope: "Cluster" }), "writes");
  assert.equal(reach({ apiGroups: [""], resources: ["pods/status"], operations: ["UPDATE"] }), "pods");
  assert.equal(reach({ apiGroups: [""], resources: ["pods/status"], operations: ["CREATE"] }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["pods/eviction"], operations: ["DELETE"] }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["nodes/status"], operations: ["CREATE"] }), "nothing");
  assert.equal(reach({ apiGroups: [""], resources: ["nodes/status"], operations: ["UPDATE"] }), "writes");
  assert.equal(reach({ apiGroups: [""], apiVersions: ["v2"], resources: ["pods"] }), "nothing");
  assert.equal(reach({ apiGroups: ["apps"], apiVersions: ["v1beta1"] }, only("openshift-dns")), "nothing");
  assert.equal(reach({ resources: ["proxies/status"] }, only("demo")), "writes");
  assert.equal(reach({ resources: ["*/status"] }, only("demo")), "pods");
  assert.equal(reach({ resources: ["*/status"], operations: ["CREATE"] }), "nothing");
  assert.equal(
    reach({ apiGroups: ["config.openshift.io"], resources: ["*/status"], operations: ["CREATE"] }),
    "nothing",
  );
  assert.equal(
    reach({ apiGroups: ["config.openshift.io"], resources: ["*/status"], operations: ["UPDATE"] }),
    "writes",
  );
  assert.equal(reach({ apiGroups: ["config.openshift.io"], scope: "Namespaced" }), "nothing");
  assert.equal(reach({ resources: ["deployments"] }, only("demo")), "nothing");
  assert.equal(reach({ apiGroups: ["config.openshift.io"], resources: ["proxies"] }), "writes");
  assert.equal(reach({ apiGroups: ["example.com"] }), "nothing");
});

test("counts a webhook as narrowed only if it requires labels", () => {
  const by = (operator: string) => ({ objectSelector: { matchExpressions: [{ key: "a", operator, values: ["b"] }] } });
  assert.equal(reach({}, by("In")), "labelled");
  assert.equal(reach({}, by("Exists")), "labelled");
  assert.equal(reach({}, by("NotIn")), "pods");
  assert.equal(reach({}, by("DoesNotExist")), "pods");
});

test("interprets a rule's resources as the API server does", () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ["*", "pods", true],
    ["*", "pods/status", false],
    ["*/*", "pods", true],
    ["*/*", "pods/status", true],
    ["pods", "pods/status", false],
    ["pods/*", "pods", true],
    ["pods/*", "pods/status", true],
    ["*/status", "pods/status", true],
    ["*/status", "pods/binding", false],
  ];
  for (const [one, wanted, expected] of table)
    assert.equal(hasResource({ resources: [one] }, wanted), expected, `${one} ${wanted}`);
});

test("matches labels as selectors do, including absent labels", () => {
  const of = (operator: string) =>
    parseSelector({ s: { matchLabels: { x: "1" }, matchExpressions: [{ key: "a", operator, values: ["b"] }] } }, "s");
  const table: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
    ["In", { x: "1", a: "b" }, true],
    ["In", { x: "1" }, false],
    ["In", { x: "2", a: "b" }, false],
    ["NotIn", { x: "1" }, true],
    ["NotIn", { x: "1", a: "b" }, false],
    ["Exists", { x: "1", a: "c" }, true],
    ["DoesNotExist", { x: "1", a: "c" }, false],
  ];
  for (const [operator, labels, expected] of table)
    assert.equal(matchesSelector(of(operator), labels), expected, operator);
  assert.equal(matchesSelector([], {}), true);
});

test("counts pods, not addresses, and allows ten minutes for a restart", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const service = keepService({ metadata: { namespace: "a", name: "b" }, spec: { ports: [{ port: 443 }] } });
  const state = (endpoints: readonly JsonObject[], changed = "2026-03-01T11:50:00Z") => {
    const slice = keepEndpointSlice({
      metadata: {
        namespace: "a",
        labels: { "kubernetes.io/service-name": "b" },
        annotations: { "endpoints.kubernetes.io/last-change-trigger-time": changed },
      },
      endpoints,
      ports: [{ name: "", port: 8443 }],
    });
    return getBackendState(
      { kind: "service", service: "a/b", port: 443 },
      buildBackends(
        { kind: "found", values: [service] },
        { kind: "found", values: slice ? [slice] : [] },
        { kind: "found", values: [{ name: "a" }] },
      ),
      now,
    ).kind;
  };
  const pod = (name: string, address: string) => ({ addresses: [address], targetRef: { name } });
  assert.equal(state([pod("p", "10.0.0.1"), pod("p", "fd00::1")]), "single");
  assert.equal(state([pod("p", "10.0.0.1"), pod("q", "10.0.0.2")]), "answers");
  assert.equal(state([]), "down");
  assert.equal(state([], "2026-03-01T11:50:01Z"), "restarting");
  assert.equal(state([], "soon"), "down");
});

test("a webhook is ignored only where nothing is left that could answer; all else restores its backend", () => {
  const { fix, fixKind } = risks.FailClosedWebhookWithoutBackend;
  assert.ok(fix !== undefined);
  const object = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration", name: "a" };
  const context = buildContext(version("4.18.8"), release("4.19.2"), new Date(0));
  const describe = (lacks: string): readonly string[] => {
    const finding = { risk: "A", object, path: "webhooks[0]", message: "", detail: { service: "shop/policy", lacks } };
    return [getFixKind(fixKind, finding), ...fix(finding, context)];
  };
  assert.deepEqual(describe("namespace"), [
    "weakening",
    'oc patch validatingwebhookconfiguration.admissionregistration.k8s.io/a --type=json -p \'[{"op":"add","path":"/webhooks/0/failurePolicy","value":"Ignore"}]\'',
  ]);
  assert.deepEqual(describe("service"), [
    "safe",
    "oc -n shop expose deployment/<deployment> --name=policy --port=<port> --target-port=<container-port>",
  ]);
  assert.deepEqual(describe("port"), ["safe", "oc -n shop edit service/policy"]);
  assert.deepEqual(describe("pods"), ["safe", "oc -n shop scale deployment/<deployment> --replicas=<replicas>"]);
  assert.deepEqual(describe("readiness"), ["safe"]);
});

test("an archive that holds only some namespaces says of none that it is gone", () => {
  const client = { kind: "service", service: "gone/policy", port: 443 } as const;
  const judge = (heldNamespaces?: ReadonlySet<string>): string => {
    const none = { kind: "found", values: [] } as const;
    const namespaces = { kind: "found", values: [{ name: "a" }], heldNamespaces } as const;
    const state = getBackendState(client, buildBackends(none, none, namespaces), new Date(0));
    return state.kind === "down" ? state.lacks : state.kind;
  };
  assert.equal(judge(), "namespace");
  assert.equal(judge(new Set(["a"])), "service");
});

test("any rule of a webhook may be the one that is called", () => {
  const rule = (group: string, ...resources: readonly string[]) => ({
    apiGroups: [group],
    apiVersions: ["*"],
    operations: ["*"],
    resources,
  });
  const judge = (...rules: readonly JsonObject[]) => {
    const [hook] = keepAdmissionWebhooks({ webhooks: [{ rules }] }) ?? [];
    return hook && judgeReach(hook, NAMESPACES, WRITTEN_KINDS);
  };
  const pods = rule("", "pods");
  const nodes = rule("", "nodes");
  const other = rule("example.com", "others");
  assert.deepEqual([judge(other, pods), judge(pods, other), judge(other, nodes)], ["pods", "pods", "writes"]);
  assert.deepEqual([judge(other), judge()], ["nothing", "nothing"]);
});

test("knows of a group of operators what the release ships, and of others all", () => {
  const proxies = buildCrd([{ name: "v1", served: true }], [], {
    group: "config.openshift.io",
    names: { plural: "proxies", kind: "Proxy" },
    scope: "Cluster",
  });
  const kinds = selectWrittenKinds(release("4.19.2", { crds: [proxies, buildCrd([{ name: "v1", served: true }])] }));
  const find = (group: string) => kinds.filter((kind) => kind.group === group);
  const shipped = new Set(["proxies", "clusteroperators", "clusterversions"]);
  assert.deepEqual(find("config.openshift.io"), [
    { group: "config.openshift.io", isNamespaced: false, shipped },
    { group: "config.openshift.io", resource: "proxies", isNamespaced: false },
  ]);
  assert.deepEqual(find("machine.openshift.io"), [{ group: "machine.openshift.io", isNamespaced: true }]);
  assert.deepEqual(find("example.com"), [{ group: "example.com", resource: "widgets", isNamespaced: true }]);
  assert.deepEqual(
    find("batch"),
    ["cronjobs", "jobs"].map((resource) => ({ group: "batch", version: "v1", resource, isNamespaced: true })),
  );
  assert.deepEqual(find("flowcontrol.apiserver.k8s.io")[0], {
    group: "flowcontrol.apiserver.k8s.io",
    resource: "flowschemas",
    isNamespaced: false,
  });
});
