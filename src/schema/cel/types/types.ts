export type TypeKind =
  | "any"
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "parameter"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "uint";

/** A type of CEL. `fields`: of an object of the schema, what the schema says of it. */
export type Type = {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
  readonly fields?: ReadonlyMap<string, ValueType>;
  /** Those that every object of the schema has. */
  readonly required?: ReadonlySet<string>;
  /** A wrapper of a plain type, which may be null. */
  readonly isWrapper?: boolean;
};

/**
 * A schema's values as rules see them: their type, the most elements of one value (characters, items, entries), and the fewest bytes of one
 * as JSON. Both bounds are inputs of the cost estimate.
 */
export type ValueType = {
  readonly type: Type;
  readonly most: number;
  readonly leastBytes: number;
  readonly fields: ReadonlyMap<string, ValueType> | undefined;
  readonly key: ValueType | undefined;
  readonly element: ValueType | undefined;
};

function plain(kind: TypeKind, name: string = kind): Type {
  return { kind, name, parameters: [] };
}

export const ANY = plain("any", "google.protobuf.Any");
export const BOOL = plain("bool");
export const BYTES = plain("bytes");
export const DOUBLE = plain("double");
export const DURATION = plain("duration", "google.protobuf.Duration");
export const DYN = plain("dyn");
export const ERROR = plain("error", "!error!");
export const INT = plain("int");
export const NULL = plain("null", "null_type");
export const STRING = plain("string");
export const TIMESTAMP = plain("timestamp", "google.protobuf.Timestamp");
export const TYPE = plain("type");
export const UINT = plain("uint");

export function listType(item: Type): Type {
  return { kind: "list", name: "list", parameters: [item] };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: "map", name: "map", parameters: [key, value] };
}

export function opaqueType(name: string, ...parameters: readonly Type[]): Type {
  return { kind: "opaque", name, parameters };
}

export function optionalType(value: Type): Type {
  return opaqueType("optional_type", value);
}

export function parameterType(name: string): Type {
  return plain("parameter", name);
}

export function structType(name: string): Type {
  return plain("struct", name);
}

export function typeType(of: Type): Type {
  return { kind: "type", name: "type", parameters: [of] };
}

export function isDyn(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "any";
}

export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === "error";
}

/** The type within an optional one. */
export function unwrapped(type: Type): Type | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? (type.parameters[0] ?? DYN) : undefined;
}

/** Parameters are the same by their names (`exact`) or in any case. */
export function isSameType(a: Type, b: Type, exact: boolean): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.parameters.length !== b.parameters.length) return false;
  if ((exact || a.kind !== "parameter") && a.name !== b.name) return false;
  return a.parameters.every((parameter, i) => isSameType(parameter, b.parameters[i] ?? ERROR, exact));
}

/** A type as messages name it. */
export function typeText(type: Type): string {
  if (type.kind === "struct") return type.fields ? "object" : type.name;
  if (type.kind === "duration" || type.kind === "timestamp" || type.kind === "null") return type.kind;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(typeText).join(", ")})`;
}

/** The only value of the only enumeration. */
export const NULL_VALUE = "google.protobuf.NullValue.NULL_VALUE";

/** Is it the name of a type that a value can have? */
export function isTypeName(name: string): boolean {
  return TYPES.has(name);
}

const A = parameterType("A");
/** The types that values can have, by name. */
export const TYPES: ReadonlyMap<string, Type> = new Map([
  ["bool", BOOL],
  ["bytes", BYTES],
  ["double", DOUBLE],
  ["google.protobuf.Duration", DURATION],
  ["int", INT],
  ["list", listType(A)],
  ["map", mapType(A, parameterType("B"))],
  ["null_type", NULL],
  ["string", STRING],
  ["google.protobuf.Timestamp", TIMESTAMP],
  ["type", TYPE],
  ["uint", UINT],
  ["google.protobuf.Empty", structType("google.protobuf.Empty")],
  ["net.IP", opaqueType("net.IP")],
  ["net.CIDR", opaqueType("net.CIDR")],
  ["optional_type", opaqueType("optional_type")],
]);

function wrapper(type: Type): Type {
  return { ...type, isWrapper: true };
}

const UNUSABLE: ReadonlyMap<string, Type> = new Map([
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["google.protobuf.Any", ANY],
  ["google.protobuf.Value", DYN],
  ["google.protobuf.ListValue", listType(DYN)],
  ["google.protobuf.Struct", mapType(STRING, DYN)],
  ["google.protobuf.BoolValue", wrapper(BOOL)],
  ["google.protobuf.BytesValue", wrapper(BYTES)],
  ["google.protobuf.DoubleValue", wrapper(DOUBLE)],
  ["google.protobuf.FloatValue", wrapper(DOUBLE)],
  ["google.protobuf.Int32Value", wrapper(INT)],
  ["google.protobuf.Int64Value", wrapper(INT)],
  ["google.protobuf.StringValue", wrapper(STRING)],
  ["google.protobuf.UInt32Value", wrapper(UINT)],
  ["google.protobuf.UInt64Value", wrapper(UINT)],
]);

/** The type of a name, whether or not a value can have it. */
export function findNamedType(name: string): Type | undefined {
  return TYPES.get(name) ?? UNUSABLE.get(name);
}
