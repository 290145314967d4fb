import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { type Json, textsAt } from "../../src/model/json.ts";

const FOLDER = join(import.meta.dirname, "../../deploy/fleet/ocm/workload");
const RESULT = { group: "", resource: "configmaps", name: "preflight-result", namespace: "preflight-fleet" };
const CRON_JOB = { group: "batch", resource: "cronjobs", name: "preflight", namespace: "preflight-fleet" };

/** What puts the workload on every managed cluster and brings its verdict back to the hub. */
export function buildManifestWorkReplicaSet(clusterRole: object): object {
  const kustomization: Json = JSON.parse(JSON.stringify(load(read("kustomization.yaml"))));
  const manifests = textsAt(kustomization, "resources").flatMap((file) =>
    file === "clusterrole.yaml" ? [clusterRole] : loadAll(read(file)).filter((one) => one !== null),
  );
  return {
    apiVersion: "work.open-cluster-management.io/v1alpha1",
    kind: "ManifestWorkReplicaSet",
    metadata: { name: "preflight", namespace: "preflight-fleet-hub" },
    spec: {
      placementRefs: [{ name: "preflight" }],
      manifestWorkTemplate: {
        workload: { manifests },
        manifestConfigs: [
          {
            resourceIdentifier: RESULT,
            // The work agent must not take the result back to what it was at first.
            updateStrategy: { type: "CreateOnly" },
            feedbackRules: [
              {
                type: "JSONPaths",
                jsonPaths: [
                  { name: "verdict", path: ".data.verdict" },
                  { name: "document", path: ".data.document" },
                ],
              },
            ],
          },
          {
            resourceIdentifier: CRON_JOB,
            feedbackRules: [
              { type: "JSONPaths", jsonPaths: [{ name: "lastSuccessfulTime", path: ".status.lastSuccessfulTime" }] },
            ],
          },
        ],
      },
    },
  };
}

function read(file: string): string {
  return readFileSync(join(FOLDER, file), "utf8");
}
