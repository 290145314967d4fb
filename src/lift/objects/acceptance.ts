import { type JsonObject, compareText, formatCanonicalJson, objectAt, objectsAt } from "../../model/json.ts";
import { nameOf } from "./cluster-updates.ts";
import { buildOptimisticLock } from "./cluster-version.ts";
import { type Edit, refuseEdit } from "./edit.ts";
import type { GatedFields } from "./gated-fields.ts";
import { MAX_ACCEPTED_RISKS, MAX_RISK_NAME } from "./limits.ts";

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
