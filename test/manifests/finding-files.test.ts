import assert from "node:assert/strict";
import { test } from "node:test";
import { parseManifests } from "../../src/manifests/files/parse-manifests.ts";
import { findFindingFiles } from "../../src/manifests/finding-files.ts";
import type { Finding } from "../../src/model/check.ts";
import type { Manifest, ManifestFinding, PlacedFinding, PlacedUnknown } from "../../src/model/manifest.ts";
import { refOf } from "../../src/model/resource.ts";

const WIDGET = { apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: "web" };
const INVALID: Finding = {
  risk: "CustomResourceInvalid",
  object: WIDGET,
  path: "spec.size",
  message: "wrong",
  detail: { kind: "invalid" },
};

function write(namespace: string | undefined, spec: string, apiVersion = "example.com/v1"): string {
  const place = namespace === undefined ? "" : `, namespace: ${namespace}`;
  return `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: web${place}}\nspec:\n  ${spec}\n`;
}

function read(texts: Readonly<Record<string, string>>): readonly Manifest[] {
  return Object.entries(texts).flatMap(([file, text]) =>
    [...parseManifests(text, { file, isNamed: true })].flatMap((one) => ("object" in one ? [one] : [])),
  );
}

function place(manifest: Manifest, fault: Partial<ManifestFinding> = {}): PlacedFinding {
  const path = fault.path ?? ["spec", "size"];
  const common = { risk: "CustomResourceInvalid", effect: "refused", message: "wrong", remedy: "Write 3." } as const;
  return { ...common, ...fault, path, object: refOf(manifest.object), place: manifest.locate(path) };
}

type Faults = (manifests: readonly Manifest[]) => readonly PlacedFinding[];

/** "a.yaml:5:3 faulty" for each file of each finding, and how many faults are of files alone. */
function search(
  findings: readonly Finding[],
  texts: Readonly<Record<string, string>>,
  findFaults: Faults = () => [],
  unknowns: readonly PlacedUnknown[] = [],
): readonly [files: readonly string[], others: number] {
  const manifests = read(texts);
  const { files, others } = findFindingFiles(findings, { manifests, findings: findFaults(manifests), unknowns });
  const lines = findings.flatMap((finding) =>
    (files.get(finding) ?? []).map(({ place: { file, line, column }, state, remedy }) =>
      [`${file}:${line}:${column} ${state}`, ...(remedy === undefined ? [] : [remedy])].join(" "),
    ),
  );
  return [lines, others.length];
}

const everyFault: Faults = (manifests) => manifests.map((one) => place(one));

test("a file that has the fault too is named at the field, with what to write only if that is certain", () => {
  const texts = { "a.yaml": write("shop", "size: big") };
  assert.deepEqual(search([INVALID], texts, everyFault), [["a.yaml:5:3 faulty"], 0]);
  const certain: Faults = ([one]) =>
    one === undefined ? [] : [place(one, { edits: [{ kind: "set", path: ["spec", "size"], value: 3 }] })];
  assert.deepEqual(search([INVALID], texts, certain), [["a.yaml:5:3 faulty Write 3."], 0]);
});

test("a file with another value has the fault mended, and one without the field, or of a list, does not tell", () => {
  assert.deepEqual(search([INVALID], { "a.yaml": write("shop", "size: 3") })[0], ["a.yaml:1:1 mended"]);
  assert.deepEqual(search([INVALID], { "a.yaml": write("shop", "other: 3") })[0], ["a.yaml:1:1 unset"]);
  const inList = { ...INVALID, path: "spec.parts[1].size" };
  assert.deepEqual(search([inList], { "a.yaml": write("shop", "parts: []") })[0], ["a.yaml:1:1 open"]);
});

test("a fault is the same at another index of a list, and at no other field", () => {
  const texts = { "a.yaml": write("shop", "parts: [{size: big}]") };
  const inList = { ...INVALID, path: "spec.parts[1].size" };
  const first: Faults = ([one]) => (one === undefined ? [] : [place(one, { path: ["spec", "parts", 0, "size"] })]);
  assert.deepEqual(search([inList], texts, first), [["a.yaml:5:12 faulty"], 0]);
  assert.deepEqual(
    search([INVALID], { "a.yaml": write("shop", "{size: 3, note: x}") }, ([one]) =>
      one === undefined ? [] : [place(one, { path: ["spec", "note"] })],
    ),
    [["a.yaml:1:1 mended"], 1],
  );
});

test("what the file alone does not show stays open", () => {
  const texts = { "a.yaml": write("shop", "size: 3") };
  const [manifest] = read(texts);
  assert.ok(manifest);
  const unknown = { ...place(manifest), reason: "RuleNotEvaluated" };
  assert.deepEqual(search([INVALID], texts, undefined, [unknown])[0], ["a.yaml:1:1 open"]);
  for (const other of [
    { ...INVALID, detail: { kind: "transition" } },
    { ...INVALID, risk: "DrainBlockedByDisruptionBudget" },
  ])
    assert.deepEqual(search([other], texts)[0], ["a.yaml:1:1 open"]);
  const unserved: Faults = ([one]) =>
    one === undefined ? [] : [place(one, { risk: "CrdServedVersionRemoved", path: ["apiVersion"] })];
  assert.deepEqual(search([INVALID], texts, unserved), [["a.yaml:1:1 open"], 1]);
});

test("what only a later release refuses is no fault of files", () => {
  const later: Faults = (manifests) => manifests.map((one) => place(one, { effect: "later", risk: "Deprecated" }));
  assert.deepEqual(search([], { "a.yaml": write("shop", "size: 3") }, later)[1], 0);
});

test("a fault that a target tolerates in stored objects is the same in a file", () => {
  const frozen = { ...INVALID, risk: "CustomResourceFieldsFrozen" };
  assert.deepEqual(search([frozen], { "a.yaml": write("shop", "size: big") }, everyFault), [["a.yaml:5:3 faulty"], 0]);
});

test("an object is known by its group, kind, namespace and name, in any version", () => {
  const found = (texts: Readonly<Record<string, string>>): readonly string[] => search([INVALID], texts)[0];
  assert.deepEqual(found({ "a.yaml": write("shop", "size: 3", "example.com/v2") }), ["a.yaml:1:1 mended"]);
  assert.deepEqual(
    found({ "a.yaml": write("other", "size: 3"), "b.yaml": write("shop", "size: 3", "other.com/v1") }),
    [],
  );
  assert.deepEqual(found({ "dev.yaml": write("shop", "size: 3"), "prod.yaml": write("shop", "size: 4") }), [
    "dev.yaml:1:1 mended",
    "prod.yaml:1:1 mended",
  ]);
});

test("an object that a file writes in a group of former times is the one of today's group", () => {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
  const blocked: Finding = { risk: "DrainBlocked", object: deployment, message: "it blocks" };
  const old = write("shop", "replicas: 3", "extensions/v1beta1").replace("Widget", "Deployment");
  assert.deepEqual(search([blocked], { "a.yaml": old })[0], ["a.yaml:1:1 open"]);
  const ingress = write("shop", "replicas: 3", "extensions/v1beta1").replace("Widget", "Ingress");
  assert.deepEqual(search([blocked], { "a.yaml": ingress })[0], []);
});

test("a manifest without a namespace is that of the only object of its name with findings", () => {
  const texts = { "a.yaml": write(undefined, "size: 3") };
  assert.deepEqual(search([INVALID, { ...INVALID, message: "again" }], texts)[0].length, 2);
  const elsewhere = { ...INVALID, object: { ...WIDGET, namespace: "other" } };
  assert.deepEqual(search([INVALID, elsewhere], texts)[0], []);
});

test("an object that both halves of a hosted cluster have is in no file for certain", () => {
  const halves: readonly Finding[] = [
    { ...INVALID, half: "management" },
    { ...INVALID, half: "guest" },
  ];
  assert.deepEqual(search(halves, { "a.yaml": write("shop", "size: 3") })[0], []);
});
