import { isAnyStep } from "../../model/needed-fields.ts";
import type { KindScope } from "./kind-scope.ts";
import type { Resource } from "../../model/resource.ts";
import { DYN, type Type, type ValueType, isDyn, unwrapped } from "../../schema/cel/index.ts";

/** What is known of a kind in one version. */
export type Kind = { readonly scope: KindScope; readonly type: Type };

/** The kinds whose fields are known. */
export type KindTable = { readonly find: (resource: Resource) => Kind | undefined };

/** A field whose bounds don't matter, since nothing estimates what expressions of checks may cost. */
export function plainField(type: Type): ValueType {
  return { type, most: 0, leastBytes: 0, fields: undefined, key: undefined, element: undefined };
}

export function objectType(name: string, fields: Readonly<Record<string, Type>>): Type {
  const entries = Object.entries(fields).map(([field, type]) => [field, plainField(type)] as const);
  return { kind: "struct", name, parameters: [], fields: new Map(entries) };
}

/** What a step leads to, "[]" to an item of a list or the value of any key; undefined if there is no such field. */
export function findMember(of: Type, step: string): Type | undefined {
  const type = unwrapped(of) ?? of;
  if (isDyn(type)) return DYN;
  if (type.kind === "map") return type.parameters[1];
  if (type.kind === "list") return isAnyStep(step) ? type.parameters[0] : undefined;
  return isAnyStep(step) ? undefined : type.fields?.get(step)?.type;
}

export function followPath(of: Type, path: readonly string[]): Type | undefined {
  return path.reduce<Type | undefined>((type, step) => type && findMember(type, step), of);
}

/** Whether the API server requires the last field of a path wherever the value above it is. */
export function isRequiredField(of: Type, path: readonly string[]): boolean {
  const last = path.at(-1) ?? "";
  return followPath(of, path.slice(0, -1))?.required?.has(last) === true;
}

/** What both may be: with the fields of either. */
export function mergeTypes(a: Type, b: Type): Type {
  // Types may hold themselves.
  if (a === b) return a;
  if (a.kind !== b.kind) return DYN;
  if (a.fields === undefined || b.fields === undefined) {
    const parameters = a.parameters.map((parameter, i) => mergeTypes(parameter, b.parameters[i] ?? DYN));
    return { ...a, parameters };
  }
  const fields = new Map(a.fields);
  for (const [name, { type }] of b.fields) {
    const known = a.fields.get(name)?.type;
    fields.set(name, plainField(known === undefined ? type : mergeTypes(known, type)));
  }
  return { ...a, fields, required: new Set([...(a.required ?? [])].filter((name) => b.required?.has(name))) };
}
