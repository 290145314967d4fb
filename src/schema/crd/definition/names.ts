import { type JsonObject, listAt, objectAt, textAt } from "../../../model/json.ts";
import { isDns1035Label, isDns1123Subdomain, type Place, enter, refuse } from "../../openapi/index.ts";

type Names = { readonly [Name in "plural" | "singular" | "kind" | "listKind"]: string };

/** With the API server's defaults for missing names. */
function parseNames(definition: JsonObject): Names {
  const names = objectAt(definition, "spec", "names");
  const kind = textAt(names, "kind") ?? "";
  const singular = textAt(names, "singular") ?? "";
  const listKind = textAt(names, "listKind") ?? "";
  return {
    plural: textAt(names, "plural") ?? "",
    singular: singular === "" ? kind.toLowerCase() : singular,
    kind,
    listKind: listKind === "" && kind !== "" ? `${kind}List` : listKind,
  };
}

const LABEL = "must be a DNS label that begins with a letter";

export function requireNames(definition: JsonObject, root: Place): void {
  const place = enter(root, "spec.names");
  const names = parseNames(definition);
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    const isKind = field === "kind" || field === "listKind";
    const name = isKind ? names[field].toLowerCase() : names[field];
    if (name === "") refuse(place, `.${field}`, "is required");
    else if (!isDns1035Label(name)) refuse(place, `.${field}`, isKind ? `${LABEL}, in any case` : LABEL);
  }
  if (names.kind !== "" && names.kind === names.listKind) refuse(place, ".listKind", "can't be the same as the kind");
  for (const field of ["shortNames", "categories"]) {
    for (const [i, name] of listAt(definition, "spec", "names", field).entries()) {
      if (!isDns1035Label(typeof name === "string" ? name : "")) refuse(place, `.${field}[${i}]`, LABEL);
    }
  }
}

export function requireGroupAndScope(definition: JsonObject, root: Place): void {
  const group = textAt(definition, "spec", "group") ?? "";
  if (group === "") refuse(root, "spec.group", "is required");
  else if (!isDns1123Subdomain(group)) refuse(root, "spec.group", "must be a DNS subdomain in lower case");
  else if (!group.includes(".")) refuse(root, "spec.group", "must have a dot in it");
  const scope = textAt(definition, "spec", "scope") ?? "";
  if (scope !== "Cluster" && scope !== "Namespaced") refuse(root, "spec.scope", "must be Cluster or Namespaced");
}

/** Validated on create only, because the name and its parts can't change later. */
export function requireOwnName(definition: JsonObject, root: Place): void {
  const name = textAt(definition, "metadata", "name") ?? "";
  const expected = `${parseNames(definition).plural}.${textAt(definition, "spec", "group") ?? ""}`;
  if (!isDns1123Subdomain(name)) refuse(root, "metadata.name", "must be a DNS subdomain in lower case");
  if (name !== expected) refuse(root, "metadata.name", `must be spec.names.plural, a dot and spec.group: ${expected}`);
}

const APPROVAL = "api-approved.kubernetes.io";

/** A CRD in one of Kubernetes' own groups must state whether its API was approved. */
export function requireApproval(definition: JsonObject, installed: JsonObject | undefined, root: Place): void {
  const group = textAt(definition, "spec", "group") ?? "";
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return;
  const state = parseApproval(definition);
  if (state === "approved" || state === "bypassed" || (installed && parseApproval(installed) === state)) return;
  const reason = 'must be an address, or begin with "unapproved", in a group of Kubernetes';
  refuse(root, `metadata.annotations[${APPROVAL}]`, reason);
}

function parseApproval(definition: JsonObject): "missing" | "bypassed" | "approved" | "invalid" {
  const text = textAt(definition, "metadata", "annotations", APPROVAL) ?? "";
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text) ? "approved" : "invalid";
}
