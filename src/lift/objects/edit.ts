import type { JsonObject } from "../../model/json.ts";

/**
 * What to send. A "patch" is a JSON merge patch: null takes a key away, lists are replaced whole. Its metadata.resourceVersion
 * makes the API server refuse it (409) where somebody else has written in between.
 */
export type Edit =
  | { readonly kind: "patch"; readonly patch: JsonObject }
  | { readonly kind: "create"; readonly object: JsonObject }
  | { readonly kind: "delete"; readonly preconditions: JsonObject }
  | { readonly kind: "unchanged" }
  /** A wrong use, in one line. */
  | { readonly kind: "refused"; readonly message: string };

export function refuseEdit(message: string): Extract<Edit, { kind: "refused" }> {
  return { kind: "refused", message };
}
