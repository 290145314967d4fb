import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { getBaseFile, isBaseFile, readBase, listCaseFiles, readCase } from "../../src/cases/case-files.ts";
import { patchValue } from "../../src/cases/patch.ts";
import { INFRASTRUCTURE } from "../../src/cases/cluster.ts";
import { parseCase } from "../../src/cases/parser.ts";
import { checks } from "../../src/checks/index.ts";
import { listCaseNames } from "../../src/cli/command-line/completion-names.ts";
import { at } from "../../src/model/json.ts";
import { caseFiles, checkFolder } from "../../verify/shared/check-folders.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const HEAD = "source: 4.18.5\ntarget: 4.19.2\n";

describe("a case with a base", () => {
  const BASE = `source: 4.18.5
target:
  version: 4.19.2
  manifests:
    - {kind: A, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}
    - {kind: B, metadata: {namespace: demo, name: b}}
cluster:
  ${INFRASTRUCTURE}: {status: {infrastructureTopology: External}}
  /apis/c: [{metadata: {namespace: demo, name: a}, x: {p: 1, q: 2}}, {metadata: {name: b}}, {metadata: {name: c}}]
  /apis/d: {kind: D, list: [1, 2], null: null}
`;
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, "base.yaml"), BASE);
  writeFileSync(join(folder, "base-other.yaml"), "source: 4.20.1\ntarget: 4.21.0\n");
  const read = (text: string) => parseCase(text, undefined, (name) => readBase(folder, name));
  const readList = (change: string) => read(`cluster:\n  /apis/c: ${change}\n`).cluster["/apis/c"];

  test("has all that the base has", () => {
    assert.deepEqual({ ...read("# As it is.\n") }, { ...parseCase(BASE) });
    assert.deepEqual({ ...read("expect: {outcome: clear}\n") }, { ...parseCase(BASE), expect: { outcome: "clear" } });
  });

  test("names another one, or none", () => {
    assert.deepEqual({ ...read("base: other\n") }, { ...parseCase("source: 4.20.1\ntarget: 4.21.0\n") });
    assert.deepEqual({ ...read(`base: none\n${HEAD}`) }, { ...parseCase(HEAD) });
    assert.throws(() => read("base: none\n"), /^Error: source: give/);
    assert.deepEqual(readBase(join(folder, "absent"), undefined), undefined);
  });

  test("changes items of a list by name, at any depth", () => {
    const b = { metadata: { name: "b" } };
    const c = { metadata: { name: "c" } };
    const a = { metadata: { namespace: "demo", name: "a" }, x: { p: 3, q: 2 } };
    assert.deepEqual(readList("{demo/a: {x: {p: 3}}, c: null}"), { items: [a, b] });
    assert.deepEqual(readList("{demo/a: null, b: null, e: {metadata: {name: e}, x: null}}"), {
      items: [c, { metadata: { name: "e" }, x: null }],
    });
    const { release } = read("target: {manifests: {demo/b: null, a: {spec: {versions: {v2: {served: false}}}}}}\n");
    const spec = {
      versions: [
        { name: "v1", served: true },
        { name: "v2", served: false },
      ],
    };
    assert.deepEqual(Object.keys(release), ["release-metadata", "0000_50_demo_01.yaml"]);
    assert.deepEqual(JSON.parse(release["0000_50_demo_01.yaml"] ?? ""), { kind: "A", metadata: { name: "a" }, spec });
  });

  test("replaces a list by another one, by an error or by nothing", () => {
    assert.deepEqual(readList("[{kind: C}]"), { items: [{ kind: "C" }] });
    assert.deepEqual(readList("{error: 403 forbidden}"), { error: "403 forbidden" });
    assert.deepEqual(readList("{error: {reason: TimedOut}}"), { error: { reason: "TimedOut" } });
    assert.deepEqual(readList("{items: [{kind: C}]}"), { items: [{ kind: "C" }] });
    assert.deepEqual(readList("null"), { error: "404 not found" });
  });

  test("replaces and removes fields, also those of every cluster", () => {
    const { cluster: changed } = read(`target: 4.19.9
cluster:
  ${INFRASTRUCTURE}: {status: {controlPlaneTopology: null}}
  /apis/d: {list: [3], null: null, more: {a: 1}}\n`);
    assert.deepEqual(changed["/apis/d"], { kind: "D", list: [3], more: { a: 1 } });
    assert.deepEqual(at(changed[INFRASTRUCTURE], "status"), { infrastructureTopology: "External" });
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["a name that no item has", "{d: {x: 1}}", /^no item of the base is called "d": .*the base has demo\/a, b, c$/],
    ["the removal of no item", "{d: null}", /^no item of the base is called "d"/],
    ["a new item of another name", "{d: {metadata: {name: e}}}", /^no item of the base is called "d"/],
  ];
  for (const [what, change, message] of refused)
    test(`can't have ${what}`, () => assert.throws(() => readList(change), { message }));

  test("can't change by name what several items are called", () => {
    assert.throws(() => patchValue([{ name: "a" }, { name: "a" }], { a: { x: 1 } }), /several items .* called "a"/);
  });

  test("is not the base itself", async () => {
    const file = join(folder, "base.yaml");
    assert.throws(() => readCase({ name: "base", file }), { message: `reading ${file}` });
    const cases = join(folder, "cases");
    mkdirSync(cases);
    for (const name of ["base.yaml", "base-other.yaml", "clear-based.yaml"]) writeFileSync(join(cases, name), "");
    const [check] = checks;
    assert.ok(check);
    assert.deepEqual(
      listCaseFiles(cases, check).map(({ name }) => name),
      ["clear-based"],
    );
    assert.deepEqual(await listCaseNames([folder]), [{ word: "clear-based" }]);
  });

  test("needs a base that others have, too, in the checks of this project", () => {
    for (const check of checks) {
      const cases = join(checkFolder(check), "cases");
      const bases = readdirSync(cases).filter(isBaseFile);
      const named = caseFiles(check).map(({ file }) => /^base: (\S+)$/m.exec(readFileSync(file, "utf8"))?.[1]);
      for (const base of bases)
        assert.ok(named.filter((name) => getBaseFile(name) === base).length > 1, `${check.id}: ${base}`);
    }
  });
});
