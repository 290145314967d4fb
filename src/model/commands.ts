import { isList, type JsonObject } from "./json.ts";
import { getGroup, type ObjectRef } from "./resource.ts";
import type { Platform } from "./version.ts";

/** The program that administrators of the platform have. */
export function getCommandName(platform: Platform): "oc" | "kubectl" {
  return platform === "openshift" ? "oc" : "kubectl";
}

/** "poddisruptionbudget.policy/checkout": unambiguous, whatever else the cluster serves. */
export function formatObjectArgument({ apiVersion, kind, name }: ObjectRef): string {
  const group = getGroup(apiVersion);
  return quoteArgument(`${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`);
}

/** `oc -n shop get poddisruptionbudget.policy/checkout -o yaml`: a verb and its arguments, for one object. */
export function buildObjectCommand(
  platform: Platform,
  verb: "get" | "describe" | "delete" | "edit",
  ref: ObjectRef,
): string {
  const output = verb === "get" ? " -o yaml" : "";
  return `${buildPrefix(platform, ref.namespace)} ${verb} ${formatObjectArgument(ref)}${output}`;
}

/** What a command does to one object: a verb, and what it writes. A value that is null takes a label or an annotation away. */
export type CommandForm =
  | { readonly kind: "get" | "describe" | "edit" | "delete" | "restart" }
  | { readonly kind: "patch"; readonly patch: JsonObject }
  | { readonly kind: "label" | "annotate"; readonly values: Readonly<Record<string, string | null>> }
  | { readonly kind: "scale"; readonly replicas: string };

export function buildCommand(platform: Platform, ref: ObjectRef, form: CommandForm): string {
  const prefix = buildPrefix(platform, ref.namespace);
  switch (form.kind) {
    case "patch":
      return buildPatchCommand(platform, ref, form.patch);
    case "label":
    case "annotate":
      return `${prefix} ${form.kind} ${formatObjectArgument(ref)} ${formatChanges(form.values)}`;
    case "scale":
      return `${prefix} scale ${formatObjectArgument(ref)} ${quoteArgument(`--replicas=${form.replicas}`)}`;
    case "restart":
      return `${prefix} rollout restart ${formatObjectArgument(ref)}`;
    case "get":
    case "describe":
    case "edit":
    case "delete":
      return buildObjectCommand(platform, form.kind, ref);
  }
}

/** "a=1 b- --overwrite" */
function formatChanges(values: Readonly<Record<string, string | null>>): string {
  const entries = Object.entries(values);
  const changes = entries.map(([key, value]) => quoteArgument(value === null ? `${key}-` : `${key}=${value}`));
  return [...changes, ...(entries.some(([, value]) => value !== null) ? ["--overwrite"] : [])].join(" ");
}

/** A JSON merge patch (RFC 7396) of one object; a JSON patch (RFC 6902) if it is a list of operations. */
export function buildPatchCommand(
  platform: Platform,
  ref: ObjectRef,
  patch: JsonObject | readonly JsonObject[],
): string {
  const what = `${formatObjectArgument(ref)} --type=${isList(patch) ? "json" : "merge"}`;
  return `${buildPrefix(platform, ref.namespace)} patch ${what} -p ${quoteArgument(JSON.stringify(patch))}`;
}

/** Writes every object of a CRD again, unchanged, so that it is stored in the present storage version. */
function buildRewriteCommand(platform: Platform, crd: ObjectRef): string {
  const name = quoteArgument(crd.name);
  return `${getCommandName(platform)} get ${name} -A -o json | ${getCommandName(platform)} replace -f -`;
}

/** The commands after which a CRD no longer lists any stored version except `kept`. */
export function buildStorageMigration(
  platform: Platform,
  crd: ObjectRef,
  kept: readonly string[],
): readonly [string, string] {
  const status = { status: { storedVersions: [...kept] } };
  return [buildRewriteCommand(platform, crd), `${buildPatchCommand(platform, crd, status)} --subresource=status`];
}

/** The program, and the namespace if the object has one. */
export function buildPrefix(platform: Platform, namespace?: string): string {
  return `${getCommandName(platform)}${namespace === undefined ? "" : ` -n ${quoteArgument(namespace)}`}`;
}

/** Characters without a meaning of their own in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** One argument of a POSIX shell. */
export function quoteArgument(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** How commands can be used: as they are, after a choice, or in an editor. */
export type CommandUse = "as printed" | "with a choice" | "in an editor";

/** Placeholders are also in quotes: "<number>". */
export function classifyCommands(commands: readonly string[]): CommandUse {
  if (commands.some((command) => /<[a-z-]+>/.test(command))) return "with a choice";
  return commands.some((command) => command.includes(" edit ")) ? "in an editor" : "as printed";
}

/**
 * What the commands of a fix do at worst. `safe`: they change nothing that runs or serves, and can be undone; `disruptive`: they restart,
 * drain or delete something, or interrupt somebody; `weakening`: they take away a protection.
 */
export const FIX_KINDS = ["safe", "disruptive", "weakening"] as const;
export type FixKind = (typeof FIX_KINDS)[number];

/** Commands to copy: `see` shows the fault, `fix` removes it. A choice of the administrator's is a placeholder such as `<version>`. */
export type Commands = { readonly see: readonly string[]; readonly fix: readonly string[]; readonly fixKind: FixKind };

/** The commands that remove a fault from a finding's object, in their order. A function of the finding if what they do differs. */
export type OptionalFix<F, C> =
  | {
      readonly fix: (finding: F, context: C) => readonly string[];
      readonly fixKind: FixKind | ((finding: F) => FixKind);
    }
  | { readonly fix?: never; readonly fixKind?: never };

/** The kind of a risk's fix, or of the fix for one finding. */
export function getFixKind<F>(kind: FixKind | ((finding: F) => FixKind), finding: F): FixKind {
  return typeof kind === "function" ? kind(finding) : kind;
}
