import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parseCommonYaml } from "../../src/encoding/common-yaml/common-yaml.ts";
import { parseDocumentsFully } from "../../src/encoding/yaml.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHARED_CRDS = join(process.env["PREFLIGHT_SHARED"] ?? join(ROOT, "..", "shared"), "crds");

const COMMON: readonly string[] = [
  "a: b\n",
  "a: b",
  "# comment\n\n---\n# another\na: 1 # one\nb: x#y\nc: 'z' # three\n---\n---\nd: e\n",
  "a:\n  b: c\n  d:\n  - e\n  - f: g\n    h: i\n  -\n    - 1\n    -  2\n  - - 3\n    - x: 4\nj:\n  # nothing\nk: ~\n",
  "a: |-\n  foo\n   bar\n\n  baz\nb: |\n\n  x\n  \n\nc: |+\n  y\n\nd: >\n  x\n  y\n\n\n  z\ne: >-\n\n  u\n  v\n",
  "a: 'it''s\n  here\n\n  now  \n  then'\nb: \"x\\ny \\\"z\\\"\n  \\ w\\u00e9\"\nc: ''\n",
  "a: foo\n  bar\n\n  - baz\n   # comment\nb: --flag\nc: -1\n",
  'a: {}\nb: []\nc: [get, "list", 1, [x y], {p: q}]\nd: {x: 1, "y":2, z: {}}\ne: [\n  a,\n  b\n  ]\n',
  '{"a": [1, -2.5e3, true, null, {"b": "c\\n"}],\n "d": {}\n}\n',
  "yes: 1\nno: 2\n".replaceAll(/yes|no/g, (word) => `"${word}"`),
  "a: 014\nb: 0x1F\nc: 1_000\nd: 1e3\ne: yes\nf: off\ng: Null\nh: 1.2.3\ni: 2024-01-01\nj: .5\nk: '1'\n",
  "f.g/h-i_j$k: http://l:80/m,n]o}p\n",
  "",
  "# nothing\n",
];

/** Valid or not: the full parser decides. */
const UNCOMMON: readonly string[] = [
  "a: &x 1\nb: *x\n",
  "a: !!str 1\n",
  "a: {b: 1}\nc:\n  <<: {d: 2}\n",
  "%YAML 1.2\n---\na: b\n",
  "a: b\n...\n",
  "? a\n: b\n",
  "yes: 1\n",
  "1: x\n",
  "__proto__: x\n",
  "a: 1\na: 2\n",
  "a: {b: 1, b: 2}\n",
  "a:\tb\n",
  "a: b\tc\n",
  "a:\n\tb: c\n",
  "a: b\r\nc: d\r\n",
  "a: b: c\n",
  "a: b\n  c: d\n",
  "a:\n   b: c\n  d: e\n",
  "a: |2\n   b\n",
  "a: .nan\n",
  "a: 'b\n",
  'a: "\\x41"\n',
  'a: "b\\\n  c"\n',
  "a: [b\n",
  "a: - b\n",
  "just text\n",
  "a: \u0007\n",
  "a: b\u2028c\n",
  "a: 'b\nc'\n",
  `${"- ".repeat(160)}a\n`,
];

function findDifference(text: string): string | undefined {
  const documents = parseCommonYaml(text);
  if (documents === undefined) return undefined;
  try {
    const expected = parseDocumentsFully(text);
    const kept = documents.filter((document) => document !== null);
    assert.deepEqual({ kind: "documents", documents: kept }, expected);
    return undefined;
  } catch {
    return JSON.stringify(text);
  }
}

test("parses common YAML as the full parser does", () => {
  for (const text of COMMON) {
    assert.notEqual(parseCommonYaml(text), undefined, JSON.stringify(text));
    assert.equal(findDifference(text), undefined);
  }
});

const LITERAL = `|-\n${" ".repeat(20)}text\n`;
const MANIFEST = `data: {}
spec:
  description: ${LITERAL}
  versions:
  - schema:
      openAPIV3Schema:
        description: ${LITERAL}
        default:
          description: ${LITERAL}
        properties:
          description:
            description: ${LITERAL}
            enum:
            - description: ${LITERAL}
            pattern: ${LITERAL}
            x-kubernetes-validations:
            - rule: ${LITERAL}
        not:
          description: ${LITERAL}
          properties:
            description: ${LITERAL}
---
kind: ConfigMap
data:
  dashboard: ${LITERAL}
  other: short
`;

test("leaves out texts that nobody reads of manifests, and only these", () => {
  const [crd, configMap] = parseCommonYaml(MANIFEST, "manifest") ?? [];
  const rule = { rule: "text" };
  const description = {
    description: "-",
    enum: [{ description: "text" }],
    pattern: "text",
    "x-kubernetes-validations": [rule],
  };
  const schema = {
    description: "-",
    default: { description: "text" },
    properties: { description },
    not: { description: "-", properties: { description: "text" } },
  };
  const versions = [{ schema: { openAPIV3Schema: schema } }];
  assert.deepEqual(crd, { data: {}, spec: { description: "text", versions } });
  assert.deepEqual(configMap, { kind: "ConfigMap", data: { dashboard: "-", other: "short" } });
  assert.equal(findDifference(MANIFEST), undefined);
});

test("rejects with texts left out what it rejects with them", () => {
  const random = createRandom(21);
  for (let i = 0; i < 5_000; i += 1) {
    const text = mutate(MANIFEST, random);
    assert.equal(
      parseCommonYaml(text, "manifest") === undefined,
      parseCommonYaml(text) === undefined,
      JSON.stringify(text),
    );
  }
});

test("leaves everything else to the full parser", () => {
  for (const text of UNCOMMON) assert.equal(parseCommonYaml(text), undefined, JSON.stringify(text));
});

/** A linear congruential generator: a failure is the same on every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = [
  ..." :-#'\"|>{}[],&*!%?a01._~y\\\n\t\r",
  ..."\n\n|: |- | #|---\n||-\n|>\n|''|\n  |\n    |null|true|0x1f|1e3|é|<<|...|||+\n|\\n|b: |- - |[a, b]|{a: b}|key:\n|\\ ".split(
    "|",
  ),
];

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text;
  for (let left = random(4); left > 0; left -= 1) {
    const place = random(mutated.length + 1);
    const piece = random(3) === 0 ? "" : (PIECES[random(PIECES.length)] ?? "");
    mutated = mutated.slice(0, place) + piece + mutated.slice(place + (piece === "" || random(2) === 0 ? 1 : 0));
  }
  return mutated;
}

/** Some lines of a text, the least indented of them at the margin. */
function cutLines(text: string, random: (below: number) => number): string {
  const lines = text.split("\n");
  const first = random(Math.max(1, lines.length - 20));
  const cut = lines.slice(first, first + 3 + random(25));
  const margin = Math.min(...cut.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return `${cut.map((line) => line.slice(Number.isFinite(margin) ? margin : 0)).join("\n")}${random(5) === 0 ? "" : "\n"}`;
}

test("agrees with the full parser on damaged YAML wherever it has an answer", () => {
  const random = createRandom(20);
  const files = ["deploy", "src/checks/crd-skew/cases", "demo"].flatMap((folder) => listYaml(join(ROOT, folder)));
  const texts = [...COMMON, ...files.map((file) => readFileSync(file, "utf8"))];
  const differences = Array.from({ length: 20_000 }, () => {
    const text = texts[random(2) === 0 ? random(COMMON.length) : random(texts.length)] ?? "";
    return findDifference(mutate(text.length > 500 ? cutLines(text, random) : text, random));
  });
  assert.deepEqual(
    differences.filter((difference) => difference !== undefined),
    [],
  );
});

function listYaml(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test("knows the YAML of a release", { skip: !existsSync(SHARED_CRDS) && "the shared CRDs are not here" }, () => {
  const files = ["4.12", "4.20"].flatMap((release) => listYaml(join(SHARED_CRDS, release)));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const unknown = files.filter((_, i) => parseCommonYaml(texts[i] ?? "") === undefined);
  assert.ok(unknown.length <= files.length / 50, unknown.join(" "));
  assert.deepEqual(
    texts.map(findDifference).filter((difference) => difference !== undefined),
    [],
  );
});
