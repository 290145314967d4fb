import { hash } from "node:crypto";
import { type Json, type JsonObject, compareText, objectAt, textAt } from "../../model/json.ts";
import type { ReleaseCheckText } from "../../model/release.ts";

/** Marks a ConfigMap whose keys are files of checks, by the version of their format. */
export const CHECKS_LABEL = "preflight.openshift.io/checks";
const FORMAT = "v1alpha1";

export function mayHoldChecks(document: Json): boolean {
  return textAt(document, "kind") === "ConfigMap" && textAt(document, "metadata", "labels", CHECKS_LABEL) !== undefined;
}

/** The texts of such a ConfigMap. */
export function parseCheckTexts(object: JsonObject): readonly ReleaseCheckText[] | undefined {
  if (!mayHoldChecks(object)) return undefined;
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  const map = textAt(object, "metadata", "name") ?? "";
  const name = `ConfigMap ${namespace === "" ? "" : `${namespace}/`}${map}`;
  const format = textAt(object, "metadata", "labels", CHECKS_LABEL) ?? "";
  if (format !== FORMAT)
    return [{ name, problem: `its checks have the format ${format}, and this preflight knows ${FORMAT}` }];
  return listCheckTexts(object, name);
}

/** By the keys of a ConfigMap. None is left out in silence. */
export function listCheckTexts(object: JsonObject, name: string): readonly ReleaseCheckText[] {
  const entries = [...Object.entries(objectAt(object, "data")), ...Object.entries(objectAt(object, "binaryData"))];
  if (entries.length === 0) return [{ name, problem: "it holds no check" }];
  return entries
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, text]) => buildCheckText(`${name} ${key}`, text, objectAt(object, "data")[key] !== undefined));
}

function buildCheckText(name: string, text: Json, isText: boolean): ReleaseCheckText {
  if (typeof text !== "string" || !isText) return { name, problem: "it is not text" };
  return { name, text, digest: `sha256:${hash("sha256", text)}` };
}
