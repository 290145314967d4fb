// The one kind with very many objects: as `seed.sh --scale` stores it in a control plane, and as a mock serves it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

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

function buildCrd(schema: object): object {
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

/** The CRD to check: with a limit and two rules that the installed one lacks, and that every object keeps. */
export function buildTargetCrd(): object {
  const { spec, status } = SCHEMA.properties;
  const properties = { ...spec.properties, text: { type: "string", maxLength: 1_000 } };
  const withRules = { ...spec, properties, "x-kubernetes-validations": RULES };
  return buildCrd({ ...SCHEMA, properties: { spec: withRules, status } });
}

const TEXT = "x".repeat(400);
const NAMESPACES = 100;

function formatWidget(index: number): string {
  const [mode, uid] = [["Alpha", "Beta", "Gamma"][index % 3], String(index).padStart(12, "0")];
  return `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"creationTimestamp":"2026-01-15T10:00:00Z","generation":1,"name":"w-${index}","namespace":"load-${index % NAMESPACES}","resourceVersion":"${1_000 + index}","uid":"00000000-0000-4000-8000-${uid}"},"spec":{"mode":"${mode}","size":${index},"text":"${TEXT}"}}`;
}

export type MockCluster = {
  readonly url: string;
  /** Of lists of widgets, since the last call. */
  readonly takeRequests: () => number;
  readonly setCount: (count: number) => void;
  readonly close: () => void;
};

/** A cluster of Kubernetes that has nothing but this kind. Objects are made for each request, so that it holds none of them. */
export async function startMockCluster(): Promise<MockCluster> {
  let [count, requests] = [0, 0];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const isList = url.pathname === WIDGETS_PATH;
    if (isList) requests++;
    const body = isList ? formatPage(url, count) : ANSWERS[url.pathname];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body ?? NOT_FOUND);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    setCount: (objects) => void (count = objects),
    close: () => void server.close(),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function formatPage(url: URL, count: number): string {
  const start = Number(url.searchParams.get("continue") ?? "0");
  const end = Math.min(count, start + Number(url.searchParams.get("limit") ?? count));
  const items = Array.from({ length: end - start }, (_, i) => formatWidget(start + i));
  const next = end < count ? `"continue":"${end}",` : "";
  return `{"apiVersion":"${GROUP}/v1","items":[${items.join(",")}],"kind":"WidgetList","metadata":{${next}"resourceVersion":"1"}}`;
}

const CRD_LIST = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinitionList",
  metadata: { resourceVersion: "1" },
  items: [buildCrd(SCHEMA)],
};

const ANSWERS: Readonly<Record<string, string>> = {
  "/version": '{"major":"1","minor":"35","gitVersion":"v1.35.2"}',
  "/apis": '{"kind":"APIGroupList","apiVersion":"v1","groups":[]}',
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": JSON.stringify(CRD_LIST),
};

const NOT_FOUND = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}';
