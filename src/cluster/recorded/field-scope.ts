import type { Json } from "../../model/json.ts";
import { isSecretKey } from "../../model/secrets/secret-forms.ts";

/** What a field's place says about the strings in it. `open`: patterns decide. `entries`: the values of variables or headers. */
export type FieldScope =
  | { readonly kind: "open" }
  | { readonly kind: "secret" }
  | { readonly kind: "entries" }
  | { readonly kind: "hidden" };

export const OPEN_SCOPE: FieldScope = { kind: "open" };
export const HIDDEN_SCOPE: FieldScope = { kind: "hidden" };

/** A text field of the object that holds the field. */
type FindSibling = (key: string) => string | undefined;

/** Free texts that no check reads and that often hold credentials: commands, logins of registries, users of Ignition, attributes of volumes. */
const HIDDEN_KEYS = new Set([
  "args",
  "arguments",
  "auths",
  "binaryData",
  "cloudProviderConfig",
  "cmd",
  "command",
  "commands",
  "entrypoint",
  "extraArgs",
  "mountOptions",
  "parameters",
  "passwd",
  "script",
  "stringData",
  "volumeAttributes",
]);
/** Variables and headers, as maps or as lists with `name` and `value`. */
const ENTRY_KEYS = new Set(["env", "environment", "variables", "headers", "httpHeaders", "extraHeaders"]);
/** Fields of an entry that name it, or where its value comes from. */
const ENTRY_FIELDS = new Set(["name", "valueFrom"]);
/** The variables that preflight itself reads. */
const KEPT_VARIABLES = new Set(["CLUSTER_PROFILE"]);
/** Fields below a secret's key that refer to the secret instead of holding it: `token: {name: ..., key: ...}`. */
const REFERENCE_FIELDS = new Set([
  "name",
  "namespace",
  "key",
  "apiVersion",
  "apiGroup",
  "group",
  "kind",
  "type",
  "path",
  "items",
  "audience",
  "secretName",
  "secretKeyRef",
  "configMapKeyRef",
  "secretRef",
  "configMapRef",
  "secret",
  "configMap",
  "mode",
]);
/** The scope of a field. A list's items have the list's scope. */
export function enterField(scope: FieldScope, key: string, findSibling: FindSibling): FieldScope {
  if (scope.kind === "hidden") return scope;
  if (scope.kind === "secret" && !REFERENCE_FIELDS.has(key)) return HIDDEN_SCOPE;
  if (scope.kind === "entries" && !ENTRY_FIELDS.has(key)) return enterEntry(key, findSibling);
  if (HIDDEN_KEYS.has(key)) return HIDDEN_SCOPE;
  if (ENTRY_KEYS.has(key)) return { kind: "entries" };
  if (isFileContents(key, findSibling) || isPrivateKey(key, findSibling)) return HIDDEN_SCOPE;
  if (isSecretKey(key)) return { kind: "secret" };
  return ENTRY_VALUES.has(key) && ENTRY_NAMES.some((name) => isSecretKey(findSibling(name) ?? ""))
    ? HIDDEN_SCOPE
    : OPEN_SCOPE;
}

/** How settings, variables and headers are listed: by a name and a value, or by a key and its data. */
const ENTRY_NAMES = ["name", "key", "fieldName", "header", "variable", "option"];
const ENTRY_VALUES = new Set(["value", "val", "fieldValue", "data"]);

/** Whether the strings directly in a scope are to be replaced. */
export function isHidden(scope: FieldScope): boolean {
  return scope.kind !== "open";
}

function enterEntry(key: string, findSibling: FindSibling): FieldScope {
  return key === "value" && KEPT_VARIABLES.has(findSibling("name") ?? "") ? OPEN_SCOPE : HIDDEN_SCOPE;
}

/** The files of MachineConfigs that a check reads. */
export const KEPT_FILES = "/etc/crio/";

/** A file has a path and contents: it may be a kubeconfig or a pull secret. */
function isFileContents(key: string, findSibling: FindSibling): boolean {
  const path = key === "contents" || key === "content" ? findSibling("path") : undefined;
  return path !== undefined && !path.startsWith(KEPT_FILES);
}

const CERTIFICATE_KEYS = ["certificate", "cert", "crt", "caCertificate", "termination"];

/** The key beside a certificate, as in a Route. */
function isPrivateKey(key: string, findSibling: FindSibling): boolean {
  return key === "key" && CERTIFICATE_KEYS.some((sibling) => findSibling(sibling) !== undefined);
}

/** Whether an item of a list is the value of the option before it: `--password`, `VALUE`. */
export function isOptionValue(before: Json | undefined, item: string): boolean {
  if (typeof before !== "string" || !/^--?[A-Za-z][\w.-]{0,200}$/.test(before)) return false;
  return (
    isSecretKey(before) || /^-[pPwa]$/.test(before) || (/^(?:-u|--user|--creds)$/.test(before) && item.includes(":"))
  );
}
