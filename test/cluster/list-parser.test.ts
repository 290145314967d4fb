import assert from "node:assert/strict";
import { test } from "node:test";
import { type ListChunk, createListParser } from "../../src/cluster/live/list-parser.ts";
import { type JsonObject, isList, isNumber } from "../../src/model/json.ts";

type Result = {
  readonly items: readonly JsonObject[];
  readonly head: JsonObject;
  readonly ended: boolean;
  readonly hasItems: boolean;
};

function parseInChunks(
  text: string | Buffer,
  cuts: (length: number) => readonly number[],
  largest = 1 << 20,
): Result | ListChunk {
  const bytes = Buffer.from(text);
  const scanner = createListParser(largest);
  const items: JsonObject[] = [];
  let from = 0;
  for (const to of [...cuts(bytes.length), bytes.length]) {
    const scanned = scanner.push(bytes.subarray(from, to));
    if (scanned.kind !== "items") return scanned;
    items.push(...scanned.items);
    from = to;
  }
  return { items, head: scanner.head(), ended: scanner.isComplete(), hasItems: scanner.hasItems() };
}

const everyByte = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);
const whole = (): readonly number[] => [];

const LISTS: readonly string[] = [
  `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"a"},"items":[{"a":1},{"b":[{"items":[1]}]}]}`,
  ` \n{ "items" : [ { "a" : "}]\\"\\\\" } ,\t{ } ] , "metadata" : { "continue" : "x\\u00e9" } , "kind" : "XList" , "apiVersion" : "g/v1" } \r\n`,
  `{"kind":"XList","apiVersion":"v1","items":null,"metadata":{}}`,
  `{"items":[],"kind":"XList"}`,
  `{"kind":"X","metadata":{"items":[{"no":1}]},"extra":"items","more":[1,2],"n":-1.5e3,"t":true,"items":[{"ü":"€😀\\ud83d\\ude00"}]}`,
  `{"it\\u0065ms":[{"a":{}}]}`,
  `{}`,
];

test("keeps the digits of integers, wherever they stand and for any chunking", () => {
  const numbers = ["9007199254740993", "-9223372036854775808", "1234567890123456", "9007199254740993.5", "7"];
  const expected = [2n ** 53n + 1n, -(2n ** 63n), 1_234_567_890_123_456, 2 ** 53 + 2, 7];
  const places = ['{"a":N}', '{"a":[N]}', '{"a":[[1],N,{}]}', '{"a":N,"b":"c"}', '{"a" : [ {}, N ] }'];
  for (const [i, number] of numbers.entries()) {
    const text = `{"items":[${places.join(",").replaceAll("N", number)}]}`;
    for (const cuts of [whole, everyByte]) {
      const result = parseInChunks(text, cuts);
      const found = "items" in result ? result.items.map(({ a }) => (isList(a) ? a.find(isNumber) : a)) : [];
      assert.deepEqual(
        found,
        places.map(() => expected[i]),
        number,
      );
    }
  }
});

for (const text of LISTS) {
  test(`extracts the items of ${text.trim().slice(0, 50)} for any chunking`, () => {
    const expected: { items?: unknown; kind?: unknown; metadata?: unknown } = JSON.parse(text);
    for (const cuts of [whole, everyByte]) {
      const result = parseInChunks(text, cuts);
      assert.ok("items" in result && "head" in result, JSON.stringify(result));
      assert.deepEqual(result.items, expected.items ?? []);
      assert.deepEqual([result.head["kind"], result.head["metadata"]], [expected.kind, expected.metadata]);
      assert.deepEqual([result.ended, result.hasItems], [true, "items" in expected]);
    }
  });
}

const NOT_LISTS: readonly string[] = [
  "<html></html>",
  "[]",
  `"items"`,
  `{"items":{}}`,
  `{"items":"x"}`,
  `{"items":[1]}`,
  `{"items":[[]]}`,
  `{"items":[{},]}`,
  `{"items":[,{}]}`,
  `{"items":[{} {}]}`,
  `{"items":[{"a":}]}`,
  `{"items":[{"a":[}]}]}`,
  `{"items":[]"kind":1}`,
  `{"items":[],}`,
  `{"items":[]}{`,
  `{"items":[],"items":[]}`,
  `{items:[]}`,
  `{"kind" "X"}`,
  `{"kind":tru}`,
];

for (const text of NOT_LISTS) {
  test(`rejects ${text}`, () => {
    for (const cuts of [whole, everyByte]) {
      const result = parseInChunks(text, cuts);
      assert.ok("kind" in result && result.kind === "notUnderstood", JSON.stringify(result));
    }
  });
}

test("reports a list that is truncated anywhere as not ended", () => {
  const [text = ""] = LISTS;
  for (let end = 0; end < text.length; end++) {
    const result = parseInChunks(text.slice(0, end), whole);
    assert.ok("ended" in result && !result.ended, `${end}`);
  }
});

test("rejects an object over the size limit before it is complete", () => {
  const long = `{"items":[{"a":"${"x".repeat(100)}`;
  assert.deepEqual(parseInChunks(long, everyByte, 50), { kind: "tooLarge" });
  assert.equal("items" in parseInChunks(`{"items":[{"a":1},{"b":2}]}`, whole, 50), true);
});

test("agrees with JSON.parse on 400 random lists in random chunks", () => {
  const random = createRandom(20261121);
  for (let round = 0; round < 400; round++) {
    const list = randomList(random);
    const text = JSON.stringify(list, null, random() < 0.3 ? 1 : undefined);
    const result = parseInChunks(text, (length) => everyByte(length).filter(() => random() < 0.2));
    assert.ok("head" in result, `round ${round}: ${JSON.stringify(result)}`);
    assert.deepEqual(result.items, list["items"], `round ${round}`);
    assert.equal(result.ended, true);
  }
});

test("agrees with JSON.parse on broken input: 2,000 lists with one byte changed or removed", () => {
  const random = createRandom(7);
  let refused = 0;
  for (let round = 0; round < 2000; round++) {
    const bytes = [
      ...Buffer.from(JSON.stringify({ kind: "XList", items: [randomObject(random, 2)], apiVersion: "v1" })),
    ];
    const at = Math.floor(random() * bytes.length);
    bytes.splice(at, 1, ...(random() < 0.5 ? [] : [Math.floor(random() * 128)]));
    const text = Buffer.from(bytes);
    const result = parseInChunks(text, (length) => [Math.floor(length / 2)]);
    const expected = parseWhole(text.toString());
    const understood = "ended" in result && result.ended;
    if (expected === undefined) {
      assert.equal(understood, false, text.toString());
      refused++;
    } else if (understood) assert.deepEqual(result.items, expected["items"] ?? []);
  }
  assert.ok(refused > 200);
});

function parseWhole(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// No key ends in a backslash: after one, Node 24's JSON.parse mistakes the key '"' for it.
const KEYS = ["items", "a", '"', "\\n", "{", "]", "ü", "😀", "kind", "__proto__x", ""];

function randomList(random: () => number): JsonObject {
  const items = Array.from({ length: Math.floor(random() * 6) }, () => randomObject(random, 3));
  const entries: [string, JsonObject[string]][] = [
    ["items", items],
    ["kind", "XList"],
    ["metadata", randomObject(random, 2)],
    ["apiVersion", "v1"],
    ["extra", randomValue(random, 3)],
  ];
  return Object.fromEntries(entries.toSorted(() => random() - 0.5));
}

function randomObject(random: () => number, depth: number): JsonObject {
  const count = Math.floor(random() * 4);
  return Object.fromEntries(
    Array.from({ length: count }, () => [pickOne(random, KEYS), randomValue(random, depth - 1)]),
  );
}

function randomValue(random: () => number, depth: number): JsonObject[string] {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return Math.floor(random() * 1e9) / (random() < 0.5 ? 1 : 1000);
  if (kind < 5) return Array.from({ length: Math.floor(random() * 8) }, () => pickOne(random, KEYS)).join(" ");
  if (kind === 5) return randomObject(random, depth);
  return Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
}

function pickOne(random: () => number, from: readonly string[]): string {
  return from[Math.floor(random() * from.length)] ?? "";
}
