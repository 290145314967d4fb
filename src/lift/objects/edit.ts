import type { JsonObject } from "../../model/json.ts";

/** A write to send. "patch" is a JSON merge patch; its metadata.resourceVersion makes the API server answer 409 if the object changed. */
export type Edit =
  | { readonly kind: "patch"; readonly patch: JsonObject }
  | { readonly kind: "create"; readonly object: JsonObject }
  | { readonly kind: "delete"; readonly preconditions: JsonObject }
  | { readonly kind: "unchanged" }
  /** A usage error, in one line. */
  | { readonly kind: "refused"; readonly message: string };

export function refuseEdit(message: string): Extract<Edit, { kind: "refused" }> {
  return { kind: "refused", message };
}
