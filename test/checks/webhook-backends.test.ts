import assert from "node:assert/strict";
import { test } from "node:test";
import check, { type JudgedWebhook, buildNotices, isRisk } from "../../src/checks/webhooks/check.ts";
import { buildBackends, getBackendState, keepEndpointSlice, keepService } from "../../src/checks/webhooks/backends.ts";
import {
  buildObjectReads,
  judgeConversion,
  keepAdmissionWebhooks,
  keepConversionWebhook,
} from "../../src/checks/webhooks/webhooks.ts";
import type { Reach } from "../../src/checks/webhooks/reach.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { buildContext } from "../../src/model/check.ts";
import { parseCrd } from "../../src/model/crd.ts";
import type { ReadFailure } from "../../src/model/reader.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const CONVERTED = {
  client: { kind: "service", service: "gone/gone", port: 443 },
  resource: { group: "example.com", version: "v1", resource: "carts" },
} as const;

const NOW = new Date("2026-03-01T12:00:00Z");

function buildSlice(endpoints: readonly JsonObject[], metadata: JsonObject = {}, ports: readonly JsonObject[] = [{}]) {
  const labels = { "kubernetes.io/service-name": "policy" };
  return { metadata: { namespace: "shop", labels, ...metadata }, endpoints, ports };
}

const pod = (name: string, ready: boolean | null = null): JsonObject => ({
  targetRef: { name },
  ...(ready === null ? {} : { conditions: { ready } }),
});

test("keeps of a Service its ports, and whether it is outside", () => {
  const metadata = { namespace: "shop", name: "policy" };
  const ports: readonly JsonObject[] = [{ port: 443 }, { name: "web", port: 8443 }, { name: "odd", port: "443" }, {}];
  assert.deepEqual(keepService({ metadata, spec: { ports, selector: { app: "policy", tier: "a" } } }), {
    service: "shop/policy",
    isExternal: false,
    selector: "app=policy,tier=a",
    ports: [
      { port: 443, name: "" },
      { port: 8443, name: "web" },
    ],
  });
  const external = { service: "/", isExternal: true, selector: "", ports: [] };
  assert.deepEqual(keepService({ spec: { type: "ExternalName" } }), external);
});

test("keeps of an EndpointSlice two ready pods, its ports and its last change", () => {
  const created = "2026-03-01T10:00:00Z";
  const later = "2026-03-01T11:00:00Z";
  const annotations = (time: string) => ({ "endpoints.kubernetes.io/last-change-trigger-time": time });
  const base = { service: "shop/policy", readyEndpoints: [], hasEndpoints: false, ports: [""] };
  const some = { ...base, hasEndpoints: true };
  const table: readonly (readonly [slice: JsonObject, kept: unknown])[] = [
    [buildSlice([]), base],
    [buildSlice([pod("a", false)]), some],
    [buildSlice([pod("a"), pod("a", true), pod("b", false)]), { ...some, readyEndpoints: ["a"] }],
    [buildSlice([pod("a"), pod("b"), pod("c")]), { ...some, readyEndpoints: ["a", "b"] }],
    [buildSlice([{ addresses: ["10.0.0.1", "10.0.0.2"] }, {}]), { ...some, readyEndpoints: ["10.0.0.1", ""] }],
    [buildSlice([], {}, [{ name: "web" }, {}]), { ...base, ports: ["web", ""] }],
    [buildSlice([], {}, []), { ...base, ports: [] }],
    [buildSlice([], { creationTimestamp: created }), { ...base, changedAt: Date.parse(created) }],
    [
      buildSlice([], { creationTimestamp: created, annotations: annotations(later) }),
      { ...base, changedAt: Date.parse(later) },
    ],
    [
      buildSlice([], { creationTimestamp: created, managedFields: [{ time: later }, { time: "soon" }] }),
      { ...base, changedAt: Date.parse(later) },
    ],
    [{ metadata: { namespace: "shop" } }, undefined],
  ];
  for (const [slice, kept] of table) assert.deepEqual(present(keepEndpointSlice(slice)), kept, JSON.stringify(slice));
});

type Found<T> = { readonly kind: "found"; readonly values: readonly T[] };
const found = <T>(...values: readonly T[]): Found<T> => ({ kind: "found", values });

test("tells what answers for a webhook, and what is missing", () => {
  const service = keepService({
    metadata: { namespace: "shop", name: "policy" },
    spec: { ports: [{ port: 443 }, { name: "web", port: 8443 }] },
  });
  const outside = { ...service, service: "shop/outside", isExternal: true };
  const at = (time: string) => ({ creationTimestamp: `2026-03-01T${time}Z` });
  const two = [pod("a"), pod("b")];
  const one = [pod("a")];
  const none = [pod("a", false)];
  const table: readonly (readonly [slices: readonly JsonObject[], state: string, name?: string, port?: number])[] = [
    [[buildSlice(two)], "answers"],
    [[buildSlice(one), buildSlice([pod("b")])], "answers"],
    [[buildSlice(one), buildSlice([pod("a")])], "single"],
    [[buildSlice(one, at("11:50:01"))], "answers"],
    [[buildSlice(one, at("11:50:00"))], "single"],
    [[buildSlice(none, at("11:50:01"))], "restarting"],
    [[buildSlice(none, at("11:50:00"))], "Service shop/policy has no ready endpoint for its port 443: readiness"],
    [[buildSlice([])], "Service shop/policy has no ready endpoint for its port 443: pods"],
    [[], "Service shop/policy has no ready endpoint for its port 443: pods"],
    [[buildSlice(two, {}, [{ name: "web" }])], "Service shop/policy has no ready endpoint for its port 443: readiness"],
    [[buildSlice(two, {}, [{ name: "web" }])], "answers", "shop/policy", 8443],
    [[buildSlice(two)], "Service shop/policy has no port 80: port", "shop/policy", 80],
    [[buildSlice(two)], "Service shop/other doesn't exist: service", "shop/other"],
    [[buildSlice(two)], "Service gone/policy doesn't exist, and neither does its namespace: namespace", "gone/policy"],
    [[buildSlice(two)], "outside", "shop/outside"],
    [[buildSlice(two, { namespace: "other" })], "Service shop/policy has no ready endpoint for its port 443: pods"],
  ];
  for (const [slices, expected, name = "shop/policy", port = 443] of table) {
    const kept = slices.flatMap((slice) => keepEndpointSlice(slice) ?? []);
    const backends = buildBackends(found(service, outside), found(...kept), found({ name: "shop" }));
    const state = getBackendState({ kind: "service", service: name, port }, backends, NOW);
    assert.equal(state.kind === "down" ? `${state.why}: ${state.lacks}` : state.kind, expected);
  }
});

test("doesn't take a backend for gone whose changes or namespace an archive lacks", () => {
  const service = keepService({ metadata: { namespace: "shop", name: "policy" }, spec: { ports: [{ port: 443 }] } });
  const slice = keepEndpointSlice(buildSlice([pod("a", false)]));
  assert.ok(slice);
  const judge = (slices: readonly (typeof slice)[], more: object, held?: readonly string[]): string => {
    const heldNamespaces = held && new Set(held);
    const services = { ...found(service), heldNamespaces };
    const backends = buildBackends(services, { ...found(...slices), ...more }, found({ name: "shop" }));
    return getBackendState({ kind: "service", service: "shop/policy", port: 443 }, backends, NOW).kind;
  };
  assert.equal(judge([slice], { lacksManagedFields: true }), "restarting");
  assert.equal(judge([slice], {}), "down");
  assert.equal(judge([], { lacksManagedFields: true }), "down");
  assert.equal(judge([slice], {}, ["shop"]), "down");
  assert.equal(judge([slice], {}, ["other"]), "notHeld");
  assert.equal(judge([slice], { heldNamespaces: new Set(["shop"]) }), "down");
  assert.equal(judge([slice], { heldNamespaces: new Set(["other"]) }), "notHeld");
  assert.equal(judge([slice], { heldNamespaces: new Set(["shop", "a"]) }, ["shop", "b"]), "down");
  assert.equal(judge([slice], { heldNamespaces: new Set(["shop", "a"]) }, ["a", "b"]), "notHeld");
});

test("keeps the admission webhooks that fail closed, with what they call", () => {
  const type = { apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration" };
  const keep = (webhooks?: readonly JsonObject[]) =>
    keepAdmissionWebhooks({ ...type, metadata: { name: "a" }, ...(webhooks ? { webhooks } : {}) });
  const service = { namespace: "shop", name: "policy" };
  const table: readonly (readonly [clientConfig: JsonObject, client: unknown])[] = [
    [{ service }, { kind: "service", service: "shop/policy", port: 443 }],
    [{ service: { ...service, port: 8443 } }, { kind: "service", service: "shop/policy", port: 8443 }],
    [{ service: { name: "policy" } }, { kind: "url", isLocal: false }],
    [{ service: { namespace: "shop" } }, { kind: "url", isLocal: false }],
    [{ url: "https://localhost:8443/a" }, { kind: "url", isLocal: true }],
    [{ url: "https://localhost" }, { kind: "url", isLocal: true }],
    [{ url: "https://127.0.0.1/a" }, { kind: "url", isLocal: true }],
    [{ url: "https://[::1]:8443" }, { kind: "url", isLocal: true }],
    [{ url: "https://localhost.example.com" }, { kind: "url", isLocal: false }],
    [{ url: "https://a.example.com/https://localhost/" }, { kind: "url", isLocal: false }],
    [{}, { kind: "url", isLocal: false }],
  ];
  for (const [clientConfig, client] of table) {
    const webhooks: readonly JsonObject[] = [
      { failurePolicy: "Ignore" },
      { clientConfig, rules: [{ apiGroups: ["apps"] }] },
    ];
    const rules = [{ operations: [], groups: ["apps"], versions: [], resources: [], scope: "*" }];
    const expected = [
      { object: { ...type, name: "a" }, path: "webhooks[1]", client, rules, namespaces: [], objects: [] },
    ];
    assert.deepEqual(keep(webhooks), expected);
  }
  assert.equal(keep([{ failurePolicy: "Ignore" }]), undefined);
  assert.equal(keep(), undefined);
});

function buildDefinition(versions: readonly JsonObject[], storedVersions: readonly string[], strategy = "Webhook") {
  const webhook = { clientConfig: { service: { namespace: "shop", name: "policy" } } };
  const spec = { group: "example.com", names: { plural: "shops" }, versions, conversion: { strategy, webhook } };
  return { metadata: { name: "shops.example.com" }, spec, status: { storedVersions } };
}

test("keeps the conversion webhooks of definitions with two versions, served or stored", () => {
  const v1 = { name: "v1", served: true };
  const v2 = { name: "v2", served: true, storage: true }; // in this order
  const table: readonly (readonly [definition: JsonObject, version: string | undefined])[] = [
    [buildDefinition([v1, v2], []), "v2"],
    [buildDefinition([v1, { ...v2, served: false }], ["v1"]), undefined],
    [buildDefinition([v1, { ...v2, served: false }], ["v2"]), "v2"],
    [buildDefinition([v2], ["v2"]), undefined],
    [buildDefinition([v2], ["v1", "v2"]), "v2"],
    [buildDefinition([v1], ["v0"]), ""],
    [buildDefinition([v1, v2], [], "None"), undefined],
  ];
  for (const [definition, stored] of table) {
    const kept = keepConversionWebhook(definition);
    const resource = { group: "example.com", version: stored, resource: "shops" };
    assert.deepEqual(kept?.resource, stored === undefined ? undefined : resource);
    if (kept !== undefined)
      assert.deepEqual([kept.object.name, kept.path], ["shops.example.com", "spec.conversion.webhook"]);
  }
});

test("a webhook without a backend is a risk if the update's requests call it, and a notice otherwise", () => {
  const [webhook] = keepAdmissionWebhooks({ kind: "Any", metadata: { name: "a" }, webhooks: [{}] }) ?? [];
  assert.ok(webhook);
  const down = { kind: "down", why: "it is gone", service: "shop/policy", lacks: "pods" } as const;
  const table: readonly (readonly [
    kind: "down" | "restarting" | "outside" | "single" | "answers",
    Reach,
    RegExp | "risk" | "none",
  ])[] = [
    ["down", "pods", "risk"],
    ["down", "writes", "risk"],
    ["down", "nothing", /An update makes no such request\.$/],
    ["down", "deletes", /these stay until a backend answers\.$/],
    ["down", "labelled", /doesn't examine whether such objects exist\.$/],
    ["down", "empty", /but no object of the kind exists\./],
    ["restarting", "pods", /^No backend answers for Any a \(webhooks\[0\]\) at the moment\./],
    ["restarting", "writes", / at the moment\./],
    ["restarting", "nothing", "none"],
    ["outside", "pods", /because it is outside the cluster\.$/],
    ["outside", "writes", /because it is outside the cluster\.$/],
    ["outside", "deletes", "none"],
    ["single", "pods", /^Only one pod answers for /],
    ["single", "writes", "none"],
    ["answers", "pods", "none"],
  ];
  for (const [kind, reach, expected] of table) {
    const judged: JudgedWebhook = { webhook, reach, state: kind === "down" ? down : { kind } };
    const notices = buildNotices([judged]);
    assert.equal(isRisk(judged), expected === "risk", `${kind} ${reach}`);
    assert.equal(notices.length, expected === "risk" || expected === "none" ? 0 : 1, `${kind} ${reach}`);
    if (expected instanceof RegExp) assert.match(notices.join(), expected);
  }
});

test("lists the objects of a definition whose webhook is down, whose number decides", () => {
  const definition = keepConversionWebhook(
    buildDefinition(
      [
        { name: "v1", served: true },
        { name: "v2", served: true },
      ],
      [],
    ),
  );
  assert.ok(definition);
  const reads = {
    validating: found<never>(),
    mutating: found<never>(),
    conversions: found(definition),
    namespaces: found<never>(),
    services: found<never>(),
    slices: found<never>(),
  };
  const context = buildContext(version("4.18.5"), release("4.19.2"), NOW);
  assert.deepEqual(Object.keys(check.follow?.(reads, context) ?? {}), ["shops.example.com"]);
  const count = (values: readonly true[]) =>
    check.evaluate(reads, context, { "shops.example.com": found(...values) }).findings?.length;
  assert.deepEqual([count([]), count([true])], [0, 1]);
});

test("lists the kinds that the target ships by a granted right, and says of the others that no role grants them", () => {
  const build = (group: string, strategy = "Webhook", storage = "v1"): JsonObject => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `carts.${group}` },
    spec: {
      group,
      names: { plural: "carts", kind: "Cart" },
      conversion: { strategy, webhook: { clientConfig: { service: { namespace: "gone", name: "gone" } } } },
      versions: ["v1", "v2"].map((name) => ({ name, served: true, storage: name === storage })),
    },
  });
  const crds = [build("a.example.com", "Webhook", "v2"), build("b.example.com", "None")].flatMap(
    (object) => parseCrd(object) ?? [],
  );
  const target = { ...release("4.20.1"), crds };
  assert.deepEqual(check.special?.followedKinds?.select(target), [
    { group: "a.example.com", version: "v2", resource: "carts" },
  ]);
  const installed = ["a.example.com", "b.example.com", "console.openshift.io"].flatMap(
    (group) => keepConversionWebhook(build(group)) ?? [],
  );
  const reads = Object.entries(buildObjectReads(installed, target)).map(([name, read]) => [name, read.isUngranted]);
  assert.deepEqual(reads, [
    ["carts.a.example.com", undefined],
    ["carts.b.example.com", true],
    ["carts.console.openshift.io", undefined],
  ]);
});

test("takes the API server's failure to convert for an object, and no other failure", () => {
  const [read] = Object.values(
    buildObjectReads([{ object: { apiVersion: "", kind: "", name: "a" }, path: "", ...CONVERTED }], release("4.20.1")),
  );
  const keep = (reason: ReadFailure["reason"], message: string) =>
    read?.keepFailure?.({ kind: "failed", reason, message });
  const message = "conversion webhook for example.com/v1beta1, Kind=Cart failed: service not found (500)";
  assert.equal(keep("ServerError", message), true);
  assert.equal(keep("ServerError", "etcdserver: request timed out (500)"), undefined);
  assert.equal(keep("Forbidden", message), undefined);
  const list = { kind: "found", values: [] } as const;
  assert.deepEqual([judgeConversion(undefined), judgeConversion(list)], ["unknown", "empty"]);
  assert.equal(judgeConversion({ ...list, values: [true] }), "writes");
  assert.equal(judgeConversion({ kind: "absent", what: "resource" }), "writes");
});
