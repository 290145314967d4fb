import assert from "node:assert/strict";
import test from "node:test";
import type { ClusterFacts, Release } from "../../../src/model/release.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import {
  PROFILE,
  formatClusterVersionCrd,
  formatCrd,
  buildFacts,
  makeFolder,
  formatManifest,
  readOrThrow,
  readAndSelect,
} from "../../support/release/payload/payload-folder.ts";

const SET = "release.openshift.io/feature-set";
const GATE = "release.openshift.io/feature-gate";
const MAJOR = "release.openshift.io/major-version";
const CAPABILITY = "capability.openshift.io/name";
const HOSTED = "include.release.openshift.io/ibm-cloud-managed";
const EXCLUDE = "exclude.release.openshift.io/internal-openshift-hosted";

function getNames(release: Release): readonly string[] {
  return release.manifests.map(({ name }) => name);
}

function getReasons(release: Release): readonly string[] {
  return release.problems.map(({ reason, where }) => `${reason} ${where}`);
}

function formatFeatureGate(
  enabled: readonly string[],
  annotations: Readonly<Record<string, string>>,
  featureSet?: string,
  version = "",
): string {
  return JSON.stringify({
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster", annotations },
    spec: featureSet === undefined ? {} : { featureSet },
    status: { featureGates: [{ version, enabled: enabled.map((name) => ({ name })), disabled: null }] },
  });
}

const FOR_CONFIG = { [PROFILE]: "false-except-for-the-config-operator" };
const GATE_ON = formatFeatureGate(["X", "Y"], { ...FOR_CONFIG, [SET]: "Default" });
const GATE_OFF = formatFeatureGate(["Y"], { ...FOR_CONFIG, [SET]: "Default" });
const WITH = { known: ["Build", "Console"], enabled: ["Build", "Console"] };
const WITHOUT = { known: ["Build", "Console"], enabled: ["Build"] };
const BOTH_KNOWN = formatClusterVersionCrd(["Build", "Console"]);

type Case = readonly [
  why: string,
  annotations: Readonly<Record<string, string>>,
  applies: boolean,
  changes?: Partial<ClusterFacts>,
  more?: Readonly<Record<string, string>>,
];

const ON = { [PROFILE]: "true" };
const TECH = { featureSet: "TechPreviewNoUpgrade" };
const OVERRIDE = {
  group: "apiextensions.k8s.io",
  kind: "CustomResourceDefinition",
  name: "things.example.com",
  namespace: "any",
};

/** Each rule, in order, with the change that flips it. */
const CASES: readonly Case[] = [
  ["no annotations", {}, false],
  ["only irrelevant annotations", { "example.com/a": "b" }, false],
  ["only the profile", ON, true],
  ["excluded on hosted", { [HOSTED]: "true", [EXCLUDE]: "true" }, false, { profile: "ibm-cloud-managed" }],
  ["not excluded on hosted", { [HOSTED]: "true", [EXCLUDE]: "false" }, true, { profile: "ibm-cloud-managed" }],
  ["excluded on another profile", { ...ON, [EXCLUDE]: "true" }, true],
  ["both sets and gates", { ...ON, [SET]: "Default", [GATE]: "X" }, false, {}, { "g.yaml": GATE_ON }],
  ["the Default set", { ...ON, [SET]: "Default" }, true],
  ["the Default set on a cluster that names it", { ...ON, [SET]: "Default" }, true, { featureSet: "Default" }],
  ["the Default set on a cluster with another set", { ...ON, [SET]: "Default" }, false, TECH],
  ["one of the sets", { ...ON, [SET]: "DevPreviewNoUpgrade,TechPreviewNoUpgrade" }, true, TECH],
  ["sets with blanks", { ...ON, [SET]: "DevPreviewNoUpgrade, TechPreviewNoUpgrade" }, false, TECH],
  ["an additional unknown set", { ...ON, [SET]: "Default,Novel" }, false],
  ["a gate that is on", { ...ON, [GATE]: "X" }, true, {}, { "g.yaml": GATE_ON }],
  ["a gate that is off", { ...ON, [GATE]: "X" }, false, {}, { "g.yaml": GATE_OFF }],
  ["gates with blanks", { ...ON, [GATE]: " X , Y," }, true, {}, { "g.yaml": GATE_ON }],
  ["one of two gates off", { ...ON, [GATE]: "X,Y" }, false, {}, { "g.yaml": GATE_OFF }],
  ["a negated gate that is on", { ...ON, [GATE]: "-X" }, false, {}, { "g.yaml": GATE_ON }],
  ["a negated gate that is off", { ...ON, [GATE]: "-X,Y" }, true, {}, { "g.yaml": GATE_OFF }],
  ["the release's major", { ...ON, [MAJOR]: "4,5" }, true],
  ["another major", { ...ON, [MAJOR]: "5, 6" }, false],
  ["the release's major excluded", { ...ON, [MAJOR]: "-4" }, false],
  ["another major excluded", { ...ON, [MAJOR]: "-5" }, true],
  ["the release's major both included and excluded", { ...ON, [MAJOR]: "4,-4" }, false],
  ["another major both included and excluded", { ...ON, [MAJOR]: "4,5,-5" }, false],
  ["an invalid major", { ...ON, [MAJOR]: "four" }, false],
  ["another profile", { [HOSTED]: "true" }, false],
  ["the profile with a value other than true", { [PROFILE]: "True" }, false],
  ["an enabled capability", { ...ON, [CAPABILITY]: "Console" }, true, { capabilities: WITH }, { "v.yaml": BOTH_KNOWN }],
  [
    "a disabled capability",
    { ...ON, [CAPABILITY]: "Console" },
    false,
    { capabilities: WITHOUT },
    { "v.yaml": BOTH_KNOWN },
  ],
  [
    "two enabled capabilities",
    { ...ON, [CAPABILITY]: "Build+Console" },
    true,
    { capabilities: WITH },
    { "v.yaml": BOTH_KNOWN },
  ],
  [
    "two capabilities, one of them disabled",
    { ...ON, [CAPABILITY]: "Build+Console" },
    false,
    { capabilities: WITHOUT },
    { "v.yaml": BOTH_KNOWN },
  ],
  [
    "an unknown capability",
    { ...ON, [CAPABILITY]: "Console" },
    false,
    { capabilities: WITH },
    { "v.yaml": formatClusterVersionCrd(["Build"]) },
  ],
  [
    "a new capability",
    { ...ON, [CAPABILITY]: "Console" },
    true,
    { capabilities: { known: ["Build"], enabled: ["Build"] } },
    { "v.yaml": BOTH_KNOWN },
  ],
  ["an empty capability", { ...ON, [CAPABILITY]: "" }, true, { capabilities: WITHOUT }],
  ["unmanaged", ON, false, { overrides: [{ ...OVERRIDE, unmanaged: true }] }],
  [
    "managed",
    ON,
    true,
    {
      overrides: [
        { ...OVERRIDE, unmanaged: false },
        { ...OVERRIDE, unmanaged: true },
      ],
    },
  ],
  ["another group unmanaged", ON, true, { overrides: [{ ...OVERRIDE, group: "", unmanaged: true }] }],
  ["another kind unmanaged", ON, true, { overrides: [{ ...OVERRIDE, kind: "Thing", unmanaged: true }] }],
  ["another name unmanaged", ON, true, { overrides: [{ ...OVERRIDE, name: "others.example.com", unmanaged: true }] }],
  ["deleted", { ...ON, "release.openshift.io/delete": "true" }, false],
  ["an invalid value for delete", { ...ON, "release.openshift.io/delete": "yes" }, false],
  ["an invalid value for create-only", { ...ON, "release.openshift.io/create-only": "yes" }, true],
];

for (const [why, annotations, applies, changes = {}, more = {}] of CASES) {
  test(`a CRD ${applies ? "applies" : "does not apply"}: ${why}`, async (t) => {
    const release = await readAndSelect(t, { "a.yaml": formatCrd("things", annotations), ...more }, changes);
    const found = release.crds.filter(({ name }) => name === "things.example.com");
    assert.equal(found.length, applies ? 1 : 0);
    assert.equal(release.crdFiles.get("things.example.com"), applies ? "a.yaml" : undefined);
    assert.equal(getNames(release).includes("things.example.com"), applies);
  });
}

test("the CRDs of the operator's own image apply to a hosted cluster whatever their profiles, and to no other profile", async (t) => {
  const files = { "a.yaml": formatCrd("things", ON), "v.yaml": BOTH_KNOWN };
  const select = async (profile: string): Promise<readonly string[]> =>
    (await readAndSelect(t, files, { profile })).crds.map(({ name }) => name);
  assert.deepEqual(await select("ibm-cloud-managed"), ["clusterversions.config.openshift.io"]);
  assert.deepEqual(await select("single-node-developer"), []);
});

test("in a folder that is not a payload, manifests without profile annotations apply, and others are selected by them", async (t) => {
  const folder = makeFolder(t, {
    "a.yaml": formatCrd("bare", {}),
    "b.yaml": formatCrd("noted", { "example.com/a": "b" }),
    "c.yaml": formatCrd("hosted", { [HOSTED]: "true" }),
    "d.yaml": formatCrd("preview", { ...ON, [SET]: "TechPreviewNoUpgrade" }),
    "e.yaml": formatCrd("included", ON),
  });
  const payload = await readOrThrow(folder, { targetVersion: "4.19.0" });
  assert.deepEqual(
    selectRelease(payload, buildFacts()).crds.map(({ plural }) => plural),
    ["bare", "included", "noted"],
  );
});

test("a major-version annotation is valid only on CRDs and FeatureGates", async (t) => {
  const release = await readAndSelect(t, {
    "a.yaml": formatManifest("Thing", "a", { ...ON, [MAJOR]: "4" }),
    "b.yaml": formatManifest("Thing", "b", ON),
  });
  assert.deepEqual(getNames(release), ["b"]);
});

test("an override's namespace matters only for namespaced objects", async (t) => {
  const object = {
    ...JSON.parse(formatManifest("Thing", "a")),
    metadata: { name: "a", namespace: "here", annotations: ON },
  };
  const overriding = (namespace: string) => ({
    overrides: [{ group: "example.com", kind: "Thing", name: "a", namespace, unmanaged: true }],
  });
  const files = { "a.yaml": JSON.stringify(object) };
  assert.deepEqual(getNames(await readAndSelect(t, files, overriding("here"))), []);
  assert.deepEqual(getNames(await readAndSelect(t, files, overriding("there"))), ["a"]);
});

test("an override for the core group has an empty group", async (t) => {
  const object = { ...JSON.parse(formatManifest("Namespace", "a")), apiVersion: "v1" };
  const overrides = [{ group: "", kind: "Namespace", name: "a", namespace: "", unmanaged: true }];
  assert.deepEqual(getNames(await readAndSelect(t, { "a.yaml": JSON.stringify(object) }, { overrides })), []);
});

test("two applicable manifests for one object are a problem that names both, and neither is used", async (t) => {
  const release = await readAndSelect(t, {
    "a.yaml": formatCrd("things", { ...ON, [SET]: "Default" }),
    "b.yaml": formatCrd("things", ON),
    "c.yaml": formatCrd("others", { ...ON, [SET]: "Default" }),
    "d.yaml": formatCrd("others", { ...ON, [SET]: "TechPreviewNoUpgrade" }),
    "e.yaml": formatManifest("Thing", "things.example.com"),
  });
  assert.deepEqual(
    release.crds.map(({ plural }) => plural),
    ["others"],
  );
  assert.deepEqual(getNames(release), ["others.example.com", "things.example.com"]);
  assert.deepEqual(release.problems, [
    {
      reason: "DuplicateManifest",
      where: "a.yaml",
      message:
        "CustomResourceDefinition things.example.com is defined more than once for this cluster, in a.yaml and in b.yaml: none of these is used",
    },
  ]);
});

test("objects with the same name in two namespaces or groups are distinct", async (t) => {
  const object = (apiVersion: string, namespace: string) =>
    JSON.stringify({ apiVersion, kind: "Thing", metadata: { name: "a", namespace, annotations: ON } });
  const release = await readAndSelect(t, {
    "a.yaml": object("example.com/v1", "one"),
    "b.yaml": object("example.com/v1", "two"),
    "c.yaml": object("example.org/v1", "one"),
  });
  assert.equal(release.manifests.length, 3);
  assert.deepEqual(release.problems, []);
  const again = await readAndSelect(t, {
    "a.yaml": object("example.com/v1", "one"),
    "b.yaml": object("example.com/v2", "one"),
  });
  assert.deepEqual(getReasons(again), ["DuplicateManifest a.yaml"]);
});

test("a create-only CRD is a manifest but not a changed CRD", async (t) => {
  const release = await readAndSelect(t, {
    "a.yaml": formatCrd("things", { ...ON, "release.openshift.io/create-only": "true" }),
  });
  assert.deepEqual([getNames(release), release.crds, release.crdFiles.size], [["things.example.com"], [], 0]);
});

test("reports invalid annotations and unreadable CRDs as problems if they apply", async (t) => {
  const old = formatCrd("old").replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");
  const empty = (annotations: Record<string, string>) => {
    const object = JSON.parse(formatCrd("empty", annotations));
    return JSON.stringify({ ...object, spec: { ...object.spec, versions: [] } });
  };
  const release = await readAndSelect(t, {
    "a.yaml": formatCrd("a", { ...ON, "release.openshift.io/delete": "yes" }),
    "b.yaml": formatCrd("b", { "release.openshift.io/delete": "yes" }),
    "c.yaml": old,
    "d.yaml": empty(ON),
    "e.yaml": formatCrd("e", { ...ON, [SET]: "Default,Novel" }),
    "f.yaml": formatCrd("f", { ...ON, [SET]: "Novel" }),
  });
  assert.deepEqual(getReasons(release), [
    "UnknownFeatureSet e.yaml",
    "InvalidAnnotation a.yaml",
    "InvalidManifest c.yaml",
    "InvalidManifest d.yaml",
  ]);
  assert.deepEqual(getReasons(await readAndSelect(t, { "a.yaml": empty({ [HOSTED]: "true" }) })), []);
});

test("selects gates by profile, feature set, major and version", async (t) => {
  const gated = { "z.yaml": formatCrd("z", { ...ON, [GATE]: "Right" }) };
  const wrong = {
    "hosted.yaml": formatFeatureGate(["Wrong"], { [HOSTED]: "false-except-for-the-config-operator", [SET]: "Default" }),
    "major.yaml": formatFeatureGate(["Wrong"], { ...FOR_CONFIG, [SET]: "Default", [MAJOR]: "5,6" }),
    "preview.yaml": formatFeatureGate(
      ["Wrong"],
      { ...FOR_CONFIG, [SET]: "TechPreviewNoUpgrade" },
      "TechPreviewNoUpgrade",
    ),
  };
  const right: readonly (readonly [string, Partial<ClusterFacts>])[] = [
    [formatFeatureGate(["Right"], { ...FOR_CONFIG, [SET]: "Default,OKD", [MAJOR]: "4" }), {}],
    [formatFeatureGate(["Right"], FOR_CONFIG), {}],
    [formatFeatureGate(["Right"], {}), {}],
    [formatFeatureGate(["Right"], FOR_CONFIG, undefined, "4.19.3"), {}],
    [formatFeatureGate(["Right"], FOR_CONFIG, "OKD"), { featureSet: "OKD" }],
  ];
  for (const [text, changes] of right) {
    const release = await readAndSelect(t, { ...wrong, ...gated, "right.yaml": text }, changes);
    assert.deepEqual(release.featureGates, ["Right"]);
    assert.deepEqual(release.problems, []);
    assert.deepEqual(getNames(release), ["z.example.com"]);
  }
});

test("if the gates are unknown, skips manifests that depend on them and reports a problem", async (t) => {
  const gated = {
    "y.yaml": formatCrd("y", { ...ON, [GATE]: "X" }),
    "z.yaml": formatCrd("z", { [HOSTED]: "true", [GATE]: "X" }),
  };
  const unknown: readonly Readonly<Record<string, string>>[] = [
    {},
    { "a.yaml": formatFeatureGate(["X"], FOR_CONFIG), "b.yaml": formatFeatureGate(["X"], FOR_CONFIG) },
    { "a.yaml": formatFeatureGate(["X"], FOR_CONFIG, "TechPreviewNoUpgrade") },
    { "a.yaml": formatFeatureGate(["X"], FOR_CONFIG, undefined, "4.18.0") },
  ];
  for (const files of unknown) {
    const release = await readAndSelect(t, { ...gated, ...files });
    assert.deepEqual(getReasons(release), ["FeatureGatesUnknown y.yaml"]);
    assert.deepEqual([getNames(release), release.featureGates], [[], []]);
  }
  assert.deepEqual(getReasons(await readAndSelect(t, { "a.yaml": formatCrd("a") })), []);
});

test("with CustomNoUpgrade, only the gates that the cluster enables are on", async (t) => {
  const changes = { featureSet: "CustomNoUpgrade", customGates: { enabled: ["Z", "X"], disabled: ["Y"] } };
  const release = await readAndSelect(
    t,
    { "g.yaml": GATE_ON, "a.yaml": formatCrd("a", { ...ON, [GATE]: "X,-Y" }) },
    changes,
  );
  assert.deepEqual(release.featureGates, ["X", "Z"]);
  assert.deepEqual(getNames(release), ["a.example.com"]);
});

test("a release carries the payload's data, whatever the order of its files", async (t) => {
  const files = { "a.yaml": formatCrd("b"), "b.yaml": formatCrd("a"), "c.yaml": "a: [" };
  const folder = makeFolder(t, {
    ...files,
    "release-metadata": '{"kind":"cincinnati-metadata-v0","version":"4.19.3"}',
  });
  const payload = await readOrThrow(folder, { image: "example.com/release:1" });
  const release = selectRelease(payload, buildFacts());
  assert.equal(release.image, "example.com/release:1");
  assert.equal(release.digest, payload.digest);
  assert.deepEqual(
    release.crds.map(({ plural }) => plural),
    ["a", "b"],
  );
  assert.deepEqual(getReasons(release), ["InvalidYaml c.yaml"]);
  assert.deepEqual(selectRelease(payload, buildFacts()), release);
});

test("problems are one line of bounded length, whatever names a file contains", async (t) => {
  const name = `a\nb\u2028${"c".repeat(10_000)}`;
  const release = await readAndSelect(t, {
    "a.yaml": formatManifest("Thing", name),
    "b.yaml": formatManifest("Thing", name),
  });
  const [message = ""] = release.problems.map((found) => found.message);
  assert.match(message, /^Thing a b c+\.\.\.$/);
  assert.equal(message.length, 400);
});

test("separates what the target deletes from what it ships", async (t) => {
  const release = await readAndSelect(t, {
    "a.yaml": formatCrd("a", { ...ON, "release.openshift.io/delete": "true" }),
  });
  assert.deepEqual([getNames(release), release.deleted.map(({ file }) => file)], [[], ["a.yaml"]]);
});
