import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../support/control-plane.ts";
import { eventually } from "../support/eventually.ts";
import { runPreflight } from "../support/preflight.ts";

const GROUP = "apply.example.com";
const TEXT: JsonObject = { type: "string" };
const NUMBER: JsonObject = { type: "integer" };
const byKey = (list: JsonObject): JsonObject => ({
  ...list,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
});
const ITEMS: JsonObject = { type: "array", items: { type: "object", required: ["k"], properties: { k: TEXT } } };
const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const RULE: JsonObject = { "x-kubernetes-validations": [{ rule: "self == 'A'" }] };

/** What preflight reports, and therefore what the API server must do with each kind of write. */
type Effect = "none" | "ratcheted" | "applyRefused" | "rejected";
type Change = {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly value: Json;
  readonly effect: Effect;
};
const CHANGES: readonly Change[] = [
  { name: "same", before: TEXT, after: { ...TEXT, maxLength: 9 }, value: "B", effect: "none" },
  { name: "enumed", before: TEXT, after: { ...TEXT, enum: ["A"] }, value: "B", effect: "ratcheted" },
  { name: "length", before: TEXT, after: { ...TEXT, minLength: 2 }, value: "B", effect: "ratcheted" },
  { name: "pattern", before: TEXT, after: { ...TEXT, pattern: "^A$" }, value: "B", effect: "ratcheted" },
  { name: "rule", before: TEXT, after: { ...TEXT, ...RULE }, value: "B", effect: "ratcheted" },
  { name: "missing", before: OPEN, after: { ...OPEN, required: ["a"] }, value: { b: 1 }, effect: "rejected" },
  { name: "keyless", before: OPEN, after: byKey(ITEMS), value: {}, effect: "applyRefused" },
  { name: "doubled", before: ITEMS, after: byKey(ITEMS), value: [{ k: "a" }, { k: "a" }], effect: "ratcheted" },
  { name: "typed", before: TEXT, after: NUMBER, value: "B", effect: "applyRefused" },
  { name: "untyped", before: TEXT, after: OPEN, value: "B", effect: "applyRefused" },
  {
    name: "item",
    before: { type: "array", items: TEXT },
    after: { type: "array", items: NUMBER },
    value: ["B"],
    effect: "applyRefused",
  },
  { name: "rounded", before: { type: "number" }, after: NUMBER, value: 1.5, effect: "ratcheted" },
  {
    name: "either",
    before: { type: "boolean" },
    after: { "x-kubernetes-int-or-string": true },
    value: true,
    effect: "ratcheted",
  },
  { name: "default", before: { ...TEXT, default: "A" }, after: { ...TEXT, default: "C" }, value: "B", effect: "none" },
];

/** `removed`: v1beta1 is removed from spec.versions; `unserved`: it stays there, but is not served. */
const VERSIONS = {
  removed: [],
  unserved: [{ name: "v1beta1", served: false, storage: false, schema: schemaOf(TEXT) }],
};

function schemaOf(field: JsonObject): JsonObject {
  const spec = { type: "object", properties: { field, other: TEXT } };
  return { openAPIV3Schema: { type: "object", properties: { spec } } };
}

function crdOf(name: string, field: JsonObject, more: readonly JsonObject[] = []): JsonObject {
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind, plural: `${name}s`, singular: name, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema: schemaOf(field) }, ...more],
    },
  };
}

function objectOf(name: string, spec: JsonObject, version = "v1", object = "stored"): JsonObject {
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return { apiVersion: `${GROUP}/${version}`, kind, metadata: { namespace: "default", name: object }, spec };
}

type FindingJson = {
  readonly object: { readonly kind: string; readonly name: string };
  readonly effect?: string;
};

describe("server-side apply after a CRD was replaced", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  let folder = "";
  const kubectl = (args: readonly string[], input?: JsonObject): Promise<string> =>
    (cluster ?? assert.fail("the control plane did not start")).kubectl(args, input && JSON.stringify(input));
  const apply = (object: JsonObject, manager: string): Promise<string> =>
    kubectl(["apply", "--server-side", `--field-manager=${manager}`, "-f", "-"], object);
  const label = (name: string): Promise<string> =>
    kubectl(["label", "--overwrite", `${name}s.v1.${GROUP}`, "stored", "touched=yes"]);
  const replace = async (name: string): Promise<string> => {
    const stored: JsonObject = JSON.parse(await kubectl(["get", `${name}s.v1.${GROUP}`, "stored", "-o", "json"]));
    return kubectl(["replace", "-f", "-"], stored);
  };
  const targets: readonly JsonObject[] = [
    ...CHANGES.map((change) => crdOf(change.name, change.after)),
    ...Object.entries(VERSIONS).map(([name, more]) => crdOf(name, TEXT, more)),
  ];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "preflight-"));
    await mkdir(join(folder, "crds"));
    for (const [i, crd] of targets.entries()) await writeFile(join(folder, "crds", `${i}.json`), JSON.stringify(crd));
    cluster = await startKubernetes();
    const old: JsonObject = { name: "v1beta1", served: true, storage: false, schema: schemaOf(TEXT) };
    const installed = [
      ...CHANGES.map((change) => crdOf(change.name, change.before)),
      ...Object.keys(VERSIONS).map((name) => crdOf(name, TEXT, [old])),
    ];
    await kubectl(["create", "-f", "-"], { apiVersion: "v1", kind: "List", items: installed });
    for (const { name, value } of CHANGES)
      await eventually(async () => void (await kubectl(["create", "-f", "-"], objectOf(name, { field: value }))));
    for (const name of Object.keys(VERSIONS)) {
      await eventually(async () => void (await kubectl(["create", "-f", "-"], objectOf(name, { field: "B" }))));
      await eventually(async () => void (await apply(objectOf(name, { other: "o" }, "v1beta1"), "one")));
    }
  });
  after(async () => {
    await cluster?.down();
    await rm(folder, { recursive: true, force: true });
  });

  test("behaves as crd-skew predicted", async () => {
    const args = ["check", "-o", "json", "--kubeconfig", cluster?.kubeconfig ?? "", "--crds", join(folder, "crds")];
    const { out } = await runPreflight(args);
    const { checks }: { readonly checks: readonly { readonly findings: readonly FindingJson[] }[] } = JSON.parse(out);
    const findings = checks.flatMap((check) => check.findings);
    const effectsOf = (test: (finding: FindingJson) => boolean): readonly (string | undefined)[] => [
      ...new Set(findings.filter(test).map(({ effect }) => effect)),
    ];
    for (const { name, effect } of CHANGES) {
      const effects = effectsOf(({ object }) => object.kind.toLowerCase() === name);
      assert.deepEqual(effects, effect === "none" ? [] : [effect], name);
    }
    assert.deepEqual(
      effectsOf(({ object }) => object.name === `removeds.${GROUP}`),
      ["applyRefused"],
    );
    assert.deepEqual(
      effectsOf(({ object }) => object.name === `unserveds.${GROUP}`),
      [undefined],
    );
  });

  test("fails after a change of type until the value is corrected, while other writes pass", async () => {
    for (const crd of targets) await kubectl(["replace", "-f", "-"], crd);
    await eventually(() => assert.rejects(apply(objectOf("typed", { other: "o" }), "one"), /failed to create typed/));
    await eventually(() => assert.rejects(apply(objectOf("removed", { other: "o" }), "two"), /invalid group\/version/));
    for (const { name, effect, value } of CHANGES) {
      for (const manager of ["one", "two"]) {
        const applied = apply(objectOf(name, { other: "o" }), manager);
        if (effect === "applyRefused") await assert.rejects(applied, /failed to create typed/, name);
        else if (effect === "rejected") await assert.rejects(applied, /is invalid/, name);
        else await applied;
      }
      const creation = kubectl(
        ["create", "--dry-run=server", "-f", "-"],
        objectOf(name, { field: value }, "v1", "new"),
      );
      if (effect === "none") await creation;
      else await assert.rejects(creation, /is invalid|cannot be handled/, name);
      for (const write of [label, replace]) {
        if (effect === "rejected") await assert.rejects(write(name), /is invalid/, name);
        else await write(name);
      }
    }
    await kubectl(["patch", `typeds.v1.${GROUP}`, "stored", "--type=merge", '-p={"spec":{"field":5}}']);
    await apply(objectOf("typed", { other: "p" }), "one");
  });

  test("fails after a version was removed until another kind of write", async () => {
    await apply(objectOf("unserved", { other: "o" }), "two");
    for (const manager of ["one", "two"])
      await assert.rejects(apply(objectOf("removed", { other: "o" }), manager), /invalid group\/version/);
    await label("removed");
    await apply(objectOf("removed", { other: "o" }), "two");
  });
});
