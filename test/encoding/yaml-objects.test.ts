import assert from "node:assert/strict";
import { test } from "node:test";
import { findListKind, readYamlObjects } from "../../src/encoding/yaml-objects.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { readCpuSeconds } from "../support/cpu-seconds.ts";

/** One byte at a time, so that every boundary between chunks is tried. */
async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
}

async function parse(text: string): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const object of readYamlObjects(toChunks(text))) objects.push(object);
  return objects;
}

const SCRIPT = "items:\n- not an item\n---\n  deeper\n\n";
const A = { kind: "A", metadata: { name: "ä" }, data: { script: SCRIPT, list: ["x", { z: 1 }] } };
const B = { kind: "B" };

for (const [what, text] of [
  [
    "items without indentation, as oc writes them",
    '---\napiVersion: v1\nitems:\n- data:\n    list:\n    - x\n    - z: 1\n    script: |+\n      items:\n      - not an item\n      ---\n        deeper\n\n  kind: A\n  metadata:\n    name: ä\n- kind: B\nkind: List\nmetadata:\n  resourceVersion: ""\n',
  ],
  [
    "indented items",
    'kind: List\nitems:\n  - data:\n      list: [x, {z: 1}]\n      script: "items:\\n- not an item\\n---\\n  deeper\\n\\n"\n    kind: A\n    metadata: {name: ä}\n  -\n    kind: B\n',
  ],
  ["a flow list", JSON.stringify({ kind: "List", items: [A, B] })],
  ["JSON of several lines", `${JSON.stringify({ kind: "List", items: [A, B] }, undefined, 2)}\n`],
  ["documents", `${JSON.stringify(A)}\n---\nkind: B\n...\n---\n# nothing\n`],
  ["lines of Windows", JSON.stringify({ items: [A, B] }, undefined, 2).replaceAll("\n", "\r\n")],
] as const)
  test(`reads ${what}`, async () => assert.deepEqual(await parse(text), [A, B]));

test("reads an empty list, and an object", async () => {
  for (const text of ["", "---\n", "kind: List\nitems: []\n", "items:\nkind: List\n", '{"items": null}'])
    assert.deepEqual(await parse(text), [], text);
  assert.deepEqual(await parse("kind: B\n"), [B]);
});

test("refuses what is not an object, not YAML or too large", async () => {
  await assert.rejects(parse("items:\n- text\n"), /not an object/);
  await assert.rejects(parse("items:\n- a: [\n"), /not valid YAML/);
  const huge = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from("kind: |\n");
    for (let i = 0; i < 18; i += 1) yield Buffer.from(`  ${"x".repeat(1 << 20)}\n`);
  };
  await assert.rejects(async () => {
    for await (const _object of readYamlObjects(huge()));
  }, /more than 16 MiB/);
});

test("finds the kind of a list behind its items", async () => {
  const text = "apiVersion: v1\nitems:\n- metadata:\n    name: a\n  kind: X\nkind: SecretList\n";
  assert.deepEqual(await findListKind(toChunks(text)), { apiVersion: "v1", kind: "SecretList" });
  assert.equal(await findListKind(toChunks("apiVersion: v1\nkind: Secret\n")), undefined);
});

test("a long line in small pieces is read once, not once for each of them", async () => {
  const text = JSON.stringify({ kind: "A", data: "x".repeat(1 << 18) });
  const before = readCpuSeconds();
  assert.equal((await parse(text)).length, 1);
  assert.ok(readCpuSeconds() - before < 10);
});
