import type { JsonObject } from "../../../src/model/json.ts";
import { csv, type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

const HOSTED = infrastructure("AWS", "External");
const STANDALONE = infrastructure("AWS");
const METALLB = csv("metallb-operator.v4.18.0-202501010000", "4.18.0-202501010000");

function service(type: string): JsonObject {
  return buildObject("v1", "Service", "demo/web", { spec: { type } });
}

function proxy(httpProxy: string): JsonObject {
  return buildObject("config.openshift.io/v1", "Proxy", "cluster", { spec: { httpProxy } });
}

export const HOSTED_FIXTURES: Readonly<Record<string, Fixture>> = {
  "hosted-api-port-443": { hit: [HOSTED], miss: [STANDALONE] },
  "hosted-node-pool-skew": { hit: [HOSTED], miss: [STANDALONE] },
  "hosted-progressing-condition": { hit: [HOSTED], miss: [STANDALONE] },
  "hosted-proxy-scheme": { hit: [HOSTED, proxy("http://proxy.example")], miss: [HOSTED, proxy("")] },
  "hosted-version-operator-metrics": { hit: [HOSTED], miss: [STANDALONE] },
  "hosted-metallb-frr": { hit: [HOSTED, METALLB], miss: [STANDALONE, METALLB] },
  "hosted-aws-load-balancers": { hit: [HOSTED, service("LoadBalancer")], miss: [HOSTED, service("ClusterIP")] },
  "hosted-redundant-router": { hit: [infrastructure("None", "External")], miss: [HOSTED] },
};
