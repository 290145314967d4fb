/** What a field's place says about the strings in it. `open`: patterns decide. `entries`: the values of variables or headers. */
export type Scope =
  | { readonly kind: "open" }
  | { readonly kind: "secret" }
  | { readonly kind: "entries" }
  | { readonly kind: "hidden" };

export const OPEN_SCOPE: Scope = { kind: "open" };
const HIDDEN_SCOPE: Scope = { kind: "hidden" };

/** A text field of the object that holds the field. */
type FindSibling = (key: string) => string | undefined;

export const SECRET_WORD =
  "password|passwd|passphrase|pwd|token|secret|api[-_.]?key|secret[-_.]?key|access[-_.]?key|account[-_.]?key|shared[-_.]?key|auth[-_.]?key|master[-_.]?key|private[-_.]?key|signing[-_.]?key|encryption[-_.]?key|password[-_.]?hash|connection[-_.]?string|credentials?|authorization|cookie|user[-_.]?data|ht[-_.]?passwd|kubeconfig|docker[-_.]?config[-_.]?json|docker[-_.]?cfg";
const SECRET_KEY = new RegExp(`(?:${SECRET_WORD})(?:[-_.]?(?:data|value|base64))?$`, "i");
/** "pass" only as a word of its own: "bypass" and "compass" are no secrets. */
const PASS_KEY = /(?:^|[-_.])(?:pass|PASS)$|[a-z0-9]Pass$/;

/** Whether a key alone marks its value as a secret: `tokenSecret` does, `secretName` and `tokenConfig` do not. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key) || PASS_KEY.test(key);
}

/** Free texts that no check reads and that often hold credentials: commands of containers, users of Ignition, attributes of volumes. */
const HIDDEN_KEYS = new Set(["args", "command", "extraArgs", "passwd", "volumeAttributes", "binaryData", "stringData"]);
/** Variables and headers, as maps or as lists with `name` and `value`. */
const ENTRY_KEYS = new Set(["env", "environment", "headers", "httpHeaders", "extraHeaders"]);
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
/** The files of MachineConfigs that checks read. Others may be kubeconfigs or pull secrets. */
const KEPT_FILES = "/etc/crio/";

/** The scope of a field. A list's items have the list's scope. */
export function enterField(scope: Scope, key: string, findSibling: FindSibling): Scope {
  if (scope.kind === "hidden") return scope;
  if (scope.kind === "secret" && !REFERENCE_FIELDS.has(key)) return HIDDEN_SCOPE;
  if (scope.kind === "entries" && !ENTRY_FIELDS.has(key)) return enterEntry(key, findSibling);
  if (HIDDEN_KEYS.has(key)) return HIDDEN_SCOPE;
  if (ENTRY_KEYS.has(key)) return { kind: "entries" };
  if (isOtherFile(key, findSibling)) return HIDDEN_SCOPE;
  if (isSecretKey(key)) return { kind: "secret" };
  return key === "value" && isSecretKey(findSibling("name") ?? "") ? HIDDEN_SCOPE : OPEN_SCOPE;
}

/** Whether the strings directly in a scope are to be replaced. */
export function isHidden(scope: Scope): boolean {
  return scope.kind !== "open";
}

function enterEntry(key: string, findSibling: FindSibling): Scope {
  return key === "value" && KEPT_VARIABLES.has(findSibling("name") ?? "") ? OPEN_SCOPE : HIDDEN_SCOPE;
}

/** A file of an Ignition config has a path and contents. */
function isOtherFile(key: string, findSibling: FindSibling): boolean {
  const path = key === "contents" ? findSibling("path") : undefined;
  return path !== undefined && !path.startsWith(KEPT_FILES);
}
