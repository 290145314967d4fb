import { type CelValue, type MapKey, type MapValue, type ObjectValue, PanicError, isKind } from "./value.ts";

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
  const whole = typeof key === "number" && Number.isInteger(key) ? BigInt(key) : key;
  const number = isKind(whole, "uint") ? whole.value : whole;
  return typeof number === "bigint" ? (entries.get(`i${number}`) ?? entries.get(`u${number}`)) : undefined;
}
