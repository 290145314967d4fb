import type { Json, JsonObject } from "../../model/json.ts";
import type { ListType, Node } from "../node.ts";

/** What an expression works with: a bigint is an int, a number a double. Errors are values, since `||` and `&&` may outvote them. */
export type Value = null | boolean | bigint | number | string | Other;

export type Other =
  | Failure
  | Uint
  | Bytes
  | List
  | JsonMap
  | ValueMap
  | Timestamp
  | Duration
  | TypeName
  | Optional
  | Opaque
  | Url
  | Ip
  | Cidr
  | Quantity
  | Semver
  | NamedFormat;

export type Failure = { readonly kind: "failure"; readonly text: string };
export type Uint = { readonly kind: "uint"; readonly value: bigint };
export type Bytes = { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** A list of an object, whose values are made when they are first asked for, or one that an expression made. */
export type List = {
  readonly kind: "list";
  readonly json: readonly Json[] | undefined;
  readonly items: Node | undefined;
  readonly type: ListType | undefined;
  values: readonly Value[] | undefined;
};

/** An object or map as JSON holds it; `resource`: its apiVersion, kind and two fields of metadata can always be seen. */
export type JsonMap = {
  readonly kind: "json";
  readonly json: JsonObject;
  readonly node: Node;
  readonly resource: boolean;
};

/** A map that an expression made, by what `keyText` makes of its keys. */
export type ValueMap = { readonly kind: "map"; readonly entries: ReadonlyMap<string, readonly [Value, Value]> };

/** Seconds since 1970 and what is beyond them; `offset`: the seconds east of UTC at which it was written. */
export type Timestamp = {
  readonly kind: "timestamp";
  readonly seconds: number;
  readonly nanos: number;
  readonly offset: number;
};
export type Duration = { readonly kind: "duration"; readonly nanos: bigint };
export type TypeName = { readonly kind: "type"; readonly name: string };
export type Optional = { readonly kind: "optional"; readonly value: Value | undefined };
/** A value of which no schema says what it is: it can only be compared. */
export type Opaque = { readonly kind: "opaque"; readonly json: Json };

export type Url = {
  readonly kind: "url";
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
};

/** 4 or 16 bytes. */
export type Ip = { readonly kind: "ip"; readonly bytes: readonly number[] };
export type Cidr = { readonly kind: "cidr"; readonly ip: Ip; readonly bits: number };
/** `unscaled` times ten to the power of `-scale`; `isBig`: Kubernetes does not hold it in 64 bits. */
export type Quantity = {
  readonly kind: "quantity";
  readonly unscaled: bigint;
  readonly scale: number;
  readonly isBig: boolean;
};
export type Semver = {
  readonly kind: "semver";
  readonly parts: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
};
export type NamedFormat = {
  readonly kind: "format";
  readonly name: string;
  readonly patternSize: number;
  readonly validate: (text: string) => boolean;
};

export function failure(text: string): Failure {
  return { kind: "failure", text };
}

export const NO_OVERLOAD = failure("no such overload");
export const NOTHING: Optional = { kind: "optional", value: undefined };

export function isOther(value: Value): value is Other {
  return typeof value === "object" && value !== null;
}

export function isFailure(value: Value): value is Failure {
  return typeof value === "object" && value !== null && value.kind === "failure";
}

export function isList(value: Value): value is List {
  return typeof value === "object" && value !== null && value.kind === "list";
}

export function isMap(value: Value): value is JsonMap | ValueMap {
  return typeof value === "object" && value !== null && (value.kind === "json" || value.kind === "map");
}

export function optional(value: Value): Optional {
  return { kind: "optional", value };
}

export function listOf(values: readonly Value[]): List {
  return { kind: "list", json: undefined, items: undefined, type: undefined, values };
}

export function bytesOf(bytes: Uint8Array): Bytes {
  return { kind: "bytes", bytes };
}

export function keyText(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "number") return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
  return isOther(key) && key.kind === "uint" ? `n${key.value}` : undefined;
}

const NAMES: { readonly [kind in Other["kind"]]: string } = {
  failure: "error",
  uint: "uint",
  bytes: "bytes",
  list: "list",
  json: "map",
  map: "map",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  type: "type",
  optional: "optional_type",
  opaque: "unknown",
  url: "kubernetes.URL",
  ip: "net.IP",
  cidr: "net.CIDR",
  quantity: "kubernetes.Quantity",
  semver: "kubernetes.Semver",
  format: "kubernetes.NamedFormat",
};

/** The name of a value's type, as `type` gives it. */
export function typeName(value: Value): string {
  if (isOther(value)) return NAMES[value.kind];
  if (value === null) return "null_type";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  return typeof value === "number" ? "double" : "string";
}

/** Something that lies with us and not with the rule or the object: nothing is then said of them. */
export class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/** What makes the API server's own evaluation panic: the whole rule fails then, whatever else it says. */
export class Panicked extends Error {
  override readonly name = "Panicked";
}
