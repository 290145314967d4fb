import assert from "node:assert/strict";
import { type Crd, parseCrd } from "../../../src/model/crd.ts";
import type { JsonObject } from "../../../src/model/json.ts";

export const WIDGET_NAMES = { plural: "widgets", kind: "Widget", listKind: "WidgetList", singular: "widget" };

export function buildCrd(
  versions: readonly JsonObject[],
  storedVersions: readonly string[] = [],
  spec: JsonObject = {},
): Crd {
  const crd = parseCrd({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names: WIDGET_NAMES, versions, ...spec },
    status: { storedVersions },
  });
  assert.ok(crd);
  return crd;
}

/** "v1" is served, "v1-" is not, and "v1*" is stored. */
export function parseVersions(texts: string): readonly JsonObject[] {
  return texts.split(" ").map((text) => ({
    name: text.replaceAll(/[-*]/g, ""),
    served: !text.includes("-"),
    storage: text.includes("*"),
  }));
}
