// The one kind with very many objects: as `seed.sh --scale` stores it in a control plane, and as a mock serves it.
import type { JsonObject } from "../../src/model/json.ts";
import { CRDS, type MockCluster, type MockList, startMockCluster } from "./mock-cluster.ts";

const GROUP = "load.preflight.test";
export const WIDGETS_PATH = `/apis/${GROUP}/v1/widgets`;

const SCHEMA = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        mode: { type: "string", enum: ["Alpha", "Beta", "Gamma"] },
        size: { type: "integer", minimum: 0 },
        text: { type: "string" },
      },
    },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

const RULES = [
  { rule: "self.mode != 'Gamma' || self.size >= 0", message: "Gamma needs a size" },
  { rule: "self.text.size() <= 1000", message: "the text is too long" },
];

function buildCrd(schema: JsonObject): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
      versions: [
        { name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
      ],
    },
    status: { storedVersions: ["v1"], acceptedNames: { kind: "Widget", plural: "widgets" } },
  };
}

export function buildInstalledCrd(): JsonObject {
  return buildCrd(SCHEMA);
}

/** The CRD to check: with a limit and two rules that the installed one lacks, and that every object keeps. */
export function buildTargetCrd(rules: readonly JsonObject[] = RULES): JsonObject {
  const { spec, status } = SCHEMA.properties;
  const properties = { ...spec.properties, text: { type: "string", maxLength: 1_000 } };
  const withRules = { ...spec, properties, "x-kubernetes-validations": rules };
  return buildCrd({ ...SCHEMA, properties: { spec: withRules, status } });
}

const TEXT = "x".repeat(400);
const NAMESPACES = 100;

export function formatWidget(index: number): string {
  const mode = ["Alpha", "Beta", "Gamma"][index % 3];
  const uid = String(index).padStart(12, "0");
  return `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"creationTimestamp":"2026-01-15T10:00:00Z","generation":1,"name":"w-${index}","namespace":"load-${index % NAMESPACES}","resourceVersion":"${1_000 + index}","uid":"00000000-0000-4000-8000-${uid}"},"spec":{"mode":"${mode}","size":${index},"text":"${TEXT}"}}`;
}

/** A cluster that has nothing but this kind. */
export async function startWidgetCluster(): Promise<MockCluster & { readonly setCount: (count: number) => void }> {
  const widgets: MockList & { count: number } = {
    apiVersion: `${GROUP}/v1`,
    kind: "Widget",
    path: WIDGETS_PATH,
    count: 0,
    format: formatWidget,
  };
  const installed = JSON.stringify(buildInstalledCrd());
  const cluster = await startMockCluster([widgets, { ...CRDS, count: 1, format: () => installed }]);
  return { ...cluster, setCount: (count) => void (widgets.count = count) };
}
