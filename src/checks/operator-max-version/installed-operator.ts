import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type LastRelease, parseAuthoredProperties, parseProjectedProperties } from "./last-release.ts";

/** An installed operator that declares the last OpenShift release it supports. */
export type InstalledOperator = {
  readonly object: ObjectRef;
  readonly last: Exclude<LastRelease, { readonly kind: "none" }>;
  /** OLM evaluates the annotation that it wrote itself, and not the author's. */
  readonly isReadByOlm: boolean;
  readonly leaving?: "replaced" | "deleted";
};

const HOME = "olm.operatorNamespace";
const PROJECTED = "operatorframework.io/properties";
const AUTHORED = "olm.properties";
export const OPERATOR_ANNOTATIONS = [HOME, PROJECTED, AUTHORED];

/** Drops operators without a declaration, and OLM's copies in the namespaces that an operator watches. */
export function keepInstalledOperator(csv: JsonObject): InstalledOperator | undefined {
  if (isCopied(csv)) return undefined;
  const projected = textAt(csv, "metadata", "annotations", PROJECTED);
  const authored = textAt(csv, "metadata", "annotations", AUTHORED);
  const last = parseLastRelease(projected, authored);
  if (last.kind === "none") return undefined;
  return { object: refOf(csv), last, isReadByOlm: projected !== undefined, ...findLeaving(csv) };
}

function parseLastRelease(projected: string | undefined, authored: string | undefined): LastRelease {
  if (projected !== undefined) return parseProjectedProperties(projected);
  return authored === undefined ? { kind: "none" } : parseAuthoredProperties(authored);
}

/** The three signs by which OLM recognizes a copy. */
function isCopied(csv: JsonObject): boolean {
  if (textAt(csv, "status", "reason") === "Copied") return true;
  if (Object.hasOwn(objectAt(csv, "metadata", "labels"), "olm.copiedFrom")) return true;
  const home = textAt(csv, "metadata", "annotations", HOME);
  return home !== undefined && home !== textAt(csv, "metadata", "namespace");
}

/** OLM counts them until they are deleted: if a replacement never gets ready, the old operator keeps running. */
function findLeaving(csv: JsonObject): Pick<InstalledOperator, "leaving"> {
  const phase = textAt(csv, "status", "phase");
  if (phase === "Deleting" || textAt(csv, "metadata", "deletionTimestamp") !== undefined) return { leaving: "deleted" };
  return phase === "Replacing" ? { leaving: "replaced" } : {};
}
