import {
  type Json,
  type JsonObject,
  at,
  isList,
  isObject,
  listAt,
  textAt,
  textsAt,
} from "../../../../src/model/json.ts";
import type { Random } from "../../../../verify/schema/random/random.ts";

/** Strings and numbers that occur in the rules of a schema, or that nearly satisfy them. */
export type Literals = { readonly texts: readonly string[]; readonly numbers: readonly number[] };

const PARTS =
  "a a.b.c example.com https://example.com/x?y=z http://h:8080 https://a.example.com:6443/ file:///x " +
  "10.0.0.0/8 10.0.0.1 fd00::1 fd00::/64 ::ffff:1.2.3.4 192.168.1.0/24 0.0.0.0/0 300.1.1.1 " +
  "1h 30s 90m 5 0 1 -1 100Mi 1.5 2k 10% 110% x=y a/b a/b/c v1.2.3 1.2.3-rc.1 ABC a_b -a a- ' ' \u00e9 " +
  "arn:aws:iam::123456789012:role/x projects/p/locations/global/keyRings/r/cryptoKeys/k *.example.com " +
  "quay.io/a/b@sha256:" +
  "0".repeat(64);

/** The literals of all rules in the schema. */
export function collectLiterals(schema: Json): Literals {
  const rules = [...rulesIn(schema)];
  const texts = rules.flatMap((rule) =>
    [...rule.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map((found) => found[1] ?? found[2] ?? ""),
  );
  const numbers = rules.flatMap((rule) => [...rule.matchAll(/\b\d+\b/g)].map(([digits]) => Number(digits)));
  return {
    texts: [...new Set([...texts, ...texts.map(unquotePattern), ...PARTS.split(" ")])],
    numbers: [...new Set([0, 1, 2, ...numbers])],
  };
}

/** A pattern without its special characters, which is often nearly a match. */
function unquotePattern(pattern: string): string {
  return pattern.replaceAll(/\\\\|[\^$()*+?]|\{[\d,]*\}|\[\^?([^\]])[^\]]*\]/g, "$1");
}

function* rulesIn(value: Json): Generator<string> {
  if (isList(value)) for (const item of value) yield* rulesIn(item);
  else if (isObject(value)) {
    for (const rule of listAt(value, "x-kubernetes-validations")) yield textAt(rule, "rule") ?? "";
    for (const item of Object.values(value)) yield* rulesIn(item);
  }
}

/** The value with some of its strings and numbers replaced by literals of the rules, and some fields omitted. */
export function insertLiterals(value: Json, schema: Json | undefined, literals: Literals, random: Random): Json {
  if (isList(value)) return value.map((item) => insertLiterals(item, at(schema, "items"), literals, random));
  if (isObject(value)) return insertLiteralsIntoObject(value, schema, literals, random);
  if (listAt(schema, "enum").length > 0 || (textAt(schema, "format") ?? "").startsWith("date")) return value;
  if (typeof value === "string" && textAt(schema, "type") === "string" && random.chance(0.4))
    return pickText(literals, random);
  if (typeof value === "number" && Number.isInteger(value) && random.chance(0.4)) {
    return (random.oneOf(literals.numbers) ?? 0) + random.pick([0, 0, 1, -1]);
  }
  return value;
}

function pickText(literals: Literals, random: Random): string {
  const one = random.oneOf(literals.texts) ?? "";
  if (random.chance(0.7)) return one;
  const other = random.oneOf(literals.texts) ?? "";
  return random.pick([
    one + other,
    `${one}.${other}`,
    `${one}/${other}`,
    one.slice(1),
    one.slice(0, -1),
    one.toUpperCase(),
  ]);
}

function insertLiteralsIntoObject(
  object: JsonObject,
  schema: Json | undefined,
  literals: Literals,
  random: Random,
): JsonObject {
  const properties = at(schema, "properties");
  const required = new Set(textsAt(schema, "required"));
  const entries = Object.entries(object).flatMap(([key, value]): [string, Json][] => {
    if (random.chance(required.has(key) ? 0.002 : 0.1) && key !== "apiVersion" && key !== "kind" && key !== "metadata")
      return [];
    return [[key, insertLiterals(value, at(properties, key) ?? at(schema, "additionalProperties"), literals, random)]];
  });
  return Object.fromEntries(entries);
}
