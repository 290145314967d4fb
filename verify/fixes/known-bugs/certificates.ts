import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

const PROXY = "config.openshift.io/v1";
const MC = "machineconfiguration.openshift.io/v1";

function constraints(name: string, generation: number): JsonObject {
  return buildObject("security.openshift.io/v1", "SecurityContextConstraints", name, { metadata: { generation } });
}

function registry(managementState: string): JsonObject {
  return buildObject("imageregistry.operator.openshift.io/v1", "Config", "cluster", { spec: { managementState } });
}

function account(annotation: string): JsonObject {
  return buildObject("v1", "ServiceAccount", "demo/web", { metadata: { annotations: { [annotation]: "x" } } });
}

const REDIRECT = account("serviceaccounts.openshift.io/oauth-redirectreference.first");

const RENDERED = buildObject(MC, "MachineConfig", "rendered-worker-1", { spec: { fips: true } });

export const CERTIFICATES_FIXTURES: Readonly<Record<string, Fixture>> = {
  "proxy-leaks-connections": {
    hit: [buildObject(PROXY, "Proxy", "cluster", { status: { httpsProxy: "http://proxy.example" } })],
    miss: [buildObject(PROXY, "Proxy", "cluster", { spec: {}, status: {} })],
  },
  "fips-certificates": {
    hit: [buildObject(MC, "MachineConfig", "99-worker-fips", { spec: { fips: true } })],
    miss: [buildObject(MC, "MachineConfig", "99-worker-fips", { spec: { fips: false } })],
    otherHits: [{ hit: [infrastructure("AWS", "External"), RENDERED] }],
    otherMisses: [{ miss: [infrastructure("AWS"), RENDERED] }],
  },
  "strict-pod-security": { hit: [], miss: [], versionsOnly: true },
  "reconciled-constraints": {
    hit: [constraints("anyuid", 3)],
    miss: [constraints("anyuid", 1), constraints("own", 3)],
  },
  "api-certificate-rotation": { hit: [], hitHistory: ["4.7.60"], miss: [], missHistory: ["4.8.0"] },
  "service-account-oauth": {
    hit: [registry("Removed"), REDIRECT],
    miss: [registry("Managed"), REDIRECT],
    otherHits: [{ hit: [REDIRECT] }],
  },
  "node-certificates-not-approved": { hit: [], hitHistory: ["4.13.1"], miss: [], missHistory: ["4.14.0"] },
};
