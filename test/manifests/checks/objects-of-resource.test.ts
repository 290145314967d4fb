import assert from "node:assert/strict";
import { test } from "node:test";
import { createResourceMatcher, isOfVersion } from "../../../src/manifests/checks/objects-of-resource.ts";
import { parseCrd } from "../../../src/model/crd.ts";
import { parseResource } from "../../../src/model/resource.ts";

const CRD = parseCrd({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "geese.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "geese", kind: "Goose" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
});

for (const [resource, apiVersion, kind, isOfKind, isOfItsVersion] of [
  ["apps/v1/deployments", "apps/v1", "Deployment", true, true],
  ["apps/v1/deployments", "apps/v1beta1", "Deployment", true, false],
  ["apps/v1/deployments", "apps/v1", "DaemonSet", false, true],
  ["apps/v1/deployments", "extensions/v1beta1", "Deployment", false, false],
  ["v1/events", "v1", "Event", true, true],
  ["events.k8s.io/v1/events", "events.k8s.io/v1", "Event", true, true],
  ["autoscaling/v2beta2/horizontalpodautoscalers", "autoscaling/v2", "HorizontalPodAutoscaler", true, false],
  ["example.com/v1/geese", "example.com/v1", "Goose", true, true],
  ["example.com/v2/geese", "example.com/v1", "Goose", true, false],
  ["route.openshift.io/v1/routes", "route.openshift.io/v1", "Route", true, true],
] as const)
  test(`${apiVersion} ${kind} is ${isOfKind ? "" : "not "}of ${resource}`, () => {
    const parsed = parseResource(resource);
    const object = { apiVersion, kind };
    const crds = CRD === undefined ? [] : [CRD].flat();
    assert.equal(createResourceMatcher(parsed, crds)(object), isOfKind);
    assert.equal(isOfVersion(object, parsed), isOfItsVersion);
  });
