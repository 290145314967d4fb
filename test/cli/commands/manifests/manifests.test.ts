import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { at, isObject, listAt, objectsAt, parseJson, parseObject, textAt } from "../../../../src/model/json.ts";
import { EXECUTABLE, runPreflight, spawnPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: &schema
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              properties:
                replicas: {type: integer, minimum: 1}
                size: {type: string, enum: [Small, Large]}
              x-kubernetes-validations:
                - rule: "!has(self.replicas) || self.size != 'Large' || self.replicas > 2"
                  message: Large ones need three replicas
    - name: v1beta1
      served: false
      storage: false
      schema: *schema
`;

const WRONG = `# The shop's widget
apiVersion: example.com/v1
kind: Widget
metadata:
  name: shop
  labels: {version: 1}
spec:
  size: small
  replicas: "3"
  replica: 3
---
apiVersion: example.com/v1beta1
kind: Widget
metadata: {name: old}
spec: {size: Small}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: large}
spec: {size: Large, replicas: 2}
`;
const RIGHT = `apiVersion: example.com/v1
kind: Widget
metadata: {name: shop, labels: {version: "1"}}
spec: {size: Small, replicas: 3}
`;
const TYPO = "apiVersion: example.com/v1\nkind: Wigdet\nmetadata: {name: typo}\n";

const folder = createTemporaryFolder();
const path = (name: string): string => join(folder, name);
before(async () => {
  for (const name of ["wrong", "right", "typo", "both", "empty"]) await mkdir(path(name));
  await writeFile(path("crd.yaml"), CRD);
  await writeFile(path("wrong/a.yaml"), WRONG);
  await writeFile(path("right/a.yaml"), RIGHT);
  await writeFile(path("typo/a.yaml"), TYPO);
  await writeFile(path("both/a.yaml"), `${RIGHT}---\n${CRD}`);
});

async function judge(name: string, ...flags: readonly string[]): ReturnType<typeof runPreflight> {
  const result = await runPreflight(["manifests", name, "--crds", "../crd.yaml", ...flags], {}, { cwd: path("wrong") });
  return { ...result, out: result.out.replaceAll(`${folder}/`, "") };
}

const EXPECTED = `a.yaml -> ../crd.yaml: 5 refused, 1 dropped
3 objects, judged as by the API server of Kubernetes 1.36

The API server refuses

  Widget shop (example.com/v1)
    a.yaml:6:12 metadata.labels.version: This field must be a string. Put the value of version in
    quotes. (CustomResourceInvalid)
    a.yaml:8:3 spec.size: The value "small" is not supported; supported: "Small", "Large". Write
    Small. (CustomResourceInvalid)
    a.yaml:9:3 spec.replicas: The value must be an integer, and is a string. Write replicas: 3
    without quotes. (CustomResourceInvalid)

  Widget old (example.com/v1beta1)
    a.yaml:12:1 apiVersion: The target's CRD widgets.example.com does not serve v1beta1: it serves
    v1. Write apiVersion: example.com/v1: its fields are the same. (CrdServedVersionRemoved)

  Widget large (example.com/v1)
    a.yaml:20:1 spec: Large ones need three replicas. Write what the schema allows.
    (CustomResourceInvalid)

Fields that the API server drops

  Widget shop (example.com/v1)
    a.yaml:10:3 spec.replica: The schema has no field replica here: the API server drops it, and
    kubectl refuses to send it. Remove the field, or move it to where it belongs: here the schema
    has replicas and size. (CustomResourceFieldsDropped)

../crd.yaml does not take these manifests as they are.
`;

test("says of each fault its file, line and column, what happens and what to write", async () => {
  const { code, out, err } = await judge("a.yaml");
  assert.deepEqual({ code, out, err }, { code: 3, out: EXPECTED, err: "" });
});

test("is clear once the faults are mended", async () => {
  const { code, out } = await judge("../right");
  assert.match(out, /takes every object as it is written\.\n$/);
  assert.equal(code, 0);
});

test("a kind that nobody defines is unknown, with the nearest one", async () => {
  const { code, out } = await judge("../typo");
  assert.match(out, /define Wigdet \(example\.com\/v1; nearest: Widget\): give its CRD with --crds\./);
  assert.equal(code, 4);
  assert.equal((await judge("../typo", "--fail-on", "risk")).code, 0);
});

test("objects are judged under a CRD of the files if the target has none", async () => {
  const { code, out } = await runPreflight(["manifests", path("both"), "--to", "v1.36", "-o", "json"]);
  const report = parseObject(out);
  assert.deepEqual([code, listAt(report, "findings"), listAt(report, "unknowns")], [0, [], []]);
  assert.equal(at(report, "objects"), 2);
});

test("accepted risks don't count, and are still shown", async () => {
  const names = "CustomResourceInvalid,CustomResourceFieldsDropped,CrdServedVersionRemoved";
  const { code, out } = await judge("a.yaml", "--accept", names);
  assert.equal(code, 0);
  assert.match(out, /6 accepted[^]*\nAccepted\n\n {2}Widget shop/);
  assert.equal((await judge("a.yaml", "--accept", "CustomResourceInvalid")).code, 3);
});

test("formats of programs name the same places", async () => {
  const files = ["sarif", "github", "gitlab", "junit"].map((format) => `${format}=${path(`out.${format}`)}`);
  await judge("a.yaml", ...files.flatMap((file) => ["-o", file]));
  const read = (format: string): Promise<string> => readFile(path(`out.${format}`), "utf8");
  const sarif = objectsAt(parseObject(await read("sarif")), "runs", 0, "results");
  const lines = sarif.map((one) => at(one, "locations", 0, "physicalLocation", "region", "startLine"));
  assert.deepEqual(lines, [6, 8, 9, 12, 20, 10]);
  const github = (await read("github")).trimEnd().split("\n");
  assert.match(github[0] ?? "", /^::error file=a\.yaml,line=6,col=12,title=CustomResourceInvalid::Widget shop /);
  assert.equal(github.length, 6);
  const gitlab = parseJson(await read("gitlab"));
  const begins = (Array.isArray(gitlab) ? gitlab : [])
    .filter(isObject)
    .map((one) => at(one, "location", "lines", "begin"));
  assert.deepEqual(begins, [6, 8, 9, 12, 20, 10]);
  assert.match(await read("junit"), /tests="4" failures="3" errors="0"/);
});

test("a value in quotes has the edit that mends it", async () => {
  const { out } = await judge("a.yaml", "-o", "json");
  const edits = objectsAt(parseObject(out), "findings").flatMap((one) => listAt(one, "edits"));
  assert.deepEqual(edits, [
    { kind: "set", path: ["spec", "replicas"], value: 3 },
    { kind: "set", path: ["apiVersion"], value: "example.com/v1" },
  ]);
});

const MENDED = WRONG.replace('replicas: "3"', "replicas: 3").replace("example.com/v1beta1", "example.com/v1");

test("--diff shows what is certain, and --fix writes it, keeps the rest and judges what is there then", async () => {
  await mkdir(path("fixed"));
  await writeFile(path("fixed/a.yaml"), WRONG, { mode: 0o600 });
  const shown = await judge("../fixed/a.yaml", "--diff");
  assert.match(shown.err, /^-  replicas: "3"\n\+  replicas: 3$/m);
  assert.match(shown.err, /1 file not changed: --fix writes this\n$/);
  assert.equal(await readFile(path("fixed/a.yaml"), "utf8"), WRONG);
  const fixed = await judge("../fixed/a.yaml", "--fix");
  assert.match(fixed.err, /^-apiVersion: example\.com\/v1beta1\n\+apiVersion: example\.com\/v1$/m);
  assert.equal(await readFile(path("fixed/a.yaml"), "utf8"), MENDED);
  assert.equal((await stat(path("fixed/a.yaml"))).mode & 0o777, 0o600);
  assert.match(fixed.out, /: 3 refused, 1 dropped\n/);
  assert.equal(fixed.code, 3);
  assert.match((await judge("../fixed/a.yaml", "--fix")).err, /^Nothing is certain enough to write\.\n$/);
});

test("--since counts what a commit doesn't have, and tells the rest apart", async () => {
  await mkdir(path("since"));
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: path("since") });
  await writeFile(path("since/a.yaml"), WRONG);
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "before");
  const same = await judge("../since", "--since", "HEAD");
  assert.match(same.out, /: 6 there before\n/);
  assert.match(same.out, /\nNothing since HEAD makes it worse, but /);
  assert.equal(same.code, 0);
  await writeFile(path("since/a.yaml"), WRONG.replace("replicas: 2", "replicas: two"));
  const worse = await judge("../since", "--since", "HEAD", "-o", "github");
  assert.equal(worse.code, 3);
  assert.deepEqual(worse.out.match(/line=\d+/g), ["line=20"]);
});

test("--since counts what a changed CRD of --crds makes of an object that was there before", async () => {
  await mkdir(path("schema"));
  const crd = "schema/crd.yaml";
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: path("schema") });
  await writeFile(path(crd), CRD);
  await writeFile(path("schema/a.yaml"), RIGHT);
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "before");
  const words = ["manifests", "a.yaml", "--crds", "crd.yaml", "--since", "HEAD"];
  const judgeHere = (): ReturnType<typeof runPreflight> => runPreflight(words, {}, { cwd: path("schema") });
  assert.equal((await judgeHere()).code, 0);
  await writeFile(path(crd), CRD.replaceAll("enum: [Small, Large]", "enum: [Large]"));
  const { code, out } = await judgeHere();
  assert.match(out, /spec\.size: The value "Small" is not supported/);
  assert.doesNotMatch(out, /There before/);
  assert.equal(code, 3);
});

test("a stream is read, alone and beside files", () => {
  for (const [paths, objects] of [
    [["-"], 1],
    [["right", "-"], 2],
    [["-", "right"], 2],
  ] as const) {
    const words = ["manifests", ...paths, "--crds", "crd.yaml", "-o", "json"];
    const { status, stdout } = spawnSync(process.execPath, [EXECUTABLE, ...words], {
      cwd: folder,
      input: TYPO,
      encoding: "utf8",
    });
    const report = parseObject(stdout);
    assert.deepEqual([status, at(report, "objects")], [4, objects]);
    assert.equal(textAt(listAt(report, "unknowns")[0] ?? null, "object", "name"), "typo");
  }
});

test("--fix is refused for a stream, of which nothing would be known once other files are mended", async () => {
  await writeFile(path("beside.yaml"), WRONG);
  execFileSync("mkfifo", [path("stream")]);
  for (const stream of ["-", "stream"]) {
    const words = ["manifests", "beside.yaml", stream, "--crds", "crd.yaml", "--fix"];
    const run = stream === "-" ? spawnPreflight : runPreflight;
    const { code, err } = await run(words, {}, { cwd: folder });
    assert.match(err, /--fix writes files, and (?:stdin|stream) is none/);
    assert.equal(code, 2);
  }
  assert.equal(await readFile(path("beside.yaml"), "utf8"), WRONG);
});

test("a placeholder where a fault would be is unknown", async () => {
  await mkdir(path("open"));
  await writeFile(path("open/a.yaml"), RIGHT.replace("size: Small", 'size: "${SIZE}"'));
  const { code, out } = await judge("../open");
  assert.match(out, /A placeholder stands here, and what it becomes decides/);
  assert.equal(code, 4);
});

test("beside a recorded OpenShift without a target, its own release counts", async () => {
  const demo = join(import.meta.dirname, "../../../../demo");
  const { out } = await runPreflight(["manifests", path("right"), "--recorded", demo, "--crds", path("crd.yaml")]);
  assert.match(out, /^1 object, judged as by the API server of Kubernetes 1\.30$/m);
});

for (const [what, args, code, message] of [
  ["no path", [], 2, /manifests needs PATH/],
  [
    "--since of a kustomization",
    ["manifests", "--kustomize", "right", "--to", "v1.36", "--since", "HEAD"],
    2,
    /--since compares files/,
  ],
  ["--fix with --diff", ["manifests", "crd.yaml", "--to", "v1.36", "--fix", "--diff"], 2, /remove --diff/],
  ["a chart without helm", ["manifests", "--helm", "right", "--to", "v1.36"], 4, /^$/],
  ["no target", ["manifests", "crd.yaml"], 2, /no target release was given.*--crds.*--context/],
  ["two targets", ["manifests", "crd.yaml", "--to", "v1.36", "--target", "x"], 2, /--to and --target each name/],
  ["a path that is not there", ["manifests", "absent", "--to", "v1.36"], 1, /absent can't be read/],
  ["a folder without manifests", ["manifests", "empty", "--to", "v1.36"], 1, /empty has no manifest/],
  ["latest without a cluster", ["manifests", "crd.yaml", "--to", "latest"], 2, /--to latest needs a cluster/],
] as const)
  test(`${what} ends with ${code}`, async () => {
    const words = args.length === 0 ? ["manifests", "--to", "v1.36"] : args;
    const result = await runPreflight(words, {}, { cwd: folder });
    assert.match(result.err, message);
    assert.equal(result.code, code);
    assert.equal(textAt(parseObject(result.out), "target"), undefined);
  });
