import { type JsonObject, byText, canonical, isObject, listAt, objectAt, textAt } from "../model/json.ts";
import { lockOf } from "./cluster-version.ts";
import { type Edit, refused } from "./edit.ts";
import type { CrdFields } from "./fields.ts";
import { MAX_ACCEPTED, MAX_RISK_NAME } from "./limits.ts";

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
  if (clear && replace) return refused("--clear and --replace exclude each other.");
  if (clear) return list === undefined ? { kind: "clear" } : refused("--clear takes no risks.");
  if (list === undefined) return refused("Name the risks to accept, with commas between them, or give --clear.");
  const names = list.split(",").map((name) => name.trim());
  const wrong = names.find((name) => name === "" || name === "-" || /\s/.test(name));
  if (wrong !== undefined) return refused(`"${wrong}" is no name of a risk.`);
  const remove = names.filter((name) => name.endsWith("-")).map((name) => name.slice(0, -1));
  const add = names.filter((name) => !name.endsWith("-"));
  if (replace)
    return remove.length > 0
      ? refused("--replace takes nothing back: leave out the risks that end in -.")
      : { kind: "replace", names: add };
  const both = add.find((name) => remove.includes(name));
  return both === undefined ? { kind: "change", add, remove } : refused(`${both} is both accepted and taken back.`);
}

/**
 * The patch of ClusterVersion that accepts, and nothing else: of spec.desiredUpdate only acceptRisks is named, so that a mode, version
 * or image that stands there stays, and without any no update is asked for.
 */
export function acceptEdit(clusterVersion: JsonObject, fields: CrdFields, acceptance: Acceptance): Edit {
  if (!fields.acceptRisks)
    return refused(
      "ClusterVersion of this cluster has no spec.desiredUpdate.acceptRisks: its feature set has no accepted risks.",
    );
  const present = listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").filter(isObject);
  const wanted = wantedOf(present, acceptance);
  const long = wanted.map(riskName).find((name) => [...name].length > MAX_RISK_NAME);
  if (long !== undefined) return refused(`${long} is longer than ${MAX_RISK_NAME} characters.`);
  if (wanted.length > MAX_ACCEPTED) return refused(`No more than ${MAX_ACCEPTED} risks can be accepted.`);
  if (canonical(wanted) === canonical(present)) return { kind: "unchanged" };
  return {
    kind: "patch",
    patch: { ...lockOf(clusterVersion), spec: { desiredUpdate: desiredOf(clusterVersion, wanted) } },
  };
}

/** What stands keeps its place and whatever else its entry says; new names follow, sorted. */
function wantedOf(present: readonly JsonObject[], acceptance: Acceptance): readonly JsonObject[] {
  if (acceptance.kind === "clear") return [];
  const isKept =
    acceptance.kind === "replace"
      ? (name: string): boolean => acceptance.names.includes(name)
      : (name: string): boolean => !acceptance.remove.includes(name);
  const kept = present.filter((entry) => isKept(riskName(entry)));
  const names = new Set(acceptance.kind === "replace" ? acceptance.names : acceptance.add);
  const added = [...names].filter((name) => !kept.some((entry) => riskName(entry) === name));
  return [...kept, ...added.toSorted(byText).map((name) => ({ name }))];
}

/** The API takes no empty list, and an empty desiredUpdate would be left behind. */
function desiredOf(clusterVersion: JsonObject, wanted: readonly JsonObject[]): JsonObject | null {
  if (wanted.length > 0) return { acceptRisks: wanted };
  const { acceptRisks: _, ...others } = objectAt(clusterVersion, "spec", "desiredUpdate");
  return Object.keys(others).length > 0 ? { acceptRisks: null } : null;
}

function riskName(entry: JsonObject): string {
  return textAt(entry, "name") ?? "";
}
