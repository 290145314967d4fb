import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A ConfigMap of checks as a component has it in the payload. */
export function buildChecksManifest(data: Readonly<Record<string, string>>, format = "v1alpha1"): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      namespace: "openshift-storage",
      name: "preflight-checks",
      labels: { "preflight.openshift.io/checks": format },
      annotations: {
        "include.release.openshift.io/ibm-cloud-managed": "true",
        "include.release.openshift.io/self-managed-high-availability": "true",
      },
    },
    data,
  };
}

/** Adds it to the folder of a payload; returns what takes it away again. */
export function addPayloadChecks(folder: string, manifest: object): () => void {
  const manifests = join(folder, "release-manifests");
  const file = join(existsSync(manifests) ? manifests : folder, "0000_50_storage_checks.json");
  writeFileSync(file, JSON.stringify(manifest));
  return () => rmSync(file);
}
