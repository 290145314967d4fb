import type { JsonObject } from "../../src/model/json.ts";

/** The kinds of OLM that seeded clusters lack. */
export function buildOlmCrds(): readonly JsonObject[] {
  return [
    buildCrd("subscription", "Subscription", "v1alpha1"),
    buildCrd("operatorcondition", "OperatorCondition", "v2"),
  ];
}

function buildCrd(singular: string, kind: string, version: string): JsonObject {
  const group = "operators.coreos.com";
  const plural = `${singular}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
