import { type JsonObject, flagAt, textAt } from "../model/json.ts";
import { groupOf, type PayloadManifest } from "./payload.ts";

/** Does the first of the cluster's overrides for this object take it from the operator? An override's namespace counts for namespaced objects only. */
export function isUnmanaged(manifest: PayloadManifest, overrides: readonly JsonObject[]): boolean {
  const match = overrides.find(
    (override) =>
      (textAt(override, "group") ?? "") === groupOf(manifest) &&
      textAt(override, "kind") === manifest.kind &&
      textAt(override, "name") === manifest.name &&
      (manifest.namespace === undefined || textAt(override, "namespace") === manifest.namespace),
  );
  return match !== undefined && flagAt(match, "unmanaged") === true;
}
