import type { ManifestPath, ManifestPlace } from "./manifest.ts";

/** "spec.template.spec.containers[0].ports", and "metadata.labels[app.kubernetes.io/name]" for a key with a dot. */
export function formatManifestPath(path: ManifestPath): string {
  const parts = path.map((step) => (typeof step === "number" || !/^[\w$-]+$/.test(step) ? `[${step}]` : `.${step}`));
  return parts.join("").replace(/^\./, "");
}

/** "deploy/a.yaml:12:5"; of rendered output, with the template that it was made from. */
export function formatManifestPlace({ file, line, column, source }: ManifestPlace): string {
  return `${file}:${line}:${column}${source === undefined ? "" : ` (from ${source})`}`;
}
