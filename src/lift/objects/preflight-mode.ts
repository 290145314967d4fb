import { type JsonObject, at, listAt, objectAt, textAt } from "../../model/json.ts";
import { buildOptimisticLock } from "./cluster-version.ts";
import { type Edit, refuseEdit } from "./edit.ts";
import type { GatedFields } from "./gated-fields.ts";
import type { RequestedPayload } from "./payload.ts";

const PREFLIGHT_MODE = "Preflight";

export function isPreflightMode(clusterVersion: JsonObject): boolean {
  return textAt(clusterVersion, "spec", "desiredUpdate", "mode") === PREFLIGHT_MODE;
}

/**
 * The patch that requests a preflight through spec.desiredUpdate.mode. An operator that doesn't know the mode would start an update, and an
 * API server without the field would drop it, with the same effect. So both must support it, and no update may be requested.
 */
export function buildModeEdit(
  clusterVersion: JsonObject,
  fields: GatedFields,
  isSupported: boolean,
  payload: RequestedPayload,
): Edit {
  if (!fields.mode)
    return refuseEdit(
      "This cluster's ClusterVersion has no spec.desiredUpdate.mode. Without the mode the request would start an update.",
    );
  if (!isSupported)
    return refuseEdit(
      "The cluster-version operator does not advertise the mode Preflight, so it would start an update.",
    );
  if (payload.kind === "refused") return refuseEdit(payload.message);
  const currentUpdate = objectAt(clusterVersion, "spec", "desiredUpdate");
  if (hasUpdateTarget(currentUpdate) && !isPreflightMode(clusterVersion))
    return refuseEdit("spec.desiredUpdate already requests an update, which a preflight must not replace.");
  const version = payload.version ?? null;
  const preflightUpdate = { mode: PREFLIGHT_MODE, version, image: payload.image, architecture: null, force: null };
  const isUnchanged = Object.entries(preflightUpdate).every(
    ([key, value]) => (at(currentUpdate, key) ?? null) === value,
  );
  if (isUnchanged) return { kind: "unchanged" };
  return { kind: "patch", patch: { ...buildOptimisticLock(clusterVersion), spec: { desiredUpdate: preflightUpdate } } };
}

/** The patch that ends a preflight requested by mode. It removes mode and target together, since a lone target is an update; accepted risks stay. */
export function buildClearModeEdit(clusterVersion: JsonObject): Edit {
  if (!isPreflightMode(clusterVersion)) return { kind: "unchanged" };
  const isAccepting = listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").length > 0;
  const { acceptRisks: _, ...request } = objectAt(clusterVersion, "spec", "desiredUpdate");
  const cleared = Object.fromEntries(Object.keys(request).map((key) => [key, null]));
  return {
    kind: "patch",
    patch: { ...buildOptimisticLock(clusterVersion), spec: { desiredUpdate: isAccepting ? cleared : null } },
  };
}

function hasUpdateTarget(currentUpdate: JsonObject): boolean {
  return ["version", "image", "architecture"].some((key) => (textAt(currentUpdate, key) ?? "") !== "");
}
