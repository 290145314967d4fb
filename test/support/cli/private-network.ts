import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { type JsonObject, objectAt, parseObject } from "../../../src/model/json.ts";
import { type MockServer, serve, writeKubeconfig } from "../cluster/mock-server.ts";
import { sendJson } from "../../../verify/api-server/api-responses.ts";
import type { CertificateAuthority } from "../../../verify/api-server/certificates.ts";
import { startFaultServer } from "../../../verify/reliability/fault-server.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import { createTestAuthority } from "../registry.ts";
import { buildConfigMap } from "./demo-image.ts";

/** The name of the private servers: only a proxy finds it. */
export const NAME = "updates.lab.test";
const CONFIG = "/apis/config.openshift.io/v1";
export const PROXY = `${CONFIG}/proxies/cluster`;
export const BUNDLE = "/api/v1/namespaces/openshift-config-managed/configmaps/trusted-ca-bundle";
const CLUSTER_VERSION = `${CONFIG}/clusterversions/version`;

export type UpdateService = {
  readonly authority: CertificateAuthority;
  readonly server: MockServer;
  /** Its address on loopback, which no proxy is asked for. */
  readonly address: string;
  /** Its address by a name that only a proxy finds. */
  readonly named: string;
};

/** An update service that offers nothing, with a certificate of its own authority. */
export async function startUpdateService(t: TestContext): Promise<UpdateService> {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("updates", `IP:127.0.0.1,DNS:${NAME}`);
  const empty = { nodes: [], edges: [], conditionalEdges: [] };
  const server = await serve(t, (_, response) => sendJson(response, empty), { cert, key });
  return { authority, server, address: `${server.url}/graph`, named: `https://${NAME}:${server.port}/graph` };
}

export function buildBundle(pem: string): JsonObject {
  return buildConfigMap("openshift-config-managed", "trusted-ca-bundle", { data: { "ca-bundle.crt": pem } });
}

export function buildProxy(status: JsonObject): Readonly<Record<typeof PROXY, JsonObject>> {
  const metadata = { name: "cluster" };
  return { [PROXY]: { apiVersion: "config.openshift.io/v1", kind: "Proxy", metadata, spec: {}, status } };
}

/** The demo's cluster with this update service and these objects. */
export function buildRecording(upstream: string, objects: JsonObject = {}): JsonObject {
  const cluster = parseObject(readFileSync("demo/cluster.json", "utf8"));
  const version = objectAt(cluster, CLUSTER_VERSION);
  const changed = { ...version, spec: { ...objectAt(version, "spec"), upstream } };
  return { ...cluster, [CLUSTER_VERSION]: changed, ...buildProxy({}), ...objects };
}

/** Serves that cluster; returns a kubeconfig for it. */
export async function startCluster(t: TestContext, upstream: string, objects: JsonObject = {}): Promise<string> {
  const options = { isStruck: () => false, fault: () => {}, times: 0 };
  const server = await startFaultServer(buildRecording(upstream, objects), options);
  t.after(() => server.close());
  return writeKubeconfig(t, { cluster: { server: server.url } });
}

export const FORBIDDEN = { error: "403 forbidden" };
/** What a command says that got the graph. */
export const ASKED =
  /no updates lead from 4\.17\.20 to 4\.19 in the channel stable-4\.17: the update service offers no update/;

type Env = Readonly<Record<string, string>>;
const checkTo = (kubeconfig: string, args: readonly string[] = [], env: Env = {}) =>
  runPreflight(["check", "--kubeconfig", kubeconfig, "--to", "4.19", ...args], env);

/** How to do without the graph, in the line of every check that did not get it. */
export const WITHOUT_GRAPH =
  "; name a graph's file or another address with --graph, or the release's folder with --target\n";

/** The one line of a check that did not get the graph, up to how to do without it. */
export async function fail(kubeconfig: string, args: readonly string[] = [], env: Env = {}): Promise<string> {
  const { code, out, err } = await checkTo(kubeconfig, args, env);
  assert.deepEqual([code, out], [1, ""], err);
  assert.match(err, /^[^\n]+\n$/);
  assert.ok(err.endsWith(WITHOUT_GRAPH), err);
  return err.slice(0, -WITHOUT_GRAPH.length);
}

export async function succeed(kubeconfig: string, args: readonly string[] = [], env: Env = {}): Promise<void> {
  const { code, err } = await checkTo(kubeconfig, args, env);
  assert.deepEqual([code, ASKED.test(err)], [2, true], err);
}
