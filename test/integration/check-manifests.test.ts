import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type JsonObject, listAt, numberAt, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
import { applyObjects, readManifests } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

function buildCrd(mode: JsonObject, size: JsonObject): JsonObject {
  const parts = { type: "array", items: { type: "object", properties: { size } } };
  const spec = { type: "object", properties: { mode, size, parts } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.files.example.com" },
    spec: {
      group: "files.example.com",
      scope: "Namespaced",
      names: { kind: "Gadget", plural: "gadgets", singular: "gadget", listKind: "GadgetList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

const BEFORE = buildCrd({ type: "string" }, { type: "integer" });
const TARGET = buildCrd({ type: "string", enum: ["Fast", "Safe"] }, { type: "integer", maximum: 5 });

function write(name: string, spec: string): string {
  return `apiVersion: files.example.com/v1\nkind: Gadget\nmetadata:\n  namespace: default\n  name: ${name}\nspec:\n  ${spec}\n`;
}

describe("a cluster whose objects come from files", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  const folder = createTemporaryFolder();
  const deploy = join(folder, "deploy");
  const up = (): ControlPlane => cluster ?? assert.fail("the control plane did not start");
  const writeFiles = async (specs: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, spec] of Object.entries(specs)) await writeFile(join(deploy, `${name}.yaml`), write(name, spec));
  };
  const apply = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await applyObjects(up(), readManifests(join(deploy, `${name}.yaml`)));
  };
  /** By object and path, what its file makes of the fault. */
  const check = async (): Promise<Readonly<Record<string, string>>> => {
    const args = ["check", "-o", "json", "--kubeconfig", up().kubeconfig, "--crds", join(folder, "crds")];
    const { out, err } = await runPreflight([...args, "--manifests", deploy]);
    assert.notEqual(out, "", err);
    const findings = listAt(parseObject(out), "checks").flatMap((one) => objectsAt(one, "findings"));
    const ofGadgets = findings.filter((one) => textAt(one, "object", "kind") === "Gadget");
    return Object.fromEntries(
      ofGadgets.map((one) => [
        `${textAt(one, "object", "name")} ${textAt(one, "path")}`,
        objectsAt(one, "files")
          .map((file) => `${numberAt(file, "line")}:${numberAt(file, "column")} ${textAt(file, "state")}`)
          .join(),
      ]),
    );
  };

  before(async () => {
    await mkdir(join(folder, "crds"));
    await mkdir(deploy);
    await writeFile(join(folder, "crds", "gadgets.json"), JSON.stringify(TARGET));
    cluster = await startCluster("4.20", "--network", "single");
    await applyObjects(up(), [BEFORE]);
    await writeFiles({
      fits: "mode: Safe",
      fault: "mode: Odd",
      early: "mode: Odd",
      silent: "size: 9",
      list: "parts: [{size: 1}, {size: 7}]",
    });
    await eventually(() => apply("fits"));
    await apply("fault", "early", "silent", "list");
    await writeFiles({ early: "mode: Fast", silent: "mode: Safe" });
  });
  after(async () => {
    await cluster?.down();
  });

  test("is told which files bring a fault back and which have it mended", async () => {
    assert.deepEqual(await check(), {
      "early spec.mode": "1:1 mended",
      "fault spec.mode": "7:3 faulty",
      "list spec.parts[1].size": "7:23 faulty",
      "silent spec.size": "1:1 unset",
    });
  });

  test("loses the fault once a file that has it mended is applied", async () => {
    await apply("early");
    await writeFiles({ fault: "mode: Safe", list: "parts: [{size: 1}, {size: 5}]" });
    const open = { "list spec.parts[1].size": "1:1 open", "silent spec.size": "1:1 unset" };
    assert.deepEqual(await check(), { ...open, "fault spec.mode": "1:1 mended" });
    await apply("fault");
    assert.deepEqual(await check(), open);
    await apply("list");
    assert.deepEqual(await check(), { "silent spec.size": "1:1 unset" });
  });
});
