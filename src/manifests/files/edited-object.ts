import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";

/** A value with an edit; undefined if there is nothing that the edit could change. */
export function editValue(value: Json, edit: ManifestEdit, path: ManifestPath = edit.path): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return edit.kind === "set" ? edit.value : undefined;
  if (rest.length === 0 && edit.kind !== "set")
    return isObject(value) || isList(value) ? dropStep(value, step, edit) : undefined;
  if (isList(value)) {
    const item = typeof step === "number" ? value[step] : undefined;
    const edited = item === undefined ? undefined : editValue(item, edit, rest);
    return edited === undefined ? undefined : value.map((one, i) => (i === step ? edited : one));
  }
  if (!isObject(value)) return undefined;
  const inner = Object.hasOwn(value, step) ? value[step] : undefined;
  // What is set may have no map around it yet.
  const edited = editValue(inner ?? (edit.kind === "set" ? {} : null), edit, rest);
  return edited === undefined ? undefined : { ...value, [step]: edited };
}

function dropStep(
  value: JsonObject | readonly Json[],
  step: string | number,
  edit: Exclude<ManifestEdit, { readonly kind: "set" }>,
): Json | undefined {
  if (isList(value))
    return edit.kind === "remove" && typeof step === "number" && step < value.length
      ? value.toSpliced(step, 1)
      : undefined;
  if (!Object.hasOwn(value, step)) return undefined;
  const { [step]: dropped = null, ...others } = value;
  if (edit.kind === "remove") return others;
  return Object.hasOwn(others, edit.to) ? undefined : { ...others, [edit.to]: dropped };
}
