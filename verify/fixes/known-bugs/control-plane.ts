import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");

function features(featureSet: string): JsonObject {
  return buildObject("config.openshift.io/v1", "FeatureGate", "cluster", { spec: { featureSet } });
}

function routes(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, i) => buildObject("route.openshift.io/v1", "Route", `demo/web-${i}`));
}

function migration(resource: string, condition: string): JsonObject {
  return buildObject("migration.k8s.io/v1alpha1", "StorageVersionMigration", resource, {
    spec: { resource: { group: "flowcontrol.apiserver.k8s.io", resource, version: "v1beta3" } },
    status: { conditions: [{ type: condition, status: "True" }] },
  });
}

export const CONTROL_PLANE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "etcd-v3-storage": { hit: [], hitHistory: ["4.19.9"], miss: [], missHistory: ["4.20.15", "4.20.9"] },
  "etcd-backup-mount": { hit: [AWS], miss: [infrastructure("AWS", "External")] },
  "service-account-secrets": { hit: [], miss: [], versionsOnly: true },
  "flow-control-storage": {
    hit: [migration("flowschemas", "Succeeded"), migration("prioritylevelconfigurations", "Running")],
    hitHistory: ["4.8.57"],
    remedied: [migration("flowschemas", "Succeeded"), migration("prioritylevelconfigurations", "Succeeded")],
    miss: [],
    missHistory: ["4.9.0"],
  },
  "signature-stores": { hit: [AWS, features("")], miss: [AWS, features("TechPreviewNoUpgrade")] },
  "router-reloads": {
    hit: routes(500),
    miss: [...routes(499), buildObject("route.openshift.io/v1", "Route", "openshift-console/console")],
  },
};
