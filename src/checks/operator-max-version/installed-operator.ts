import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type LastRelease, parseAuthoredProperties, parseProjectedProperties } from "./last-release.ts";

/** An installed operator that says which OpenShift release is its last. */
export type InstalledOperator = {
  readonly object: ObjectRef;
  readonly last: Exclude<LastRelease, { readonly kind: "none" }>;
  /** Does OLM look at it? It reads what it wrote itself, not what the author wrote. */
  readonly isReadByOlm: boolean;
  readonly leaving?: "replaced" | "deleted";
};

const PROJECTED = "operatorframework.io/properties";
const AUTHORED = "olm.properties";

/** Operators that say nothing, and OLM's copies in the namespaces that an operator watches, are not kept. */
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

/** The same three signs that OLM goes by. */
function isCopied(csv: JsonObject): boolean {
  if (textAt(csv, "status", "reason") === "Copied") return true;
  if (Object.hasOwn(objectAt(csv, "metadata", "labels"), "olm.copiedFrom")) return true;
  const home = textAt(csv, "metadata", "annotations", "olm.operatorNamespace");
  return home !== undefined && home !== textAt(csv, "metadata", "namespace");
}

/** OLM counts them until they are gone: a replacement that never gets ready leaves the old operator at work. */
function findLeaving(csv: JsonObject): Pick<InstalledOperator, "leaving"> {
  const phase = textAt(csv, "status", "phase");
  if (phase === "Deleting" || textAt(csv, "metadata", "deletionTimestamp") !== undefined) return { leaving: "deleted" };
  return phase === "Replacing" ? { leaving: "replaced" } : {};
}
