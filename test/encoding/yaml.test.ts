import assert from "node:assert/strict";
import test from "node:test";
import { parseDocuments } from "../../src/encoding/yaml.ts";

function parseScalar(scalar: string): unknown {
  const parsed = parseDocuments(`value: ${scalar}\n`);
  assert.equal(parsed.kind, "documents", `${scalar}: ${JSON.stringify(parsed)}`);
  const [document] = parsed.kind === "documents" ? parsed.documents : [];
  return Object.entries(document ?? {})[0]?.[1];
}

/** How sigs.k8s.io/yaml 1.6.0 parses each scalar. */
const SCALARS: readonly (readonly [yaml: string, value: unknown])[] = [
  ["yes", true],
  ["Yes", true],
  ["yEs", "yEs"],
  ["y", true],
  ["N", false],
  ["on", true],
  ["Off", false],
  ["TRUE", true],
  ["tRUE", "tRUE"],
  ['"on"', "on"],
  ["~", null],
  ["", null],
  ["Null", null],
  ["nULL", "nULL"],
  ["0", 0],
  ["014", 12],
  ["-014", -12],
  ["0o14", 12],
  ["0O14", 12],
  ["08", 8],
  ["0o8", "0o8"],
  ["0x1F", 31],
  ["-0x1f", -31],
  ["0b101", 5],
  ["0b2", "0b2"],
  ["1_000", 1000],
  ["_1", "_1"],
  ["+1", 1],
  ["1e3", 1000],
  ["1E+3", 1000],
  ["1.", 1],
  ["1.0", 1],
  [".5", 0.5],
  ["-.5", -0.5],
  ["1_0.5", 10.5],
  [".", "."],
  ["1e400", "1e400"],
  ["e3", "e3"],
  ["9223372036854775807", 9223372036854775807n],
  ["18446744073709551615", 2 ** 64],
  ["18446744073709551616", 2 ** 64],
  ["9007199254740991", 9007199254740991],
  ["-9223372036854775808", -9223372036854775808n],
  ["9007199254740993.0", 9007199254740992n],
  ["1e18", 1000000000000000000n],
  ["1e19", 1e19],
  ["0x1ffffffffffffffff", "0x1ffffffffffffffff"],
  ["2024-01-01", "2024-01-01"],
  ["2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"],
  ["1:30", "1:30"],
  ["1.2.3", "1.2.3"],
  ["!!str 1", "1"],
  ['!!int "3"', 3],
  ["!!float 3", 3],
  ["!!bool yes", true],
  ["!!binary aGVsbG8=", "hello"],
  ["!!timestamp 2024-01-01", "2024-01-01"],
  ["infinity", "infinity"],
];

test("parses scalars as the Kubernetes tools do", () => {
  for (const [yaml, value] of SCALARS) {
    assert.deepEqual(parseScalar(yaml), value, yaml);
  }
});

test("parses keys, merge keys, escapes and markers as the Kubernetes tools do", () => {
  const cases: readonly (readonly [yaml: string, value: unknown])[] = [
    ["yes: 1\n014: 2\n1.5: 3\n", { true: 1, 12: 2, 1.5: 3 }],
    ["a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
    ["d:\n  <<: [{b: 1, c: 2}, {c: 5, e: 6}]\n", { d: { b: 1, c: 2, e: 6 } }],
    ['{"a":\n\t"\\u00e9\\/\\ud83d\\ude00"}', { a: "é/😀" }],
    ["%YAML 1.1\n---\na: yes\n...\n", { a: true }],
    ["a: |\n  x\n  y\n", { a: "x\ny\n" }],
  ];
  for (const [yaml, value] of cases) {
    assert.deepEqual(parseDocuments(yaml), { kind: "documents", documents: [value] }, yaml);
  }
});

/** The styles that manifests are written in. */
const STYLES: readonly (readonly [yaml: string, documents: readonly unknown[]])[] = [
  [
    "# comment\n\n---\n# another\na: 1 # one\nb: x#y\nc: 'z' # three\n---\n---\nd: e\n",
    [{ a: 1, b: "x#y", c: "z" }, { d: "e" }],
  ],
  [
    "a:\n  b: c\n  d:\n  - e\n  - f: g\n    h: i\n  -\n    - 1\n    -  2\n  - - 3\n    - x: 4\nj:\n  # nothing\nk: ~\n",
    [{ a: { b: "c", d: ["e", { f: "g", h: "i" }, [1, 2], [3, { x: 4 }]] }, j: null, k: null }],
  ],
  [
    "a: |-\n  foo\n   bar\n\n  baz\nb: |\n\n  x\n  \n\nc: |+\n  y\n\nd: >\n  x\n  y\n\n\n  z\ne: >-\n\n  u\n  v\n",
    [{ a: "foo\n bar\n\nbaz", b: "\nx\n", c: "y\n\n", d: "x y\n\nz\n", e: "\nu v" }],
  ],
  [
    "a: 'it''s\n  here\n\n  now  \n  then'\nb: \"x\\ny \\\"z\\\"\n  \\ w\\u00e9\"\nc: ''\n",
    [{ a: "it's here\nnow then", b: 'x\ny "z"  wé', c: "" }],
  ],
  ["a: foo\n  bar\n\n  - baz\n   # comment\nb: --flag\nc: -1\n", [{ a: "foo bar\n- baz", b: "--flag", c: -1 }]],
  [
    'a: {}\nb: []\nc: [get, "list", 1, [x y], {p: q}]\nd: {x: 1, "y":2, z: {}}\ne: [\n  a,\n  b\n  ]\n',
    [{ a: {}, b: [], c: ["get", "list", 1, ["x y"], { p: "q" }], d: { x: 1, y: 2, z: {} }, e: ["a", "b"] }],
  ],
  [
    '{"a": [1, -2.5e3, true, null, {"b": "c\\n"}],\n "d": {}\n}\n',
    [{ a: [1, -2500, true, null, { b: "c\n" }], d: {} }],
  ],
  ['"yes": 1\n"no": 2\n', [{ yes: 1, no: 2 }]],
  [
    "a: 014\nb: 0x1F\nc: 1_000\nd: 1e3\ne: yes\nf: off\ng: Null\nh: 1.2.3\ni: 2024-01-01\nj: .5\nk: '1'\n",
    [{ a: 12, b: 31, c: 1000, d: 1000, e: true, f: false, g: null, h: "1.2.3", i: "2024-01-01", j: 0.5, k: "1" }],
  ],
  ["f.g/h-i_j$k: http://l:80/m,n]o}p\n", [{ "f.g/h-i_j$k": "http://l:80/m,n]o}p" }]],
];

test("parses every style of collections and scalars", () => {
  for (const [yaml, documents] of STYLES)
    assert.deepEqual(parseDocuments(yaml), { kind: "documents", documents }, yaml);
});

test("treats __proto__ as an ordinary key", () => {
  const parsed = parseDocuments("__proto__: {polluted: true}\n");
  const [document] = parsed.kind === "documents" ? parsed.documents : [];
  assert.deepEqual(Object.keys(document ?? {}), ["__proto__"]);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

test("reads several documents, and skips empty ones", () => {
  assert.deepEqual(parseDocuments("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n"), {
    kind: "documents",
    documents: [{ a: 1 }, { b: 2 }],
  });
  assert.deepEqual(parseDocuments(""), { kind: "documents", documents: [] });
});

const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
  .concat([..."bcdefghij"].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghi"[i]}`).join(", ")}]`))
  .join("\n");
const chain = Array.from({ length: 1000 }, (_, i) => `a${i + 1}: &a${i + 1} [${i === 0 ? "x" : `*a${i}`}]`).join("\n");

const keys = Array.from({ length: 100 }, (_, i) => `k${i}: ${i}`).join(", ");
const merges = `a: &a {${keys}}\n${Array.from({ length: 200 }, (_, i) => `m${i}: {<<: *a}`).join("\n")}\n`;

test("rejects YAML that can't be read safely, with the line if it is known", () => {
  const cases: readonly (readonly [why: string, yaml: string, message: RegExp])[] = [
    ["duplicate key", "a: 1\nb: 2\na: 3\n", /^line 3: duplicated mapping key/],
    ["duplicate key in JSON", '{"a": 1, "a": 2}', /duplicated mapping key/],
    ["syntax", "a: 1\nb: [1,\n", /^line \d+: /],
    ["unknown alias", "a: *nobody\n", /^line 1: /],
    ["not a JSON number", "a: .inf\n", /not valid JSON/],
    ["bomb", bomb, /expand to more than/],
    ["control characters", "a: \0\n", /control characters/],
    ["cycle", "a: &x [*x]\n", /nested more than 200|line 1/],
    ["deep by aliases", chain, /nested more than 200/],
    ["deep", "[".repeat(5000), /line 1: /],
    ["very deep", "[".repeat(200_000), /line 1: /],
    ["merge bomb", merges, /merge/],
  ];
  for (const [why, yaml, message] of cases) {
    const parsed = parseDocuments(yaml);
    assert.equal(parsed.kind, "invalid", why);
    assert.match(parsed.kind === "invalid" ? parsed.message : "", message, why);
    assert.doesNotMatch(parsed.kind === "invalid" ? parsed.message : "", /\n/, why);
  }
});

test("rejects a text with far more values than any manifest before it consumes memory", () => {
  const many: readonly (readonly [what: string, text: string])[] = [
    ["empty objects", `{"kind":"CustomResourceDefinition","spec":{"x":[${"{},".repeat(2_700_000)}{}]}}`],
    ["lines", "- a\n".repeat(3_500_000)],
    ["flow items", `[${"a,".repeat(7_000_000)}a]`],
    ["keys", `{${"a: 1,".repeat(500_000)}}`],
  ];
  for (const [what, text] of many) {
    assert.deepEqual(parseDocuments(text), { kind: "invalid", message: "it has more than 400000 values" }, what);
  }
});
