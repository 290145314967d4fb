import { findRunningVersion } from "../../model/cluster-version.ts";
import type { JsonObject } from "../../model/json.ts";
import { at, compareText, formatCanonicalJson, listAt, objectAt, objectsAt, textAt } from "../../model/json.ts";
import { buildOptimisticLock, nameOf } from "./cluster-version.ts";
import type { GatedFields } from "./gated-fields.ts";
import { MAX_ACCEPTED_RISKS, MAX_RISK_NAME } from "./limits.ts";
import type { RequestedPayload } from "./payload.ts";

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

/** A change of the accepted risks: "A,B-" adds A and removes B. */
export type AcceptanceChange =
  | { readonly kind: "change"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: "replace"; readonly names: readonly string[] }
  | { readonly kind: "clear" };

export type AcceptanceOptions = { readonly replace?: boolean; readonly clear?: boolean };

/** Parses the arguments of `accept` as `oc adm upgrade accept` does. */
export function parseAcceptance(
  list: string | undefined,
  { replace = false, clear = false }: AcceptanceOptions,
): AcceptanceChange | Extract<Edit, { kind: "refused" }> {
  if (clear && replace) return refuseEdit("--clear and --replace are mutually exclusive.");
  if (clear) return list === undefined ? { kind: "clear" } : refuseEdit("--clear takes no risk names.");
  if (list === undefined) return refuseEdit("Name the risks to accept, separated by commas, or use --clear.");
  const names = list.split(",").map((name) => name.trim());
  const invalid = names.find((name) => name === "" || name === "-" || /\s/.test(name));
  if (invalid !== undefined) return refuseEdit(`"${invalid}" is not a risk name.`);
  const remove = names.filter((name) => name.endsWith("-")).map((name) => name.slice(0, -1));
  const add = names.filter((name) => !name.endsWith("-"));
  if (replace)
    return remove.length > 0
      ? refuseEdit("--replace takes only names to accept: omit the names that end in -.")
      : { kind: "replace", names: add };
  const both = add.find((name) => remove.includes(name));
  return both === undefined ? { kind: "change", add, remove } : refuseEdit(`${both} is both added and removed.`);
}

/** The patch that changes spec.desiredUpdate.acceptRisks and no other field, so that it can neither start nor change an update. */
export function buildAcceptEdit(clusterVersion: JsonObject, fields: GatedFields, acceptance: AcceptanceChange): Edit {
  if (!fields.acceptRisks)
    return refuseEdit(
      "This cluster's ClusterVersion has no spec.desiredUpdate.acceptRisks, so its feature set does not support accepting risks.",
    );
  const present = objectsAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks");
  const desired = buildAcceptRisks(present, acceptance);
  const tooLong = desired.map(nameOf).find((name) => [...name].length > MAX_RISK_NAME);
  if (tooLong !== undefined) return refuseEdit(`${tooLong} is longer than ${MAX_RISK_NAME} characters.`);
  if (desired.length > MAX_ACCEPTED_RISKS)
    return refuseEdit(`ClusterVersion holds at most ${MAX_ACCEPTED_RISKS} accepted risks.`);
  if (formatCanonicalJson(desired) === formatCanonicalJson(present)) return { kind: "unchanged" };
  return {
    kind: "patch",
    patch: {
      ...buildOptimisticLock(clusterVersion),
      spec: { desiredUpdate: buildDesiredUpdate(clusterVersion, desired) },
    },
  };
}

/** Present entries keep their place and other fields; new names follow, sorted. */
function buildAcceptRisks(present: readonly JsonObject[], acceptance: AcceptanceChange): readonly JsonObject[] {
  if (acceptance.kind === "clear") return [];
  const isKept =
    acceptance.kind === "replace"
      ? (name: string): boolean => acceptance.names.includes(name)
      : (name: string): boolean => !acceptance.remove.includes(name);
  const kept = present.filter((entry) => isKept(nameOf(entry)));
  const names = new Set(acceptance.kind === "replace" ? acceptance.names : acceptance.add);
  const added = [...names].filter((name) => !kept.some((entry) => nameOf(entry) === name));
  return [...kept, ...added.toSorted(compareText).map((name) => ({ name }))];
}

/** The API rejects an empty list, and an empty desiredUpdate would remain. */
function buildDesiredUpdate(clusterVersion: JsonObject, desired: readonly JsonObject[]): JsonObject | null {
  if (desired.length > 0) return { acceptRisks: desired };
  const { acceptRisks: _, ...others } = objectAt(clusterVersion, "spec", "desiredUpdate");
  return Object.keys(others).length > 0 ? { acceptRisks: null } : null;
}

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

/** ClusterVersion's annotation by which the update page of OpenShift's console asks for an analysis: the version to update to. */
export const PROPOSED_UPDATE = "agentic.openshift.io/propose-update";

/** Nobody takes the annotation away, so one for the running version asks for nothing any longer. */
export function findProposedVersion(clusterVersion: JsonObject): string | undefined {
  const version = textAt(clusterVersion, "metadata", "annotations", PROPOSED_UPDATE) ?? "";
  return version === "" || version === findRunningVersion(clusterVersion) ? undefined : version;
}
