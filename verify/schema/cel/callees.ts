import { API_SERVER_FUNCTIONS, API_SERVER_LIBRARIES } from "../../../src/schema/cel/library/api-server.ts";
import type { Overload } from "../../../src/schema/cel/types/signatures.ts";
import * as types from "../../../src/schema/cel/types/types.ts";
import type { Random } from "../random/random.ts";

type Type = types.Type;

export const OBJECT = types.structType("object");
export const KEYS = [types.STRING, types.INT, types.BOOL, types.UINT, types.DYN] as const;
const OPAQUE = "net.IP net.CIDR kubernetes.URL kubernetes.Quantity kubernetes.Semver kubernetes.NamedFormat".split(" ");
const PLAIN: readonly Type[] = [
  types.BOOL,
  types.INT,
  types.INT,
  types.UINT,
  types.DOUBLE,
  types.STRING,
  types.STRING,
  types.BYTES,
  types.NULL,
  types.DURATION,
  types.TIMESTAMP,
  types.TYPE,
  types.DYN,
  OBJECT,
  ...OPAQUE.map((name) => types.opaqueType(name)),
];

export function pickType(random: Random, depth = 2): Type {
  const inner = (): Type => pickType(random, depth - 1);
  const kind = depth > 0 ? random.next() : 1;
  if (kind < 0.2) return types.listType(inner());
  if (kind < 0.3) return types.mapType(random.pick(KEYS), inner());
  if (kind < 0.38) return types.optionalType(inner());
  return random.oneOf(PLAIN) ?? types.DYN;
}

export type Callee = { readonly name: string; readonly overload: Overload };

/** Every signature that an expression can call. */
export const CALLEES: readonly Callee[] = [
  ...new Set(API_SERVER_LIBRARIES.flatMap(({ functions }) => Object.keys(functions))),
]
  .filter((name) => !name.includes("@") || name === "@in")
  .flatMap((name) => (API_SERVER_FUNCTIONS.find(name) ?? []).map((overload) => ({ name, overload })));

/** Does the pattern stand for the type? Remembers what its parameters stand for. */
export function bind(pattern: Type, type: Type, bound: Map<string, Type>): boolean {
  if (pattern.kind === "parameter") {
    const known = bound.get(pattern.name);
    if (known) return types.isSameType(known, type, true);
    bound.set(pattern.name, type);
    return true;
  }
  if (pattern.kind === "dyn" || type.kind === "dyn") return type.kind === pattern.kind;
  if (pattern.kind !== type.kind || pattern.name !== type.name) return false;
  return (
    pattern.kind === "type" || pattern.parameters.every((part, i) => bind(part, type.parameters[i] ?? types.DYN, bound))
  );
}

/** A type with its parameters replaced by types, which are arbitrary where none is known. */
export function resolve(pattern: Type, bound: Map<string, Type>, random: Random): Type {
  if (pattern.kind === "dyn") return pickType(random);
  if (pattern.kind !== "parameter")
    return { ...pattern, parameters: pattern.parameters.map((inner) => resolve(inner, bound, random)) };
  const known = bound.get(pattern.name) ?? pickType(random, 1);
  bound.set(pattern.name, known);
  return known;
}
