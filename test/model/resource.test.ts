import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ObjectRef,
  type Resource,
  buildRefKey,
  buildResourcePath,
  compareRefs,
  formatGroupResource,
  formatRef,
  formatResource,
  getGroup,
  parseResource,
  refOf,
} from "../../src/model/resource.ts";

const NODES: Resource = { group: "", version: "v1", resource: "nodes" };
const DEPLOYMENTS: Resource = { group: "apps", version: "v1", resource: "deployments" };

test("a resource is written in three ways, and the core group in none of them", () => {
  const resources = [NODES, DEPLOYMENTS];
  assert.deepEqual(resources.map(formatResource), ["v1/nodes", "apps/v1/deployments"]);
  assert.deepEqual(resources.map(formatResource).map(parseResource), resources);
  assert.deepEqual(resources.map(formatGroupResource), ["nodes", "deployments.apps"]);
  for (const text of ["", "nodes", "v1/", "/nodes", "apps/v1/", "apps//deployments", "a/v1/b/c"])
    assert.throws(() => parseResource(text), new Error(`${text} names no resource`));
});

test("a path leads to a kind, to its objects in a namespace, or to one object", () => {
  const paths = [
    buildResourcePath(NODES),
    buildResourcePath(NODES, undefined, "a/b"),
    buildResourcePath(DEPLOYMENTS),
    buildResourcePath(DEPLOYMENTS, "n s"),
    buildResourcePath(DEPLOYMENTS, "ns", "a"),
  ];
  assert.deepEqual(paths, [
    "/api/v1/nodes",
    "/api/v1/nodes/a%2Fb",
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/namespaces/n%20s/deployments",
    "/apis/apps/v1/namespaces/ns/deployments/a",
  ]);
});

test("an object's reference has what names it", () => {
  const metadata = { name: "a", namespace: "ns", uid: "1" };
  const named = { apiVersion: "v1", kind: "Pod", namespace: "ns", name: "a" };
  assert.deepEqual(refOf({ apiVersion: "v1", kind: "Pod", metadata }), named);
  const empty = { apiVersion: "", kind: "", name: "" };
  assert.deepEqual(refOf({ metadata: { namespace: "" } }), empty);
});

test("a reference reads as its kind and name", () => {
  const refs: readonly ObjectRef[] = [
    { apiVersion: "v1", kind: "Node", name: "worker-0" },
    { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" },
    { apiVersion: "config.openshift.io/v1", kind: "Proxy", name: "cluster" },
    { apiVersion: "v1", kind: "Pod", namespace: "ns", name: "a" },
  ];
  const texts = ["Node worker-0", "nodes.config.openshift.io cluster", "Proxy cluster", "Pod ns/a"];
  assert.deepEqual(refs.map(formatRef), texts);
  assert.deepEqual(["v1", "apps/v1", ""].map(getGroup), ["", "apps", ""]);
});

test("references are in the order of kind, namespace, name and version, as their keys are", () => {
  const refs: readonly ObjectRef[] = [
    { apiVersion: "v1", kind: "A", name: "z" },
    { apiVersion: "v1", kind: "A", namespace: "m", name: "y" },
    { apiVersion: "v1", kind: "A", namespace: "n", name: "a" },
    { apiVersion: "v1", kind: "A", namespace: "n", name: "b" },
    { apiVersion: "v2", kind: "A", namespace: "n", name: "b" },
    { apiVersion: "v1", kind: "B", name: "a" },
  ];
  assert.deepEqual(refs.toReversed().toSorted(compareRefs), refs);
  const keys = refs.map(buildRefKey);
  assert.deepEqual(keys.toSorted(), keys);
  assert.equal(keys[0], "A\u0000\u0000z\u0000v1");
  assert.equal(compareRefs({ apiVersion: "v1", kind: "A", name: "a" }, { apiVersion: "v1", kind: "A", name: "a" }), 0);
});
