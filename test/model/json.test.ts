import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Json,
  at,
  compareText,
  decodeJson,
  flagAt,
  formatCanonicalJson,
  isDeeperThan,
  isList,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseJson,
  parseObject,
  textAt,
  textsAt,
  findOwn,
  isDifferent,
} from "../../src/model/json.ts";
import { mapTexts } from "../../src/model/visible-text.ts";
import { formatSchemaText } from "../../src/model/crd.ts";

const VALUES: readonly Json[] = ["a", 1, true, null, [1], { a: 1 }];

test("an integer of 64 bits keeps its digits, and every other number is a double", () => {
  const decoded = {
    "[9007199254740991, 9007199254740992, 1234567890123456]": [2 ** 53 - 1, 2n ** 53n, 1_234_567_890_123_456],
    '{"a": 9223372036854775807,"b":-9223372036854775808}': { a: 2n ** 63n - 1n, b: -(2n ** 63n) },
    '{"a":9223372036854775808,"b":-9223372036854775809}': { a: 2 ** 63, b: -(2 ** 63) },
    "[9007199254740993.0,9007199254740993e0,1e19, 18446744073709551616]": [2 ** 53, 2 ** 53, 1e19, 2 ** 64],
    "9007199254740993": 2n ** 53n + 1n,
  };
  for (const [text, value] of Object.entries(decoded)) {
    assert.deepEqual(decodeJson(text), value, text);
  }
  assert.equal(at(decodeJson('{"a":"x:9007199254740993,","__proto__":9007199254740993}'), "__proto__"), 2n ** 53n + 1n);
});

test("a bigint is written with its digits, wherever JSON is written", () => {
  const value = { b: [2n ** 63n - 1n], a: -(2n ** 63n) };
  assert.equal(JSON.stringify(value), '{"b":[9223372036854775807],"a":-9223372036854775808}');
  assert.equal(formatCanonicalJson(value), '{"a":-9223372036854775808,"b":[9223372036854775807]}');
  assert.deepEqual(decodeJson(JSON.stringify(value)), value);
  assert.equal(numberAt(value, "a"), -(2 ** 63));
});

test("each type is read as itself alone", () => {
  const read = (take: (value: Json, key: string) => unknown): readonly unknown[] => [
    ...VALUES.map((a) => take({ a }, "a")),
    take({}, "a"),
  ];
  assert.deepEqual(VALUES.map(isObject), [false, false, false, false, false, true]);
  assert.deepEqual(VALUES.map(isList), [false, false, false, false, true, false]);
  assert.deepEqual(read(textAt), ["a", ...Array.from({ length: 6 }, () => undefined)]);
  assert.deepEqual(read(numberAt), [undefined, 1, undefined, undefined, undefined, undefined, undefined]);
  assert.deepEqual(read(flagAt), [undefined, undefined, true, undefined, undefined, undefined, undefined]);
  assert.deepEqual(read(listAt), [[], [], [], [], [1], [], []]);
  assert.deepEqual(read(objectAt), [{}, {}, {}, {}, {}, { a: 1 }, {}]);
  assert.deepEqual(textsAt({ a: VALUES }, "a"), ["a"]);
});

test("a path leads through keys and indexes that a value has itself", () => {
  const value = { a: [{ b: 1 }], "0": "c" };
  const paths = [["a", 0, "b"], ["a", "0"], ["a", "length"], ["a", 1], ["b"], ["constructor"], ["0"], ["0", 0], []];
  const found = paths.map((path) => at(value, ...path));
  assert.deepEqual(found, [1, undefined, undefined, undefined, undefined, undefined, "c", undefined, value]);
  assert.equal(at(undefined), undefined);
});

test("a text is JSON, a JSON object or neither", () => {
  const texts = ['{"a":1}', "[1]", "null", "a", ""];
  assert.deepEqual(texts.map(parseJson), [{ a: 1 }, [1], null, undefined, undefined]);
  assert.deepEqual(texts.map(parseObject), [{ a: 1 }, undefined, undefined, undefined, undefined]);
});

test("a value is as deep as its deepest item", () => {
  const value = [1, { a: [] }, null];
  assert.deepEqual(
    [0, 1, 2, 3].map((levels) => isDeeperThan(value, levels)),
    [true, true, true, false],
  );
});

test("equal values have one canonical text", () => {
  const text = '{"B":null,"a":[true,"x",{"c":1,"d":2}],"b":1.5}';
  assert.equal(formatCanonicalJson({ b: 1.5, a: [true, "x", { d: 2, c: 1 }], B: null }), text);
  assert.deepEqual(
    [compareText("a", "b"), compareText("b", "a"), compareText("a", "a"), compareText("B", "a")],
    [-1, 1, 0, -1],
  );
});

test("absent fields differ from none, and no field is inherited", () => {
  const pairs = [
    ["a", "b"],
    ["a", "a"],
    ["a", undefined],
    [undefined, "a"],
    [undefined, undefined],
  ] as const;
  assert.deepEqual(
    pairs.map(([a, b]) => isDifferent(a, b)),
    [true, false, false, false, false],
  );
  assert.deepEqual([findOwn({ a: 1 }, "a"), findOwn({ a: 1 }, "constructor")], [1, undefined]);
});

test("texts and keys of plain values are mapped, down to a hundred levels", () => {
  const up = (text: string): string => text.toUpperCase();
  assert.deepEqual(mapTexts({ a: ["b", { c: 1 }], d: null }, up), { A: ["B", { C: 1 }], D: null });
  const same = { A: ["B", { C: 1 }] };
  assert.equal(mapTexts(same, up), same);
  assert.deepEqual(mapTexts({ A: ["B", "c"], D: "e", F: "G" }, up), { A: ["B", "C"], D: "E", F: "G" });
  const error = Object.assign(new Error("a"), { code: "b" });
  assert.deepEqual(mapTexts({ A: "b" }, up), { A: "B" });
  for (const other of [new Date(0), new Set(["a"]), error]) assert.equal(mapTexts(other, up), other);
  const bare: unknown = Object.assign(Object.create(null), { a: "b" });
  assert.deepEqual({ ...Object(mapTexts(bare, up)) }, { A: "B" });
  const nest = (levels: number): Json => (levels === 0 ? "a" : [nest(levels - 1)]);
  const nestObjects = (levels: number): Json => (levels === 0 ? "a" : { a: nestObjects(levels - 1) });
  const cut = [nest(101), nest(102), nestObjects(101), nestObjects(102)].map((value) =>
    JSON.stringify(mapTexts(value, up)).replaceAll(/[^\w"]|"A"(?=:)/g, ""),
  );
  assert.deepEqual(cut, ['"A"', "null", '"A"', "null"]);
});

test("a schema's text leaves descriptions out where they are no data", () => {
  const described = { description: "x", type: "string" };
  const schemas: readonly (readonly [schema: Record<string, Json>, text: string])[] = [
    [{}, "{}"],
    [{ description: "x" }, "{}"],
    [described, '{"type":"string"}'],
    [{ description: { a: 1 } }, '{"description":{"a":1}}'],
    [
      { type: "object", properties: { b: described, a: described, description: described } },
      '{"properties":{"a":{"type":"string"},"b":{"type":"string"},"description":{"type":"string"}},"type":"object"}',
    ],
    [{ properties: { default: described } }, '{"properties":{"default":{"type":"string"}}}'],
    [{ properties: { a: null, b: 1 } }, '{"properties":{"a":null,"b":1}}'],
    [{ items: described }, '{"items":{"type":"string"}}'],
    [
      { allOf: [described, true, { items: described }] },
      '{"allOf":[{"description":"-","type":"string"},true,{"items":{"description":"-","type":"string"}}]}',
    ],
    [{ not: described, a: [described] }, '{"a":[{"type":"string"}],"not":{"description":"-","type":"string"}}'],
    [{ not: { description: "" } }, '{"not":{}}'],
    [
      { default: described, enum: [described], a: null, b: 1 },
      '{"a":null,"b":1,"default":{"description":"x","type":"string"},"enum":[{"description":"x","type":"string"}]}',
    ],
  ];
  assert.deepEqual(
    schemas.map(([schema]) => formatSchemaText(schema)),
    schemas.map(([, text]) => text),
  );
});
