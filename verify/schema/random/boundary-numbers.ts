import { type Json, type JsonNumber, type JsonObject, decodeJson, toJsonNumber } from "../../../src/model/json.ts";
import type { Random } from "./random.ts";

const NEIGHBOURS = [-1_024n, -2n, -1n, 0n, 1n, 2n, 1_024n];
const POWERS = [31n, 32n, 53n, 62n, 63n, 64n];
const INTEGERS = POWERS.flatMap((power) => NEIGHBOURS.map((step) => 2n ** power + step));
const FLOATS = [
  ..."0.5 1.5 1.0000000001 4503599627370496.5 1e20 1e21 12345678901234567890123 1e-7 5e-324 1e308".split(" "),
  ..."3.4028234663852886e38 3.4028235677973366e38 3.4028235677973370e38 1.7976931348623157e308".split(" "),
];

/** As API servers write them: a JSON text has no other form of these numbers once it was stored. */
const NUMBERS: readonly JsonNumber[] = [
  0,
  1,
  -1,
  3,
  10,
  ...[...INTEGERS, 9_007_199_254_740_993n * 10n].flatMap((value) => [toJsonNumber(value), toJsonNumber(-value)]),
  ...FLOATS.flatMap((text) => [Number(text), -Number(text)]),
];

/** A number at or beside a limit of Go's integers and floats. */
export function generateBoundaryNumber(random: Random): JsonNumber {
  return random.oneOf(NUMBERS) ?? 0;
}

/** A schema of a number with limits at such numbers. */
export function generateBoundarySchema(random: Random): JsonObject {
  const type = random.pick(["integer", "integer", "number", "number", "mixed"]);
  const format = random.pick([undefined, undefined, "int32", "int64", "float", "double"]);
  return {
    ...(type === "mixed" ? { "x-kubernetes-int-or-string": true } : { type }),
    ...(format === undefined ? {} : { format }),
    ...generateLimits(random),
  };
}

function generateLimits(random: Random): JsonObject {
  const number = (): JsonNumber => generateBoundaryNumber(random);
  switch (random.below(5)) {
    case 0:
      return { maximum: number(), exclusiveMaximum: random.chance(0.3) };
    case 1:
      return { minimum: number(), exclusiveMinimum: random.chance(0.3) };
    case 2:
      return { multipleOf: number() };
    case 3:
      return { enum: [number(), number(), number()] };
    default:
      return {};
  }
}

/** A list of which the API server compares the items: a set, or a map by one or two numbers. */
export function generateBoundaryList(random: Random): readonly [schema: JsonObject, value: Json] {
  const type = random.pick(["integer", "number"]);
  const few = [generateBoundaryNumber(random), generateBoundaryNumber(random)];
  const item = (): JsonNumber => random.oneOf(few) ?? 0;
  const list = { type: "array", "x-kubernetes-list-type": "set", items: { type } };
  if (random.chance(0.4)) return [list, [item(), item(), item()]];
  const keys = random.pick([["a"], ["a", "b"]]);
  const properties = Object.fromEntries(keys.map((key) => [key, { type }]));
  const items = { type: "object", properties, required: keys };
  const build = (): Json => Object.fromEntries(keys.map((key) => [key, item()]));
  return [
    { ...list, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, items },
    [build(), build(), build()],
  ];
}

/** What a number is in the JSON that is sent: the decoded text. */
export function asSent<T extends Json>(value: T): Json {
  return decodeJson(JSON.stringify(value));
}
