import type { JsonObject } from "./json.ts";
import { type Resource, resource } from "./resource.ts";

/** One object; `keep` makes of it what the check needs. */
export type Get<T = unknown> = {
  readonly kind: "get";
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
  readonly keep: (object: JsonObject) => T;
};

/** Every object of a kind, streamed through `keep`: only what it returns is held, undefined holds nothing. */
export type Each<T = unknown> = {
  readonly kind: "each";
  readonly resource: Resource;
  readonly keep: (object: JsonObject) => T | undefined;
};

export type Read = Get | Each;
export type Reads = Readonly<Record<string, Read>>;

/** `object`: the kind is served, the object is not there. `resource`: the API server doesn't serve the kind. */
export type Absent = { readonly kind: "absent"; readonly what: "object" | "resource" };
export type Got<T> = { readonly kind: "found"; readonly value: T } | Absent;
/** Values are in the order of the objects' namespaces and names. */
export type Listed<T> = { readonly kind: "found"; readonly values: readonly T[] } | Absent;

type Value<R> = R extends Get<infer T> ? Got<T> : R extends Each<infer T> ? Listed<T> : never;
export type Values<R extends Reads> = { readonly [K in keyof R]: Value<R[K]> };

/** Reads the object `where` ("name", or "namespace/name") of a resource such as "config.openshift.io/v1/nodes". */
export function get<T>(of: string, where: string, keep: (object: JsonObject) => T): Get<T> {
  const [name, namespace] = where.split("/").toReversed();
  if (!name) throw new Error(`${where} names no object`);
  return { kind: "get", resource: resource(of), ...(namespace ? { namespace } : {}), name, keep };
}

export function each<T>(of: string | Resource, keep: (object: JsonObject) => T | undefined): Each<T> {
  return { kind: "each", resource: typeof of === "string" ? resource(of) : of, keep };
}

/** The values of a list, or none where the API server doesn't serve the kind. */
export function valuesOf<T>(listed: Listed<T>): readonly T[] {
  return listed.kind === "found" ? listed.values : [];
}
