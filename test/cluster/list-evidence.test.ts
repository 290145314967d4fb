import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createListEvidence, findListFailure, type RequestedList } from "../../src/cluster/access/list-evidence.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";

const PODS: RequestedList = { subject: "/api/v1/pods was answered", resource: parseResource("v1/pods") };
const HEAD: JsonObject = { apiVersion: "v1", kind: "PodList", metadata: {} };
const pod = (name: string, namespace = "demo"): JsonObject => ({ metadata: { name, namespace } });
const typed = (one: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "Pod", ...one });
const items = [pod("a"), pod("b"), pod("a", "other")];

describe("a list is whole", () => {
  const WHOLE: readonly (readonly [string, JsonObject, Partial<RequestedList>?])[] = [
    ["without metadata, in a recording", { items }, { accepts: "untyped" }],
    [
      "with empty metadata",
      { ...HEAD, metadata: { continue: "", remainingItemCount: 0, resourceVersion: "1" }, items },
    ],
    ["with null fields of metadata", { ...HEAD, metadata: { continue: null, remainingItemCount: null }, items }],
    ["without objects", { ...HEAD, items: [] }],
    ["with null items", { ...HEAD, items: null }],
    ["of one namespace", { ...HEAD, items: [pod("a")] }, { namespace: "demo" }],
    ["of the general kind, with objects", { ...HEAD, kind: "List", items: items.map(typed) }],
    ["of the general kind without any, in an archive", { ...HEAD, kind: "List", items: [] }, { accepts: "anyVersion" }],
    [
      "with a package of two catalogs",
      {
        apiVersion: "packages.operators.coreos.com/v1",
        kind: "PackageManifestList",
        metadata: {},
        items: [pod("a"), pod("a")],
      },
      { resource: parseResource("packages.operators.coreos.com/v1/packagemanifests") },
    ],
  ];
  for (const [what, list, more] of WHOLE)
    test(what, () => assert.equal(findListFailure({ ...PODS, ...more }, list), undefined));
});

describe("a list is not whole", () => {
  const BROKEN: readonly (readonly [string, JsonObject, RegExp, Partial<RequestedList>?])[] = [
    ["that continues", { ...HEAD, metadata: { continue: "x" }, items }, /more objects follow \(metadata.continue\)/],
    ["with an odd token", { ...HEAD, metadata: { continue: 1 }, items }, /more objects follow/],
    ["that lacks objects", { ...HEAD, metadata: { remainingItemCount: 3 }, items: [] }, /3 more objects follow/],
    ["with an odd count", { ...HEAD, metadata: { remainingItemCount: "x" }, items: [] }, /"x" more objects follow/],
    ["without items", HEAD, /it has no items/],
    ["without metadata", { apiVersion: "v1", kind: "PodList", items }, /it has no metadata/],
    ["of the general kind without objects", { ...HEAD, kind: "List", items: [] }, /a kind that shows of what it is/],
    ["with items that are no objects", { ...HEAD, items: [1] }, /it has no items/],
    ["with an object without anything", { ...HEAD, items: [{}] }, /one of its objects has no name/],
    ["with an object without a name", { ...HEAD, items: [pod("a"), pod("")] }, /one of its objects has no name/],
    ["with an object twice", { ...HEAD, items: [...items, pod("b")] }, /demo\/b is in it twice/],
    ["with an object without a namespace", { ...HEAD, items: [...items, pod("c", "")] }, /c has no namespace, unlike/],
    [
      "with an object with a namespace",
      { ...HEAD, items: [pod("c", ""), pod("a")] },
      /demo\/a has a namespace, unlike/,
    ],
    ["with another namespace", { ...HEAD, items }, /other\/a is not of namespace demo/, { namespace: "demo" }],
  ];
  for (const [what, list, message, more] of BROKEN)
    test(what, () => {
      const failure = findListFailure({ ...PODS, ...more }, list);
      assert.equal(failure?.reason, "Incomplete");
      assert.match(failure.message, /^\/api\/v1\/pods was answered with a list that is not whole: /);
      assert.match(failure.message, message);
    });

  for (const [what, list] of [
    ["of another kind", { ...HEAD, kind: "NodeList", items: [] }],
    ["of another version", { ...HEAD, apiVersion: "v2", items: [] }],
    ["with an object of another kind", { ...HEAD, items: [{ ...pod("a"), apiVersion: "v1", kind: "Node" }] }],
  ] as const)
    test(what, () => assert.equal(findListFailure(PODS, list)?.reason, "NotUnderstood"));
});

describe("pages", () => {
  const page = (token: string, remaining?: number): JsonObject => ({
    ...HEAD,
    metadata: { continue: token, ...(remaining === undefined ? {} : { remainingItemCount: remaining }) },
  });
  const named = (name: string): JsonObject => typed(pod(name));

  test("may say how many objects follow, as long as some do", () => {
    const evidence = createListEvidence(PODS);
    assert.deepEqual(
      [
        evidence.addItem(named("a")),
        evidence.endPage(page("1", 2)),
        evidence.addItem(named("b")),
        evidence.endPage(page("2", 7)),
        evidence.addItem(named("c")),
        evidence.endPage(page("")),
      ],
      Array(6).fill(undefined),
    );
    const cut = createListEvidence(PODS);
    assert.equal(cut.endPage(page("1", 2)), undefined);
    assert.match(
      cut.endPage(page(""))?.message ?? "",
      /2 more objects follow \(metadata.remainingItemCount\), and they don't/,
    );
  });

  test("have no object twice, and none is its own next one", () => {
    const evidence = createListEvidence(PODS);
    assert.equal(evidence.addItem(named("a")), undefined);
    assert.equal(evidence.endPage(page("1")), undefined);
    assert.match(evidence.addItem(named("a"))?.message ?? "", /demo\/a is in it twice/);
    assert.match(evidence.endPage(page("1"))?.message ?? "", /a page names itself as the next one/);
  });
});
