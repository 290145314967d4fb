import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { createObject, patchObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runCheck } from "../support/check-run.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const THINGS = "/apis/skew.example.com/v1/namespaces/default/things";
const TEXT: JsonObject = { type: "string" };

function buildCrd(spec: JsonObject, required: readonly string[] = []): JsonObject {
  const properties = { spec, status: { type: "object", properties: { phase: TEXT } } };
  const schema = { openAPIV3Schema: { type: "object", required, properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.skew.example.com" },
    spec: {
      group: "skew.example.com",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

function buildSpec(mode: JsonObject, item: JsonObject, more: JsonObject = {}): JsonObject {
  const items = { type: "object", required: ["name"], properties: { name: TEXT, size: item } };
  const byName: JsonObject = {
    type: "array",
    items,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  };
  const open: JsonObject = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { a: TEXT },
    ...more,
  };
  return { type: "object", properties: { mode, list: byName, tags: { type: "array", items: mode }, open } };
}

const BEFORE = buildCrd(buildSpec(TEXT, { type: "integer" }));
const AFTER = buildCrd(
  buildSpec({ type: "string", enum: ["A"] }, { type: "integer", maximum: 5 }, { required: ["a"] }),
  ["status"],
);

type ObjectCase = {
  readonly name: string;
  readonly verdict: "valid" | "frozen" | "refused";
  readonly body: JsonObject;
};
const STATUS: JsonObject = { phase: "x" };
const CASES: readonly ObjectCase[] = [
  { name: "fits", verdict: "valid", body: { spec: { mode: "A", list: [{ name: "a", size: 1 }] }, status: STATUS } },
  { name: "enum", verdict: "frozen", body: { spec: { mode: "B" }, status: STATUS } },
  { name: "item", verdict: "frozen", body: { spec: { list: [{ name: "a", size: 9 }] }, status: STATUS } },
  { name: "atomic", verdict: "frozen", body: { spec: { tags: ["A", "B"] }, status: STATUS } },
  { name: "root", verdict: "refused", body: { spec: { mode: "A" } } },
  { name: "open", verdict: "refused", body: { spec: { open: { other: 1 } }, status: STATUS } },
  { name: "closed", verdict: "frozen", body: { spec: { open: {} }, status: STATUS } },
];
const RISKS = { frozen: "CustomResourceFieldsFrozen", refused: "CustomResourceInvalid" };

/** A write that sets an invalid value again: it must fail if the field is frozen. */
const WRITES: Readonly<Record<string, JsonObject>> = {
  enum: { spec: { mode: "C" } },
  item: { spec: { list: [{ name: "a", size: 8 }] } },
  atomic: { spec: { tags: ["B", "A"] } },
  closed: { spec: { open: { b: 1 } } },
};

describe("an API server with objects that were stored under an earlier definition", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  const folder = createTemporaryFolder();
  const up = (): ControlPlane => cluster ?? assert.fail("the control plane did not start");
  const apply = (object: JsonObject): Promise<void> => applyObjects(up(), [object]);
  const create = (object: JsonObject): Promise<JsonObject> => createObject(up(), THINGS, object);
  const tryToCreate = (object: JsonObject): Promise<JsonObject> => createObject(up(), `${THINGS}?dryRun=All`, object);
  const thing = ({ name, body }: ObjectCase): JsonObject => ({
    apiVersion: "skew.example.com/v1",
    kind: "Thing",
    metadata: { namespace: "default", name },
    ...body,
  });
  const patch = (name: string, change: JsonObject): Promise<JsonObject> =>
    patchObject(up(), `${THINGS}/${name}`, change);

  before(async () => {
    await mkdir(join(folder, "crds"));
    await writeFile(join(folder, "crds", "things.json"), JSON.stringify(AFTER));
    cluster = await startCluster("4.20", "--network", "single");
    await apply(BEFORE);
    for (const one of CASES) await eventually(() => create(thing(one)));
  });
  after(async () => {
    await cluster?.down();
  });

  test("treats each as crd-skew predicted before the definition was replaced", async () => {
    const { findings, unknowns } = await runCheck([
      "--kubeconfig",
      cluster?.kubeconfig ?? "",
      "--crds",
      join(folder, "crds"),
    ]);
    assert.deepEqual(unknowns, []);
    const findRisks = (name: string): readonly string[] => [
      ...new Set(findings.filter((line) => line.includes(` default/${name}`)).map((line) => line.split(" ")[1] ?? "")),
    ];
    for (const { name, verdict } of CASES)
      assert.deepEqual(findRisks(name), verdict === "valid" ? [] : [RISKS[verdict]], name);
  });

  test("accepts valid objects, rejects refused ones, and accepts frozen ones only if the field does not change", async () => {
    await apply(AFTER);
    await eventually(async () => {
      const again = {
        ...thing({ name: "probe", verdict: "refused", body: { spec: { mode: "B" }, status: STATUS } }),
      };
      await assert.rejects(tryToCreate(again), /mode/);
    });
    for (const one of CASES) {
      const labelled = patch(one.name, { metadata: { labels: { touched: "yes" } } });
      if (one.verdict === "refused") await assert.rejects(labelled, /is invalid/, one.name);
      else await labelled;
      const copy = { ...thing(one), metadata: { namespace: "default", name: `${one.name}-anew` } };
      const anew = tryToCreate(copy);
      if (one.verdict === "valid") await anew;
      else await assert.rejects(anew, /is invalid/, `${one.name} anew`);
      if (one.verdict === "frozen")
        await assert.rejects(patch(one.name, WRITES[one.name] ?? {}), /is invalid/, `${one.name} set`);
    }
  });
});
