import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";

/** The demo's recorded cluster by API path: an object, a list or a failure. */
type RecordedCluster = Readonly<Record<string, { readonly items?: readonly object[]; readonly error?: string }>>;

export type DemoApi = {
  readonly kubeconfig: string;
  readonly methods: ReadonlySet<string>;
  readonly close: () => void;
};

/** Serves the demo's cluster as plain HTTP on loopback until it is closed. */
export async function startDemoApi(demo: string): Promise<DemoApi> {
  const recorded: RecordedCluster = JSON.parse(await readFile(join(demo, "cluster.json"), "utf8"));
  const methods = new Set<string>();
  const server = createServer((request, response) => {
    methods.add(request.method ?? "");
    sendResponse(recorded, (request.url ?? "/").split("?", 1).join(), response);
  });
  const port = await startListening(server);
  return { kubeconfig: buildKubeconfig(port), methods, close: () => void server.close() };
}

function sendResponse(recorded: RecordedCluster, path: string, response: ServerResponse): void {
  const { error, ...entry } = recorded[path] ?? { error: "404 not found" };
  const code = error === undefined ? 200 : Number.parseInt(error, 10);
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(error === undefined ? buildList(entry) : buildStatus(code, error)));
}

function buildList(entry: { readonly items?: readonly object[] }): object {
  return entry.items ? { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, ...entry } : entry;
}

function buildStatus(code: number, message: string): object {
  return { kind: "Status", apiVersion: "v1", status: "Failure", message, code };
}

function startListening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("listening on no port"));
      else resolve(address.port);
    });
  });
}

function buildKubeconfig(port: number): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "demo",
    clusters: [{ name: "demo", cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: "demo", context: { cluster: "demo", user: "demo" } }],
    users: [{ name: "demo", user: {} }],
  });
}
