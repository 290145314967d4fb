import { globalAgent, type RequestListener } from "node:http";
import type { JsonObject } from "../../../src/model/json.ts";
import type { QueryAnswer, Reader } from "../../../src/model/reader.ts";
import { addMonitoring } from "../../../src/cluster/monitoring/monitoring.ts";
import { sendJson } from "../../../verify/api-server/api-responses.ts";
import { fakeReader, type FakeResponse } from "../../../verify/api-server/fake-reader.ts";
import { neverAborted } from "./mock-server.ts";

export const SERVER_NAME = "thanos-querier.openshift-monitoring.svc";
export const ROUTE_HOST = "thanos-querier.apps.example.com";
export const TOKEN = "the-token-of-the-account";

const NAMESPACE = "/api/v1/namespaces/openshift-monitoring";
export const SERVICE_PATH = `${NAMESPACE}/services/thanos-querier`;
export const ROUTE_PATH = "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes/thanos-querier";
export const SERVICE_CA_PATH = `${NAMESPACE}/configmaps/openshift-service-ca.crt`;
export const INGRESS_CA_PATH = "/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert";

const inMonitoring = (name: string): JsonObject => ({ name, namespace: "openshift-monitoring" });

/** The objects that lead to a monitoring on a port of loopback. */
export function buildMonitoringObjects(port: number, pem: string): Readonly<Record<string, JsonObject>> {
  return {
    [SERVICE_PATH]: {
      apiVersion: "v1",
      kind: "Service",
      metadata: inMonitoring("thanos-querier"),
      spec: {
        clusterIP: "127.0.0.1",
        ports: [
          { name: "tenancy", port: 1 },
          { name: "web", port },
        ],
      },
    },
    [ROUTE_PATH]: {
      apiVersion: "route.openshift.io/v1",
      kind: "Route",
      metadata: inMonitoring("thanos-querier"),
      spec: { host: ROUTE_HOST },
    },
    [SERVICE_CA_PATH]: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: inMonitoring("openshift-service-ca.crt"),
      data: { "service-ca.crt": pem },
    },
    [INGRESS_CA_PATH]: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "default-ingress-cert", namespace: "openshift-config-managed" },
      data: { "ca-bundle.crt": pem },
    },
  };
}

/** The result of a query: one series for each value. */
export function buildVector(...values: readonly string[]): JsonObject {
  const result = values.map((value, i) => ({ metric: { series: `${i}` }, value: [1_700_000_000, value] }));
  return { status: "success", data: { resultType: "vector", result } };
}

/** Answers as thanos-querier does behind its proxy: to nobody without the token. */
export function guardWithToken(answer: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.authorization === `Bearer ${TOKEN}`) return answer(request, response);
    sendJson(response, "Unauthorized", 401);
  };
}

export type AskOptions = {
  readonly access?: "route" | "service";
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The token never comes. */
  readonly hangs?: true;
};

/** A reader of a cluster with these objects that asks its monitoring. */
export function createMonitoredReader(
  objects: Readonly<Record<string, FakeResponse>>,
  { access = "service", headers = { Authorization: `Bearer ${TOKEN}` }, env = {}, hangs }: AskOptions = {},
): Reader & { readonly paths: readonly string[] } {
  const reader = fakeReader(objects);
  const never = new Promise<never>(() => {});
  const connection = { context: "here", getAuth: async () => (hangs ? never : { headers, agent: globalAgent }) };
  return addMonitoring(reader, { access, reader, env, connection, userAgent: "target-release-preflight/1.2.3" });
}

export async function ask(
  expression: string,
  objects: Readonly<Record<string, FakeResponse>>,
  options: AskOptions = {},
): Promise<QueryAnswer> {
  const { query } = createMonitoredReader(objects, options);
  return query === undefined ? { kind: "notAllowed" } : query(expression, options.signal ?? neverAborted);
}
