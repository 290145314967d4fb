import type { ManifestPath } from "./manifest.ts";

/** "spec.template.spec.containers[0].ports", and "metadata.labels[app.kubernetes.io/name]" for a key with a dot. */
export function formatManifestPath(path: ManifestPath): string {
  const parts = path.map((step) => (typeof step === "number" || !/^[\w$-]+$/.test(step) ? `[${step}]` : `.${step}`));
  return parts.join("").replace(/^\./, "");
}
