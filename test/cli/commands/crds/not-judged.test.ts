import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { type Json, listAt, numberAt, objectAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { SHARED } from "../../../../verify/api-server/control-plane.ts";
import { sampleEach } from "../../../support/cases/sample.ts";

const PROFILE = "include.release.openshift.io/";
const SET = "release.openshift.io/feature-set";
const HA = { [`${PROFILE}self-managed-high-availability`]: "true" };
const HOSTED = { [`${PROFILE}ibm-cloud-managed`]: "true" };

/** `max`: the largest size that it accepts. */
function buildCrd(kind: string, annotations: Readonly<Record<string, string>> = {}, max = 9, version = "v1"): string {
  const lines = Object.entries(annotations).map(([key, value]) => `    ${key}: "${value}"\n`);
  const plural = `${kind.toLowerCase()}s`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
${lines.length === 0 ? "" : "  annotations:\n"}${lines.join("")}spec:
  group: example.com
  names: {plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List}
  scope: Namespaced
  versions:
    - name: ${version}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, maximum: ${max}}
`;
}

const buildObject = (apiVersion: string, kind: string, name: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {namespace: demo, name: ${name}}\nspec: {size: 7}\n`;

const folder = createTemporaryFolder();

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(folder, "set-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

type Result = { readonly code: number | null; readonly report: Json; readonly out: string; readonly err: string };

async function compare(from: string, to: string, ...flags: readonly string[]): Promise<Result> {
  const json = join(folder, "report.json");
  await rm(json, { force: true });
  const result = await runPreflight(["crds", "--from", from, "--to", to, "-o", `table,json=${json}`, ...flags]);
  const report = parseObject(await readFile(json, "utf8").catch(() => "{}")) ?? {};
  return { ...result, report, out: result.out.replaceAll(/\s+/g, " ") };
}

function listReasons(report: Json, key = "unknowns"): readonly string[] {
  return listAt(report, key).map((one) => `${textAt(one, "reason")} ${textAt(one, "where")}`);
}

const VARIANTS = {
  "a-default.yaml": buildCrd("Widget", { ...HA, [SET]: "Default" }),
  "b-preview.yaml": buildCrd("Widget", { ...HA, [SET]: "TechPreviewNoUpgrade,DevPreviewNoUpgrade" }),
};
const STRICTER = {
  ...VARIANTS,
  "b-preview.yaml": buildCrd("Widget", { ...HA, [SET]: "TechPreviewNoUpgrade,DevPreviewNoUpgrade" }, 5),
};

test("CRDs of another feature set are not judged, counted and named, and the exit code is 4", async () => {
  const { "b-preview.yaml": preview } = VARIANTS;
  const { code, out, report } = await compare(
    await write({ "crd.yaml": preview }),
    await write({ "crd.yaml": preview }),
  );
  assert.equal(code, 4);
  assert.deepEqual(
    listReasons(report).map((text) => text.split(" ")[0]),
    ["NothingJudged", "NothingJudged", "OtherFeatureSet"],
  );
  assert.equal(numberAt(report, "crds"), 0);
  assert.deepEqual(objectAt(report, "notJudged"), { crds: 0, variants: 1, objects: 0 });
  assert.doesNotMatch(out, /nothing breaks|No object that/);
  assert.match(
    out,
    /0 CRDs .* feature set Default and the cluster profile self-managed-high-availability.* Not judged: 1 other variant /,
  );
  assert.match(
    out,
    /widgets\.example\.com \(\S+crd\.yaml\) it is for TechPreviewNoUpgrade and DevPreviewNoUpgrade, and Default is judged: see --feature-set\./,
  );
});

test("--feature-set selects the CRDs that are judged, and the file that a finding names is theirs", async () => {
  const from = await write(VARIANTS);
  const to = await write(STRICTER);
  const unchosen = await compare(from, to);
  assert.deepEqual([unchosen.code, listReasons(unchosen.report)], [4, ["OtherFeatureSet widgets.example.com"]]);
  const chosen = await compare(from, to, "--feature-set", "Default");
  assert.deepEqual([chosen.code, listReasons(chosen.report)], [0, []]);
  assert.deepEqual(listReasons(chosen.report, "leftOut"), ["OtherFeatureSet widgets.example.com"]);
  assert.match(chosen.out, /nothing breaks .* Left out, as requested 1 CRD it is for TechPreviewNoUpgrade/);
  const preview = await compare(from, to, "--feature-set", "TechPreviewNoUpgrade");
  assert.equal(preview.code, 3);
  const [change] = listAt(preview.report, "changes");
  assert.equal(textAt(change, "place", "file"), join(to, "b-preview.yaml"));
  const wrong = await compare(from, to, "--feature-set", "TechPreview");
  assert.equal(wrong.code, 2);
});

test("variants in one file are told apart by their place in it", async () => {
  const bundle = (one: Readonly<Record<string, string>>): string => Object.values(one).join("---\n");
  const from = await write({ "all.yaml": bundle(VARIANTS) });
  const to = await write({ "all.yaml": bundle(STRICTER) });
  const { report } = await compare(
    join(from, "all.yaml"),
    join(to, "all.yaml"),
    "--feature-set",
    "DevPreviewNoUpgrade",
  );
  const [change] = listAt(report, "changes");
  const lines = bundle(STRICTER).split("\n");
  assert.match(lines[(numberAt(change, "place", "line") ?? 0) - 1] ?? "", /maximum: 5/);
});

test("CRDs of another cluster profile are not judged, unless --profile chooses it", async () => {
  const set = await write({ "a.yaml": buildCrd("Widget", HA), "b.yaml": buildCrd("Gadget", HOSTED) });
  const { code, report } = await compare(set, set);
  assert.deepEqual([code, listReasons(report)], [4, ["OtherProfile gadgets.example.com"]]);
  const hosted = await compare(set, set, "--profile", "ibm-cloud-managed");
  assert.deepEqual([hosted.code, listReasons(hosted.report, "leftOut")], [0, ["OtherProfile widgets.example.com"]]);
  const none = await compare(set, set, "--profile", "single-node-developer");
  assert.equal(none.code, 4, "nothing was judged, although somebody chose it");
});

test("CRDs with a feature gate are judged only where FeatureGate manifests say whether it is enabled", async () => {
  const gated = {
    "a.yaml": buildCrd("Widget"),
    "b.yaml": buildCrd("Gadget", { ...HA, "release.openshift.io/feature-gate": "X" }),
  };
  const buildGates = (names: readonly string[]): string =>
    JSON.stringify({
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations: { [SET]: "Default", "release.openshift.io/major-version": "4,5" } },
      status: { featureGates: [{ version: "", enabled: names.map((name) => ({ name })), disabled: [] }] },
    });
  const unknown = await write(gated);
  const { code, report } = await compare(unknown, unknown, "--feature-set", "Default");
  assert.equal(code, 4);
  assert.deepEqual(listReasons(report), [
    "FeatureGatesUnknown b.yaml",
    "FeatureGatesUnknown b.yaml",
    "FeatureGateNotEnabled gadgets.example.com",
  ]);
  const on = await write({ ...gated, "gates.json": buildGates(["X"]) });
  const judged = await compare(on, on);
  assert.deepEqual([judged.code, numberAt(judged.report, "crds")], [0, 2]);
  const off = await write({ ...gated, "gates.json": buildGates([]) });
  assert.equal((await compare(off, off)).code, 4);
  assert.equal((await compare(off, off, "--feature-set", "Default")).code, 0);
});

test("capabilities leave no CRD out, since there is no cluster to have them", async () => {
  const annotated = (max: number): string => buildCrd("Widget", { "capability.openshift.io/name": "Console" }, max);
  const { code } = await compare(await write({ "a.yaml": annotated(9) }), await write({ "a.yaml": annotated(5) }));
  assert.equal(code, 3);
});

test("a CRD that two files define is not judged, and not gone", async () => {
  const from = { "a.yaml": buildCrd("Widget") };
  const to = { "a.yaml": buildCrd("Widget"), "b.yaml": buildCrd("Widget") };
  const { code, report } = await compare(await write(from), await write(to));
  assert.equal(code, 4);
  assert.deepEqual(listAt(report, "changes"), []);
  assert.match(listReasons(report).join(), /DuplicateManifest a\.yaml/);
});

const GIVEN: readonly (readonly [text: string, reason: string | undefined])[] = [
  [buildObject("example.com/v1", "Widget", "a"), undefined],
  [buildObject("example.com/v1", "Widgett", "b"), "NoCrd Widgett demo/b (example.com/v1)"],
  [
    buildObject("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "c"),
    "NoCrd FlowSchema demo/c (flowcontrol.apiserver.k8s.io/v1beta3)",
  ],
  [buildObject("v1", "Secret", "d"), "NoCrd Secret demo/d (v1)"],
  [buildObject("example.com/v9", "Widget", "e"), "VersionNotServed Widget demo/e (example.com/v9)"],
  [buildObject("example.com/v1", "Preview", "f"), "CrdNotJudged Preview demo/f (example.com/v1)"],
  ["spec: {size: 7}\n", "NotAnObject FILE"],
];
for (const [text, reason] of GIVEN) {
  test(`an object is judged, or counted apart and named: ${reason ?? "Widget"}`, async () => {
    const preview = buildCrd("Preview", { ...HA, [SET]: "TechPreviewNoUpgrade" });
    const set = await write({ "a.yaml": buildCrd("Widget"), "b.yaml": preview });
    const objects = await write({ "samples/a.yaml": text, "samples/kustomization.yaml": "resources: [a.yaml]\n" });
    const { code, report, out, err } = await compare(set, set, "--feature-set", "Default", "--objects", objects);
    const where = reason?.replace("FILE", join(objects, "samples/a.yaml"));
    assert.deepEqual(listReasons(report), where === undefined ? [] : [where]);
    assert.equal(code, where === undefined ? 0 : 4, out);
    assert.equal(numberAt(report, "objects"), where === undefined ? 1 : 0);
    assert.equal(numberAt(report, "notJudged", "objects"), where === undefined ? 0 : 1);
    assert.equal(err, "", "a kustomization that changes nothing is no object");
    if (reason?.includes("Widgett")) assert.match(out, /no given CRD defines this kind \(nearest: Widget\)/);
  });
}

test("objects of a new CRD or version are named and break nothing, but are not the only objects that count", async () => {
  const old = buildCrd("Widget");
  const added = buildCrd("Gadget");
  const from = await write({ "a.yaml": old });
  const to = await write({ "a.yaml": old, "b.yaml": added });
  const sample = buildObject("example.com/v1", "Gadget", "a");
  const both = await write({ "a.yaml": `${sample}---\n${buildObject("example.com/v1", "Widget", "b")}` });
  const { code, out, report } = await compare(from, to, "--objects", both);
  assert.deepEqual([code, objectAt(report, "notJudged")], [0, { crds: 0, variants: 0, objects: 1 }]);
  assert.match(out, /1 object was not judged, since CRD gadgets\.example\.com is new: Gadget demo\/a\./);
  const alone = await compare(from, to, "--objects", await write({ "a.yaml": sample }));
  assert.deepEqual([alone.code, listReasons(alone.report).length], [4, 1]);
  assert.match(listReasons(alone.report)[0] ?? "", /^NothingJudged \S+$/);
});

test("objects of a CRD that is gone can no longer be written", async () => {
  const from = await write({ "a.yaml": buildCrd("Widget"), "b.yaml": buildCrd("Gadget") });
  const to = await write({ "a.yaml": buildCrd("Widget") });
  const objects = await write({ "a.yaml": buildObject("example.com/v1", "Gadget", "a") });
  const { code, out } = await compare(from, to, "--objects", objects);
  assert.equal(code, 3);
  assert.match(out, /can no longer be written Gadget demo\/a \(example\.com\/v1\) in \S+a\.yaml:1 Its CRD is gone\./);
});

test("an input without anything to judge fails", async () => {
  const set = await write({ "a.yaml": buildCrd("Widget") });
  for (const objects of [await write({}), await write({ "kustomization.yaml": "resources: []\n" })]) {
    const { code, err } = await compare(set, set, "--objects", objects);
    assert.equal(code, 1);
    assert.match(err, / has no object: --objects needs a file or a folder with some\n$/);
  }
  for (const sides of [
    [set, await write({})],
    [await write({ "a.yaml": buildObject("v1", "Secret", "a") }), set],
  ] as const)
    assert.equal((await compare(...sides)).code, 1);
});

test("all formats name what was not judged, and count it", async () => {
  const set = await write(VARIANTS);
  const objects = await write({ "a.yaml": buildObject("example.com/v1", "Widgett", "b") });
  for (const format of ["table", "markdown", "json", "sarif"]) {
    const { code, out } = await runPreflight(["crds", "--from", set, "--to", set, "--objects", objects, "-o", format]);
    assert.equal(code, 4, format);
    assert.match(out, /Widgett demo\/b/, format);
    assert.match(out, /TechPreviewNoUpgrade and DevPreviewNoUpgrade/, format);
    assert.match(
      out,
      /Not judged: 1 other variant and 1 object|"notJudged": \{\s+"crds": 0,\s+"variants": 1,\s+"objects": 1/,
      format,
    );
  }
  const { out } = await runPreflight(["crds", "--from", set, "--to", set, "--objects", objects, "-o", "sarif"]);
  const results = listAt(parseObject(out), "runs", 0, "results");
  assert.deepEqual(
    results.map((result) => textAt(result, "ruleId")),
    ["NotJudged", "NotJudged"],
  );
  assert.equal(objectAt(listAt(parseObject(out), "runs", 0, "invocations")[0])["executionSuccessful"], false);
});

const RELEASES = ["5.0", "5.1"].map((release) => join(SHARED, "crds", release));
const skip = RELEASES.every((path) => existsSync(path)) ? false : "the CRDs of releases are not beside the project";

test("the variants of a whole release are judged one feature set at a time", { skip }, async () => {
  const [from = "", to = ""] = RELEASES;
  const chosen = ["--profile", "self-managed-high-availability"];
  const unchosen = await compare(from, to, ...chosen);
  assert.equal(unchosen.code, 4);
  const variants = listReasons(unchosen.report).filter((reason) => reason.startsWith("OtherFeatureSet "));
  assert.ok(variants.length > 50);
  const gates = await write({});
  for (const release of RELEASES) await addGates(release, join(gates, basename(release)));
  for (const set of sampleEach(["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "OKD"], 4)) {
    const args = [join(gates, "5.0"), join(gates, "5.1"), "--feature-set", set, ...chosen] as const;
    const { code, report, out } = await compare(...args);
    assert.equal(code, 0, out);
    assert.deepEqual(listReasons(report), []);
    assert.ok((numberAt(report, "crds") ?? 0) > 90);
  }
});

async function addGates(release: string, folder: string): Promise<void> {
  await cp(release, folder, { recursive: true });
  await cp(join(SHARED, "crds/featuregates", basename(release)), folder, { recursive: true });
}

test("a finding names the variant of a release's CRD that was judged", { skip }, async () => {
  const [, release = ""] = RELEASES;
  const old = await write({});
  const now = await write({});
  for (const file of (await readdir(release)).filter((one) => one.includes("_infrastructures-"))) {
    const text = await readFile(join(release, file), "utf8");
    await writeFile(join(old, file), text);
    await writeFile(join(now, file), text.replaceAll("maxLength: 39", "maxLength: 38"));
  }
  for (const set of ["Default", "TechPreviewNoUpgrade", "CustomNoUpgrade"]) {
    const { report } = await compare(old, now, "--feature-set", set);
    const changes = listAt(report, "changes");
    assert.ok(changes.length > 0);
    for (const change of changes) {
      const file = textAt(change, "place", "file") ?? "";
      const line = numberAt(change, "place", "line") ?? 0;
      assert.match(file, new RegExp(`-${set}\\.crd\\.yaml$`));
      assert.doesNotMatch(file, /Hypershift/);
      const lines = (await readFile(file, "utf8")).split("\n").slice(line - 1, line + 10);
      assert.match(lines.join("\n"), /maxLength: 38/);
    }
  }
});
