import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import type { ManifestEdit } from "../../../src/model/manifest.ts";
import { applyEdits } from "../../../src/manifests/files/edits.ts";
import { parseManifests } from "../../../src/manifests/files/parse-manifests.ts";

const ORIGIN = { file: "a.yaml", isNamed: true };

/** The text with edits of one of its objects, or why not. */
function edit(text: string, edits: readonly ManifestEdit[], index = 0): string {
  const manifest = [...parseManifests(text.replace(/^\ufeff/, ""), ORIGIN)][index];
  assert.ok(manifest && "object" in manifest, JSON.stringify(manifest));
  const edited = applyEdits(text, manifest, edits);
  return edited.kind === "edited" ? edited.text : `refused: ${edited.message}`;
}

const HEAD = "# first\napiVersion: v1beta1 # old\nkind: A\n";

suite("one edit changes only what it has to", () => {
  const set = (path: readonly (string | number)[], value: Json) => ({ kind: "set", path, value }) as const;
  const rename = (path: readonly (string | number)[], to: string) => ({ kind: "rename", path, to }) as const;
  const remove = (path: readonly (string | number)[]) => ({ kind: "remove", path }) as const;
  test("a value, whose comment stays", () =>
    assert.equal(edit(HEAD, [set(["apiVersion"], "v1")]), HEAD.replace("v1beta1", "v1")));

  for (const [what, before, change, after] of [
    ["a text keeps its quotes", `a: 'x''y'\n`, set(["a"], "it's"), `a: 'it''s'\n`],
    ["a number loses them", `a: "5" # five\n`, set(["a"], 5), `a: 5 # five\n`],
    ["a text that reads as something else gets them", `a: b\n`, set(["a"], "on"), `a: "on"\n`],
    ["nothing becomes something", `a:\nb: 1\n`, set(["a"], "x"), `a: x\nb: 1\n`],
    [
      "a map in the place of a map",
      `s:\n    a:\n        x: 1\n    # c\n    b: 2\n`,
      set(["s", "a"], { p: { q: 1 } }),
      `s:\n    a:\n      p:\n        q: 1\n    # c\n    b: 2\n`,
    ],
    [
      "a map in the place of one in brackets",
      `s: {a: {x: 1}, b: 2}\n`,
      set(["s", "a"], { z: [1] }),
      `s: {a: {z: [1]}, b: 2}\n`,
    ],
    ["a text in the place of a block", `a: |\n  x\n  y\n\nb: 1\n`, set(["a"], "z"), `a: z\n\nb: 1\n`],
    [
      "a new field behind the last one",
      `s:\n  a: 1 # one\n# end\n`,
      set(["s", "b"], "x"),
      `s:\n  a: 1 # one\n  b: x\n# end\n`,
    ],
    [
      "a new field in an item",
      `s:\n- a: 1\n- c: 1\n`,
      set(["s", 0, "b"], { x: 1 }),
      `s:\n- a: 1\n  b:\n    x: 1\n- c: 1\n`,
    ],
    ["a new field in brackets", `s: [{a: 1}]\n`, set(["s", 0, "b"], "x"), `s: [{a: 1, b: x}]\n`],
    ["a new field in an empty map", `s: {}\n`, set(["s", "b"], "x"), `s: {b: x}\n`],
    ["a name, with its quotes", `s:\n- "a": {b: 1}\n`, rename(["s", 0, "a"], "c"), `s:\n- "c": {b: 1}\n`],
    [
      "a field with its lines",
      `s:\n  a: 1\n  b:\n  - x\n  - y # y\n  c: 3\n`,
      remove(["s", "b"]),
      `s:\n  a: 1\n  c: 3\n`,
    ],
    ["the first field of an item", `s:\n- a: 1\n  b: 2\n`, remove(["s", 0, "a"]), `s:\n- b: 2\n`],
    ["the last field of a map", `s:\n  a: 1\nb: 2\n`, remove(["s", "a"]), `s: {}\nb: 2\n`],
    ["a field in brackets", `s: {a: 1, b: 2, c: 3}\n`, remove(["s", "b"]), `s: {a: 1, c: 3}\n`],
    ["the last field in brackets", `s: {a: 1, b: 2}\n`, remove(["s", "b"]), `s: {a: 1}\n`],
    ["an item", `s:\n  - a: 1\n    b: 2\n  - c\n`, remove(["s", 0]), `s:\n  - c\n`],
    [
      "what is merged, beside the others",
      "x: &x {a: 1}\ns:\n  <<: *x\n  b: 1\n",
      set(["s", "a"], 2),
      "x: &x {a: 1}\ns:\n  <<: *x\n  b: 1\n  a: 2\n",
    ],
    [
      "what closes in the column of its key",
      `s: {\n  a: b,\n  c: d\n}\n`,
      set(["s", "a"], "x"),
      `s: {\n  a: x,\n  c: d\n}\n`,
    ],
  ] as const)
    test(what, () => assert.equal(edit(HEAD + before, [change]), HEAD + after));
});

test("line breaks, the mark of UTF-8 and other documents stay as they are", () => {
  const text =
    "\ufeffa: [ \r\n---\r\napiVersion: v1\r\nkind: A\r\ns:\r\n  a: 1\r\n---\r\napiVersion: v2\r\nkind: B # b\r\n";
  assert.equal(
    edit(text, [{ kind: "set", path: ["s", "b"], value: { c: 1 } }], 1),
    text.replace("  a: 1\r\n", "  a: 1\r\n  b:\r\n    c: 1\r\n"),
  );
});

test("JSON stays JSON", () => {
  const text = '{\n  "apiVersion": "v1beta1",\n  "kind": "A",\n  "s": {\n    "a": 1\n  }\n}\n';
  const edited = edit(text, [
    { kind: "set", path: ["apiVersion"], value: "v1" },
    { kind: "set", path: ["s", "b"], value: { c: ["x"] } },
    { kind: "rename", path: ["s", "a"], to: "d" },
  ]);
  const expected = text.replace("v1beta1", "v1").replace('"a": 1', '"d": 1,\n    "b": {"c":["x"]}');
  assert.equal(edited, expected);
  assert.deepEqual(JSON.parse(edited), JSON.parse(expected));
});

test("an item of a list is edited where it stands", () => {
  const text = "kind: AList\napiVersion: v1beta1\nitems:\n- s: 1\n- s: 2\n";
  assert.equal(edit(text, [{ kind: "set", path: ["s"], value: 3 }], 1), text.replace("s: 2", "s: 3"));
});

suite("what is uncertain is refused", () => {
  const UNCERTAIN = "refused: how it is written leaves no certain edit: edit it by hand";
  for (const [what, text, path, message] of [
    ["an alias", "x: &x {a: 1}\ns: *x\n", ["s", "a"], UNCERTAIN],
    ["what an alias repeats", "s: &x {a: 1}\nt: *x\n", ["s", "a"], UNCERTAIN],
    ["a name that reads as another one", "s:\n  on: 1\n", ["s", "true"], UNCERTAIN],
    ["a comment in what goes", "s:\n  a: # why\n    b: 1\n", ["s", "a"], UNCERTAIN],
    ["a placeholder", "s:\n  a: ${X}\n", ["s", "a"], "refused: the value is a placeholder"],
  ] as const)
    test(what, () => assert.equal(edit(HEAD + text, [{ kind: "set", path, value: "new" }]), message));

  test("a name that is taken", () =>
    assert.equal(
      edit(`${HEAD}a: 1\nb: 2\n`, [{ kind: "rename", path: ["a"], to: "b" }]),
      "refused: it has no such field",
    ));

  test("what Helm rendered", () =>
    assert.equal(
      edit(`---\n# Source: w/templates/a.yaml\n${HEAD}`, [{ kind: "set", path: ["apiVersion"], value: "v1" }]),
      "refused: it was rendered from w/templates/a.yaml, which has to be edited instead",
    ));

  test("a file that has changed", () => {
    const [manifest] = parseManifests(HEAD, ORIGIN);
    assert.ok(manifest && "object" in manifest);
    for (const text of ["", HEAD.replace("kind: A", "kind: B")])
      assert.deepEqual(applyEdits(text, manifest, []), {
        kind: "refused",
        message: "the file has changed since it was read",
      });
  });
});
