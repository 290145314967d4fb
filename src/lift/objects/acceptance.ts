import {
  type JsonObject,
  compareText,
  formatCanonicalJson,
  isObject,
  listAt,
  objectAt,
  textAt,
} from "../../model/json.ts";
import { buildOptimisticLock } from "./cluster-version.ts";
import { type Edit, refuseEdit } from "./edit.ts";
import type { GatedFields } from "./gated-fields.ts";
import { MAX_ACCEPTED_RISKS, MAX_RISK_NAME } from "./limits.ts";

/** How accepted risks are to change: "A,B-" adds A and takes B back. */
export type Acceptance =
  | { readonly kind: "change"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: "replace"; readonly names: readonly string[] }
  | { readonly kind: "clear" };

export type AcceptanceOptions = { readonly replace?: boolean; readonly clear?: boolean };

/** Reads what `accept` was called with, as `oc adm upgrade accept` does; `list` is absent where no risk was named. */
export function parseAcceptance(
  list: string | undefined,
  { replace = false, clear = false }: AcceptanceOptions,
): Acceptance | Extract<Edit, { kind: "refused" }> {
  if (clear && replace) return refuseEdit("--clear and --replace exclude each other.");
  if (clear) return list === undefined ? { kind: "clear" } : refuseEdit("--clear takes no risks.");
  if (list === undefined) return refuseEdit("Name the risks to accept, with commas between them, or give --clear.");
  const names = list.split(",").map((name) => name.trim());
  const invalid = names.find((name) => name === "" || name === "-" || /\s/.test(name));
  if (invalid !== undefined) return refuseEdit(`"${invalid}" is no name of a risk.`);
  const remove = names.filter((name) => name.endsWith("-")).map((name) => name.slice(0, -1));
  const add = names.filter((name) => !name.endsWith("-"));
  if (replace)
    return remove.length > 0
      ? refuseEdit("--replace takes nothing back: leave out the risks that end in -.")
      : { kind: "replace", names: add };
  const both = add.find((name) => remove.includes(name));
  return both === undefined ? { kind: "change", add, remove } : refuseEdit(`${both} is both accepted and taken back.`);
}

/**
 * The patch of ClusterVersion that accepts, and nothing else: of spec.desiredUpdate only acceptRisks is named, so that a mode, version
 * or image that stands there stays, and without any no update is asked for.
 */
export function buildAcceptEdit(clusterVersion: JsonObject, fields: GatedFields, acceptance: Acceptance): Edit {
  if (!fields.acceptRisks)
    return refuseEdit(
      "ClusterVersion of this cluster has no spec.desiredUpdate.acceptRisks: its feature set has no accepted risks.",
    );
  const present = listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").filter(isObject);
  const desired = buildAcceptRisks(present, acceptance);
  const tooLong = desired.map(riskNameOf).find((name) => [...name].length > MAX_RISK_NAME);
  if (tooLong !== undefined) return refuseEdit(`${tooLong} is longer than ${MAX_RISK_NAME} characters.`);
  if (desired.length > MAX_ACCEPTED_RISKS)
    return refuseEdit(`No more than ${MAX_ACCEPTED_RISKS} risks can be accepted.`);
  if (formatCanonicalJson(desired) === formatCanonicalJson(present)) return { kind: "unchanged" };
  return {
    kind: "patch",
    patch: {
      ...buildOptimisticLock(clusterVersion),
      spec: { desiredUpdate: buildDesiredUpdate(clusterVersion, desired) },
    },
  };
}

/** What stands keeps its place and whatever else its entry says; new names follow, sorted. */
function buildAcceptRisks(present: readonly JsonObject[], acceptance: Acceptance): readonly JsonObject[] {
  if (acceptance.kind === "clear") return [];
  const isKept =
    acceptance.kind === "replace"
      ? (name: string): boolean => acceptance.names.includes(name)
      : (name: string): boolean => !acceptance.remove.includes(name);
  const kept = present.filter((entry) => isKept(riskNameOf(entry)));
  const names = new Set(acceptance.kind === "replace" ? acceptance.names : acceptance.add);
  const added = [...names].filter((name) => !kept.some((entry) => riskNameOf(entry) === name));
  return [...kept, ...added.toSorted(compareText).map((name) => ({ name }))];
}

/** The API takes no empty list, and an empty desiredUpdate would be left behind. */
function buildDesiredUpdate(clusterVersion: JsonObject, desired: readonly JsonObject[]): JsonObject | null {
  if (desired.length > 0) return { acceptRisks: desired };
  const { acceptRisks: _, ...others } = objectAt(clusterVersion, "spec", "desiredUpdate");
  return Object.keys(others).length > 0 ? { acceptRisks: null } : null;
}

function riskNameOf(entry: JsonObject): string {
  return textAt(entry, "name") ?? "";
}
