import type { Json, JsonObject } from "../../../model/json.ts";
import type { ListType, StructuralSchema } from "../../openapi/index.ts";

/** A value of an expression: a bigint is an int, a number a double. Errors are values, because `||` and `&&` may absorb them. */
export type CelValue = null | boolean | bigint | number | string | ObjectValue;

export type ObjectValue =
  | ErrorValue
  | UintValue
  | BytesValue
  | ListValue
  | UnstructuredMap
  | MapValue
  | TimestampValue
  | DurationValue
  | TypeValue
  | OptionalValue
  | EmptyValue
  | UnknownPreserved
  | UrlValue
  | IpValue
  | CidrValue
  | QuantityValue
  | SemverValue
  | FormatValue;

/** `missing`: the values from outside for lack of which it came; without a text, for nothing else. */
export type ErrorValue = { readonly kind: "failure"; readonly text: string; readonly missing?: readonly string[] };
type UintValue = { readonly kind: "uint"; readonly value: bigint };
type BytesValue = { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** A list of an object, whose values are built on first access, or of an expression. `growing`: its values while a macro adds to it. */
export type ListValue = {
  readonly kind: "list";
  readonly json: readonly Json[] | undefined;
  readonly items: StructuralSchema | undefined;
  readonly type: ListType | undefined;
  values: readonly CelValue[] | undefined;
  readonly growing?: CelValue[];
  /** What a list without a schema was read of. */
  readonly source?: readonly Json[];
};

/** An object or map in JSON; `resource`: its apiVersion, kind and two fields of metadata are always visible. */
export type UnstructuredMap = {
  readonly kind: "json";
  readonly json: JsonObject;
  readonly schema: StructuralSchema;
  readonly isResource: boolean;
};

/** A text, or a value that is only found as itself. */
export type MapKey = string | object;

type MapEntries = ReadonlyMap<MapKey, readonly [CelValue, CelValue]>;

/**
 * A map that an expression built, keyed by `buildMapKey`, or the members of `json`, which become values when they are first read. `growing`:
 * its entries while a macro adds to it.
 */
export type MapValue = {
  readonly kind: "map";
  readonly json?: JsonObject;
  /** What members that are null are. */
  readonly nulls?: NullMembers;
  /** Those that were read, unless they are texts. */
  members?: Map<string, CelValue> | undefined;
  entries: MapEntries | undefined;
  readonly growing?: Map<MapKey, readonly [CelValue, CelValue]>;
};
export type NullMembers = "present" | "absent";

/** Seconds since 1970 and nanoseconds; `offset`: seconds east of UTC as written. */
export type TimestampValue = {
  readonly kind: "timestamp";
  readonly seconds: number;
  readonly nanos: number;
  readonly offset: number;
};
export type DurationValue = { readonly kind: "duration"; readonly nanos: bigint };
type TypeValue = { readonly kind: "type"; readonly name: string };
export type OptionalValue = { readonly kind: "optional"; readonly value: CelValue | undefined };
/** The message google.protobuf.Empty. */
type EmptyValue = { readonly kind: "empty" };
/** A value without a schema, which can only be compared. */
type UnknownPreserved = { readonly kind: "opaque"; readonly json: Json };

export type UrlValue = {
  readonly kind: "url";
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
};

/** 4 or 16 bytes. */
export type IpValue = { readonly kind: "ip"; readonly bytes: readonly number[] };
export type CidrValue = { readonly kind: "cidr"; readonly ip: IpValue; readonly prefixLength: number };
/** `unscaled` times ten to the power of `-scale`; `isBig`: Kubernetes does not hold it in 64 bits. */
export type QuantityValue = {
  readonly kind: "quantity";
  readonly unscaled: bigint;
  readonly scale: number;
  readonly isBig: boolean;
};
export type SemverValue = {
  readonly kind: "semver";
  readonly parts: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
};
export type FormatValue = {
  readonly kind: "format";
  readonly name: string;
  readonly patternSize: number;
  /** What is wrong with a text; nothing if it is of the format. */
  readonly explain: (text: string) => readonly string[];
};

export function buildError(text: string): ErrorValue {
  return { kind: "failure", text };
}

/** Stands for a value from outside that is not there. */
export function buildMissing(name: string): ErrorValue {
  return { ...buildError(""), missing: [name] };
}

/** Of two operands, neither of which decided alone. */
export function joinErrors(one: ErrorValue, other: ErrorValue): ErrorValue {
  if (one.missing === undefined && other.missing === undefined) return one;
  const missing = new Set([...(one.missing ?? []), ...(other.missing ?? [])]);
  return { ...buildError(one.text === "" ? other.text : one.text), missing: [...missing] };
}

export const NO_OVERLOAD = buildError("no such overload");

/** Joins the operands of `||` or `&&`, of which the first has not decided. `decisive`: the value that decides alone. */
export function joinLogical(first: CelValue, second: CelValue, decisive: boolean): CelValue {
  if (second === decisive) return decisive;
  if (first === !decisive && second === !decisive) return !decisive;
  if (isError(first) && isError(second)) return joinErrors(first, second);
  const failure = typeof first === "boolean" ? second : first;
  return isError(failure) ? failure : NO_OVERLOAD;
}

export const OPTIONAL_NONE: OptionalValue = { kind: "optional", value: undefined };

export function isObjectValue(value: CelValue): value is ObjectValue {
  return typeof value === "object" && value !== null;
}

export type OfKind<K extends ObjectValue["kind"]> = Extract<ObjectValue, { kind: K }>;

export function isKind<K extends ObjectValue["kind"]>(value: CelValue, kind: K): value is OfKind<K> {
  return isObjectValue(value) && value.kind === kind;
}

export function isError(value: CelValue): value is ErrorValue {
  return typeof value === "object" && value !== null && value.kind === "failure";
}

export function isList(value: CelValue): value is ListValue {
  return typeof value === "object" && value !== null && value.kind === "list";
}

export function isMap(value: CelValue): value is UnstructuredMap | MapValue {
  return typeof value === "object" && value !== null && (value.kind === "json" || value.kind === "map");
}

export function buildOptional(value: CelValue): OptionalValue {
  return { kind: "optional", value };
}

/** What an optional value holds, however often it is wrapped; undefined if that is nothing. Any other value is its own. */
export function unwrapOptional(value: CelValue | undefined): CelValue | undefined {
  return value !== undefined && isKind(value, "optional") ? unwrapOptional(value.value) : value;
}

export function buildList(values: readonly CelValue[]): ListValue {
  return { kind: "list", json: undefined, items: undefined, type: undefined, values };
}

export function buildBytes(bytes: Uint8Array): BytesValue {
  return { kind: "bytes", bytes };
}

/** What an item of a set is found by; undefined if it is never found. Go can't look up bytes. */
export function formatSetKey(key: CelValue): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "number") return `d${key}`;
  if (isKind(key, "bytes")) throw new PanicError("internal error: hash of unhashable type");
  return undefined;
}

const TYPE_NAMES: { readonly [kind in ObjectValue["kind"]]: string } = {
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
  empty: "google.protobuf.Empty",
  opaque: "unknown",
  url: "kubernetes.URL",
  ip: "net.IP",
  cidr: "net.CIDR",
  quantity: "kubernetes.Quantity",
  semver: "kubernetes.Semver",
  format: "kubernetes.NamedFormat",
};

/** The name of a value's type, as `type` gives it. */
export function getTypeName(value: CelValue): string {
  if (isObjectValue(value)) return TYPE_NAMES[value.kind];
  if (value === null) return "null_type";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  return typeof value === "number" ? "double" : "string";
}

/** A limit of preflight, not a fault of the rule or the object: the rule counts as not evaluated. */
export class UnsupportedError extends Error {
  override readonly name = "NotJudged";
}

/** Makes the API server's own evaluation panic, so that the whole rule fails. */
export class PanicError extends Error {
  override readonly name = "Panicked";
}

/** What an entry is found by. cel-go keeps maps as Go's, so plain values are found by their type and value, and all others only as themselves. */
export function buildMapKey(value: CelValue): MapKey {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value === "boolean") return `b${value}`;
  if (typeof value === "number") return Number.isNaN(value) ? {} : `d${value}`;
  return value === null ? "null" : buildObjectKey(value);
}

function buildObjectKey(value: ObjectValue): MapKey {
  if (value.kind === "uint") return `u${value.value}`;
  if (value.kind === "duration") return `D${value.nanos}`;
  if (value.kind === "timestamp") return value.offset === 0 ? `T${value.seconds}.${value.nanos}` : value;
  if (value.kind === "type") return `t${value.name}`;
  if (value.kind === "ip") return `I${value.bytes.join()}`;
  if (value.kind === "cidr") return `C${value.ip.bytes.join()}/${value.prefixLength}`;
  if (UNHASHABLE.has(value.kind)) throw new PanicError("internal error: runtime error: hash of unhashable type");
  return value;
}

const UNHASHABLE: ReadonlySet<ObjectValue["kind"]> = new Set(["bytes", "semver", "format"]);

type Entries = NonNullable<MapValue["entries"]>;

/** The value of a key. Numbers that are no doubles are also found by a number of another type. */
export function findEntry(entries: Entries, key: CelValue): CelValue | undefined {
  if (entries.size === 0) return undefined;
  const entry = entries.get(buildMapKey(key)) ?? findNumber(entries, key);
  return entry?.[1];
}

function findNumber(entries: Entries, key: CelValue): readonly [CelValue, CelValue] | undefined {
  // cel-go takes -2^63, as a double, for one that no int holds.
  const whole = typeof key === "number" && Number.isInteger(key) && key > -(2 ** 63) ? BigInt(key) : key;
  const number = isKind(whole, "uint") ? whole.value : whole;
  return typeof number === "bigint" ? (entries.get(`i${number}`) ?? entries.get(`u${number}`)) : undefined;
}
