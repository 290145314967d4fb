import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
  listType,
  mapType,
  opaqueType,
  parameterType,
  structType,
} from "./types.ts";

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
