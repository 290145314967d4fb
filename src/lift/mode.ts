import { type JsonObject, at, listAt, objectAt, textAt } from "../model/json.ts";
import { lockOf } from "./cluster-version.ts";
import { type Edit, refused } from "./edit.ts";
import type { CrdFields } from "./fields.ts";
import type { Payload } from "./target.ts";

const PREFLIGHT = "Preflight";

export function isByMode(clusterVersion: JsonObject): boolean {
  return textAt(clusterVersion, "spec", "desiredUpdate", "mode") === PREFLIGHT;
}

/**
 * The patch that asks for a preflight by spec.desiredUpdate.mode. An operator that doesn't know the mode would start a real update, and
 * an API server without the field drops it, with the same end: so both must be known to support it, and no update may be asked for.
 */
export function modeEdit(clusterVersion: JsonObject, fields: CrdFields, supported: boolean, payload: Payload): Edit {
  if (!fields.mode)
    return refused(
      "ClusterVersion of this cluster has no spec.desiredUpdate.mode: without it the same request would start an update.",
    );
  if (!supported)
    return refused(
      "The running cluster-version operator doesn't say that it supports the mode Preflight: it would start an update.",
    );
  if (payload.kind === "refused") return refused(payload.message);
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  if (isRequest(desired) && !isByMode(clusterVersion))
    return refused("spec.desiredUpdate asks for an update: it is not turned into a preflight.");
  const version = payload.kind === "offered" ? payload.version : null;
  const wanted = { mode: PREFLIGHT, version, image: payload.image, architecture: null, force: null };
  const isThere = Object.entries(wanted).every(([key, value]) => (at(desired, key) ?? null) === value);
  if (isThere) return { kind: "unchanged" };
  return { kind: "patch", patch: { ...lockOf(clusterVersion), spec: { desiredUpdate: wanted } } };
}

/**
 * The patch that ends a preflight asked for by mode. The mode leaves together with the target, since a target without the mode is an
 * update; accepted risks stay.
 */
export function clearModeEdit(clusterVersion: JsonObject): Edit {
  if (!isByMode(clusterVersion)) return { kind: "unchanged" };
  const isAccepting = listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").length > 0;
  const { acceptRisks: _, ...request } = objectAt(clusterVersion, "spec", "desiredUpdate");
  const cleared = Object.fromEntries(Object.keys(request).map((key) => [key, null]));
  return { kind: "patch", patch: { ...lockOf(clusterVersion), spec: { desiredUpdate: isAccepting ? cleared : null } } };
}

function isRequest(desired: JsonObject): boolean {
  return ["version", "image", "architecture"].some((key) => (textAt(desired, key) ?? "") !== "");
}
