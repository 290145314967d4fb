import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { isObject, listAt, numberAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { runPreflight, spawnPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const buildCrd = (properties: string, versions = ""): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${properties}${versions}`;

const OLD = buildCrd(
  `                mode: {type: string, enum: [Fast, Legacy]}
                note: {type: string}
                list: {type: array, items: {type: string}}
`,
  `    - name: v1alpha1
      served: true
      storage: false
      schema:
        openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
`,
);
const NEW = buildCrd(
  `                mode: {type: string, enum: [Fast]}
                list:
                  type: array
                  items: {type: string, maxLength: 3}
`,
);
const REFUSED = buildCrd("                list: {type: array}\n");
const OBJECTS = `apiVersion: example.com/v1
kind: Widget
metadata: {namespace: demo, name: a}
spec: {mode: Legacy, note: hello, list: [long, abc]}
---
apiVersion: example.com/v1alpha1
kind: Widget
metadata: {namespace: demo, name: b}
spec: {mode: Fast}
`;

const folder = createTemporaryFolder();
const at = (name: string): string => join(folder, name);
before(async () => {
  await mkdir(at("objects/samples"), { recursive: true });
  await Promise.all([
    writeFile(at("old.yaml"), OLD),
    writeFile(at("new.yaml"), NEW),
    writeFile(at("refused.yaml"), REFUSED),
    writeFile(at("objects/samples/a.yaml"), OBJECTS),
  ]);
});

async function compare(to: string, ...flags: readonly string[]): ReturnType<typeof runPreflight> {
  const result = await runPreflight(["crds", "--from", at("old.yaml"), "--to", at(to), ...flags]);
  // The folder's long name moves places to a line of their own.
  return { ...result, out: result.out.replaceAll(`${folder}/`, "").replaceAll("\n    (", " (") };
}

const EXPECTED = `old.yaml -> new.yaml: 1 rejected, 2 frozen, 1 dropped, 2 lost, 2 stricter
1 CRD and 2 objects, judged as by the API server of Kubernetes 1.34.0

Objects that can no longer be written

  Widget demo/b (example.com/v1alpha1) in objects/samples/a.yaml:6
    The new CRD does not serve version v1alpha1. (new.yaml:9)

Objects with fields that can no longer be changed

  Widget demo/a (example.com/v1) in objects/samples/a.yaml:1
    spec.list[0]: The text is 4 characters long, at most 3 are allowed. (new.yaml:23)
    spec.mode: The value "Legacy" is not supported; supported: "Fast". (new.yaml:20)

Objects that lose fields

  Widget demo/a (example.com/v1) in objects/samples/a.yaml:1
    spec.note: The target's schema lacks this field. (new.yaml:19)

Lost

  widgets.example.com v1
    spec.note: The field is gone, so objects lose it. (new.yaml:19)

  widgets.example.com v1alpha1
    The version is no longer there. (new.yaml:9)

Stricter

  widgets.example.com v1
    spec.list[*]: Its maxLength is 3, and was not set. (new.yaml:23)
    spec.mode: It no longer allows Legacy. (new.yaml:20)

Objects that exist in clusters may break in the same way.
`;

test("crds lists what objects, fields and versions lose, and where", async () => {
  const { out, err, code } = await compare("new.yaml", "--objects", at("objects"));
  assert.equal(out, EXPECTED);
  assert.equal(err, "");
  assert.equal(code, 3);
});

test("crds finds nothing between equal CRDs, and takes a folder and stdin", async () => {
  const same = await compare("old.yaml", "--objects", at("objects"));
  assert.match(same.out, /: nothing breaks\n/);
  assert.equal(same.code, 0);
  const both = await spawnPreflight(["crds", "--from", "-", "--to", "-"]);
  assert.equal(both.code, 2);
  assert.match(both.err, /only one of --from and --to can be stdin/);
});

test("crds lists a new rule as stricter", async () => {
  const ruled = OLD.replace(
    "note: {type: string}",
    "note: {type: string, x-kubernetes-validations: [{rule: \"self != ''\"}]}",
  );
  await writeFile(at("ruled.yaml"), ruled);
  const { out } = await compare("ruled.yaml");
  assert.match(out, /Stricter\n\n {2}widgets\.example\.com v1\n {4}spec\.note: It has the new rule self != ''/);
});

test("crds says what the API server refuses", async () => {
  const { out, code } = await compare("refused.yaml");
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /The API server refuses the CRD .*required for an array\. \(refused.yaml:20\)/,
  );
  assert.equal(code, 3);
  assert.equal((await compare("refused.yaml", "--fail-on", "never")).code, 0);
});

test("crds judges ratcheting by the version of Kubernetes", async () => {
  const { out } = await compare("new.yaml", "--objects", at("objects"), "--kubernetes-version", "v1.29");
  assert.match(out, /Objects that can no longer be written/);
  const wrong = await compare("new.yaml", "--kubernetes-version", "4.20");
  assert.equal(wrong.code, 2);
});

test("crds writes markdown, JSON and SARIF with the CRD's lines", async () => {
  const outputs = ["markdown", "json", "sarif"].map((name) => `${name}=${at(`out.${name}`)}`);
  const { code } = await compare("new.yaml", "--objects", at("objects"), "-o", `table,${outputs.join(",")}`);
  assert.equal(code, 3);
  const markdown = (await readFile(at("out.markdown"), "utf8")).replaceAll(`${folder}/`, "");
  assert.match(
    markdown,
    /^# `old\.yaml` -> `new\.yaml`: 1 rejected, 2 frozen.*\n[\s\S]*## Lost\n\n- \*\*widgets\.example\.com v1\*\*\n {2}- /,
  );
  const json = parseObject(await readFile(at("out.json"), "utf8"));
  assert.deepEqual(
    listAt(json, "changes").map((change) => textAt(change, "effect")),
    ["rejected", "frozen", "frozen", "dropped", "lost", "lost", "stricter", "stricter"],
  );
  const sarif = parseObject(await readFile(at("out.sarif"), "utf8"));
  const results = listAt(sarif, "runs", 0, "results");
  assert.equal(results.length, 8);
  for (const result of results) {
    const [location] = listAt(result, "locations");
    assert.ok(isObject(location));
    assert.ok((numberAt(location, "physicalLocation", "region", "startLine") ?? 0) > 8);
    assert.match(textAt(location, "physicalLocation", "artifactLocation", "uri") ?? "", /new\.yaml$/);
  }
});

test("crds fails on what it can't read", async () => {
  const missing = await compare("missing.yaml");
  assert.equal(missing.code, 1);
  assert.match(missing.err, /missing\.yaml does not exist/);
  await writeFile(at("broken.yaml"), "a: [");
  const broken = await compare("new.yaml", "--objects", at("broken.yaml"));
  assert.equal(broken.code, 1);
  assert.match(broken.err, /broken\.yaml:1 can't be used: it is not valid YAML/);
});

test("a file that can't be read is named with its line, and the objects of the others are judged", async () => {
  await mkdir(at("mixed"));
  await writeFile(at("mixed/a.yaml"), OBJECTS);
  await writeFile(at("mixed/b.yaml"), "kind: Widget\nspec: [\n");
  const { code, out } = await compare("old.yaml", "--objects", at("mixed"));
  assert.equal(code, 4);
  assert.match(out, /1 CRD and 2 objects/);
  assert.match(out.replaceAll(/\s+/g, " "), /mixed\/b\.yaml/);
});
