import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { findCircles } from "./support/circles.ts";
import { type SourceFile, parseImports } from "../verify/shared/imports.ts";
import { findForbiddenImports, findForbiddenToolImports, findHomeless } from "./support/layers.ts";

const ROOT = join(import.meta.dirname, "..");
const MOST_LINES = 300;
const sources = globSync("src/**/*.ts", { cwd: ROOT }).map((path): SourceFile => ({
  path,
  text: readFileSync(join(ROOT, path), "utf8"),
}));

test("every import follows the arrows of the architecture", () => {
  assert.ok(sources.length > 0);
  assert.deepEqual(findForbiddenImports(sources), []);
});

test("every file of a folder with rooms stands in one of them", () => {
  assert.deepEqual(findHomeless(sources.map(({ path }) => path)), []);
  assert.deepEqual(findHomeless(["src/schema/crd/more/a.ts", "src/schema/cel/values/a.ts"]), [
    "src/schema/crd/more/a.ts",
  ]);
});

test("what proves the product knows neither the tools nor the tests, and no tool knows the tests", () => {
  const tools = globSync(["verify/**/*.ts", "tools/**/*.{ts,mjs}"], { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), "utf8"),
  }));
  assert.ok(
    tools.some(({ path }) => path.startsWith("verify/")) && tools.some(({ path }) => path.startsWith("tools/")),
  );
  assert.deepEqual(findForbiddenToolImports(tools), []);
  const planted = [
    { path: "verify/play/a.ts", text: 'import { b } from "../../tools/b.ts";' },
    { path: "verify/a.ts", text: 'import { b } from "../test/support/b.ts";' },
    { path: "tools/a.ts", text: 'import { b } from "../test/support/b.ts";' },
    { path: "tools/b.ts", text: 'import { b } from "../verify/b.ts";' },
    { path: "verify/play/b.ts", text: 'import { b } from "../../src/schema/crd/rules/b.ts";' },
    { path: "verify/schema/b.ts", text: 'import { b } from "../../src/schema/crd/rules/b.ts";' },
  ];
  assert.equal(findForbiddenToolImports(planted).length, 4);
});

test("no source file is longer than a file that says one thing", () => {
  const long = sources.filter(({ text }) => text.split("\n").length - 1 > MOST_LINES);
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  );
});

/** Files of the process's own, and new ones, which a rename would have replace those of others. */
const NEW_FILES = ["src/cli/target-release/crds.ts", "src/cli/commands/checks/new-files.ts"];

test("commands write the files that users name as a whole, by one function", () => {
  const own = sources.filter(
    ({ path, text }) => path.startsWith("src/cli/") && /\b(?:writeFile|createWriteStream)/.test(text),
  );
  assert.deepEqual(own.map(({ path }) => path).toSorted(), NEW_FILES.toSorted());
});

const VIOLATIONS: readonly [path: string, text: string, fault: string][] = [
  ["src/model/a.ts", 'import type { B } from "../cli/b.ts";', "model may import nothing"],
  ["src/checks/one/check.ts", 'import { b } from "../two/b.ts";', "imports no other one"],
  ["src/checks/one/check.ts", 'import { all } from "../index.ts";', "imports no other one"],
  ["src/checks/shared/a.ts", 'import { b } from "../one/b.ts";', "imports no other one"],
  ["src/cli/commands/check/run.ts", 'import { b } from "../fleet/b.ts";', "imports no other one"],
  ["src/cli/commands/list.ts", 'import { b } from "./rbac.ts";', "imports no other one"],
  ["src/cli/settings/a.ts", 'import type { B } from "../session/b.ts";', "it is below session"],
  ["src/runner/a.ts", 'import {\n  b,\n  c,\n} from "../cluster/b.ts";', "runner may import model"],
  ["src/runner/plan/a.ts", 'import { b } from "../gather/b.ts";', "it is below gather"],
  ["src/release/payload/a.ts", 'export * from "../../format/b.ts";', "release/payload may import model"],
  ["src/lift/a.ts", 'import { b } from "../format/b.ts";', "lift may import model"],
  ["src/format/document/a.ts", 'import { b } from "../view/b.ts";', "it is below view"],
  ["src/release/graph/a.ts", 'import { b } from "../payload/b.ts";', "release/graph may import model"],
  ["src/release/graph/a.ts", 'import { readFile } from "node:fs/promises";', "only cli, cluster"],
  ["src/lift/a.ts", 'import { setTimeout } from "node:timers/promises";', "only cli, cluster"],
  ["src/publish/a.ts", 'const b = await import("../runner/b.ts");', "publish may import model"],
  ["src/format/a.ts", 'type B = import("../cluster/b.ts").B;', "format may import model, encoding, schemas"],
  ["src/cli/a.ts", 'import "../../test/support/b.ts";', "cli may import"],
  ["src/cli/a.ts", 'import { KubeConfig } from "@kubernetes/client-node/dist/config.js";', "only cluster may"],
  ["src/runner/a.ts", 'import { readFile } from "node:fs/promises";', "only cli, cluster"],
  ["src/schema/crd/rules/a.ts", 'import left from "left-pad";', "no folder may import this package"],
  [
    "src/schema/crd/rules/a.ts",
    'import { b } from "../../../model/crd-meaning.ts";',
    "schema may import src/model/crd.ts",
  ],
  ["src/schema/openapi/formats.ts", 'import { b } from "../cel/index.ts";', "it is below cel"],
  ["src/schema/cel/values/a.ts", 'import type { B } from "../types/b.ts";', "it is below types"],
  ["src/schema/cel/library/a.ts", 'import { b } from "../cost/b.ts";', "it is below cost"],
  ["src/schema/crd/rules/a.ts", 'import { b } from "../definition/b.ts";', "it is below definition"],
  ["src/schema/crd/rules/a.ts", 'import { b } from "../index.ts";', "it is below index.ts"],
  [
    "src/schema/crd/rules/a.ts",
    'import { b } from "../../cel/check/b.ts";',
    "others import src/schema/cel/index.ts alone",
  ],
  ["src/checks/a.ts", 'import { b } from "../schema/openapi/formats.ts";', "src/schema/openapi/index.ts alone"],
  ["src/cluster/a.ts", "await import(name);", "nobody can tell"],
  [
    "src/cluster/live/a.ts",
    'import { createApiClient } from "../writer/api-client.ts";',
    "may import src/cluster/writer/",
  ],
  [
    "src/cluster/live/a.ts",
    'import { attemptRequest } from "../access/request.ts";',
    "may import src/cluster/access/req",
  ],
  ["src/cluster/writer/a.ts", 'import { sendRequest } from "../access/send.ts";', "may import src/cluster/access/send"],
  ["src/cluster/access/a.ts", 'import { b } from "../live/b.ts";', "may import src/cluster/live/"],
  [
    "src/cli/target-release/a.ts",
    'import { createApiClient } from "../../cluster/writer/api-client.ts";',
    "cluster/writer/",
  ],
  [
    "src/cli/commands/check/run.ts",
    'import { openApi } from "../../client/api-client.ts";',
    "may import src/cli/client/api",
  ],
  ["src/cli/commands/run/run.ts", 'import("../../client/cluster-client.ts");', "may import src/cli/client/cluster"],
  ["src/controller/a.ts", 'import { createLiveReader } from "../cluster/live/live-reader.ts";', "cluster/live/"],
];

for (const [path, text, fault] of VIOLATIONS) {
  test(`${text.replaceAll(/\s+/g, " ")} in ${path} is found`, () => {
    const found = findForbiddenImports([{ path, text }]);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", new RegExp(fault));
  });
}

test("what the arrows allow is left alone", () => {
  const text = [
    'import yargs, { type Argv } from "yargs";',
    'import { a } from "../model/a.ts";',
    '// import("../nowhere/b.ts") in a comment',
    'const { b } = await import("./commands/b.ts");',
    "const here = import.meta.dirname;",
  ].join("\n");
  assert.deepEqual(findForbiddenImports([{ path: "src/cli/a.ts", text }]), []);
  assert.deepEqual(findForbiddenImports([{ path: "src/checks/index.ts", text: 'import a from "./a/check.ts";' }]), []);
});

test("no import escapes that the bundler sees", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/preflight",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  const escaped = sources.flatMap(({ path, text }) => {
    const found = new Set(parseImports(text));
    const seen = (metafile.inputs[path]?.imports ?? []).flatMap(({ original }) => original ?? []);
    return seen.filter((specifier) => !found.has(specifier)).map((specifier) => `${path}: ${specifier}`);
  });
  assert.deepEqual(escaped, []);
});

const LARGEST_CIRCLE = 3;

test("no files import each other at run time, and by types few do", () => {
  assert.deepEqual(findCircles(sources, "run time"), []);
  assert.deepEqual(
    findCircles(sources, "any time").filter(({ length }) => length > LARGEST_CIRCLE),
    [],
  );
});

test("a circle of imports is found, at run time unless types or a dynamic import close it", () => {
  const circleClosedBy = (text: string): readonly SourceFile[] => [
    { path: "src/a.ts", text: 'import { b } from "./part/b.ts";' },
    { path: "src/part/b.ts", text: 'import { type C, c } from "../c.ts";' },
    { path: "src/c.ts", text },
  ];
  const circle = [["src/a.ts", "src/c.ts", "src/part/b.ts"]];
  const texts = [
    'import { a } from "./a.ts";',
    'import type { A } from "./a.ts";',
    'const a = await import("./a.ts");',
  ];
  assert.deepEqual(
    texts.map((text) => findCircles(circleClosedBy(text), "any time")),
    [circle, circle, circle],
  );
  assert.deepEqual(
    [...texts, 'import {\n  type A,\n  type B,\n} from "./a.ts";', 'export * from "./a.ts";'].map((text) =>
      findCircles(circleClosedBy(text), "run time"),
    ),
    [circle, [], [], [], circle],
  );
});
