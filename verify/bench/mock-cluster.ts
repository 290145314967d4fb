import { createServer } from "node:http";
import { listen } from "../shared/loopback.ts";
import { createRecordedApi } from "../api-server/recorded-api.ts";

/** A kind of a mock: the objects are made for each request, so that it holds none of them. */
export type MockList = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly count: number;
  /** The JSON text of one object. */
  readonly format: (index: number) => string;
};

export type MockCluster = {
  readonly url: string;
  /** The lists' requests since the last call. */
  readonly takeRequests: () => number;
  readonly close: () => void;
};

export const CRDS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
} as const;

/** A cluster of Kubernetes without OpenShift that serves these lists, page by page. */
export async function startMockCluster(lists: readonly MockList[], minor = 35): Promise<MockCluster> {
  let requests = 0;
  const answer = createRecordedApi({
    "/version": { major: "1", minor: `${minor}`, gitVersion: `v1.${minor}.2` },
    ...Object.fromEntries(lists.map(({ path }) => [path, { items: [] }])),
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    // By this line its metrics are those of an API server.
    if (url.pathname === "/metrics") return void response.end("# TYPE apiserver_request_total counter\n");
    const list = lists.find(({ path }) => path === url.pathname);
    if (list !== undefined) requests++;
    const { code, body } = list === undefined ? answer(url.pathname) : { code: 200, body: formatPage(url, list) };
    response.writeHead(code, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    close: () => void server.close(),
  };
}

/** As API servers do for custom resources, the metadata come after the items. */
function formatPage(url: URL, { apiVersion, kind, count, format }: MockList): string {
  const start = Number(url.searchParams.get("continue") ?? "0");
  const end = Math.min(count, start + Number(url.searchParams.get("limit") ?? count));
  const items = Array.from({ length: end - start }, (_, i) => format(start + i));
  const next = end < count ? `"continue":"${end}",` : "";
  return `{"apiVersion":"${apiVersion}","items":[${items.join(",")}],"kind":"${kind}List","metadata":{${next}"resourceVersion":"1"}}`;
}
