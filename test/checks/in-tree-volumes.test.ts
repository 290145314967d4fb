import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  keepNodeDrivers,
  keepStorageClass,
  keepVolume,
  selectPluginChanges,
} from "../../src/checks/in-tree-volumes/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Platform } from "../../src/model/version.ts";

function fields(source: number, target: number, platform: Platform = "openshift"): readonly string[] {
  return selectPluginChanges({ kubernetes: { source, target }, platform }).map(({ field }) => field);
}

/** The changes in each Kubernetes 1 minor since the previous one. */
const CHANGES: readonly [minor: number, fields: readonly string[]][] = [
  [24, ["azureDisk", "cinder"]],
  [25, ["flocker", "quobyte", "storageos", "awsElasticBlockStore", "gcePersistentDisk"]],
  [26, ["glusterfs", "azureFile"]],
  [27, ["vsphereVolume"]],
  [28, []],
  [31, ["cephfs", "rbd", "portworxVolume"]],
  [32, []],
  [33, ["portworxVolume"]],
  [36, []],
];

describe("volume plugins", () => {
  for (const [minor, expected] of CHANGES) {
    test(`change for the update to Kubernetes 1.${minor}, but not for the one before or after`, () => {
      assert.deepEqual(fields(minor - 1, minor), expected);
      for (const field of expected) {
        assert.ok(!fields(minor, minor + 1).includes(field));
        assert.ok(!fields(minor, minor).includes(field));
        assert.ok(fields(minor - 1, minor + 1).includes(field));
      }
    });
  }

  test("change once if an update crosses two minors of one plugin", () => {
    assert.deepEqual(fields(30, 33), ["cephfs", "rbd", "portworxVolume"]);
    assert.equal(
      selectPluginChanges({ kubernetes: { source: 30, target: 33 }, platform: "openshift" }).at(-1)?.minor,
      31,
    );
  });

  test("for vSphere end one minor earlier on plain Kubernetes", () => {
    assert.deepEqual(fields(25, 26, "kubernetes"), ["glusterfs", "azureFile", "vsphereVolume"]);
    assert.deepEqual(fields(26, 27, "kubernetes"), []);
  });
});

test("keeps volumes and classes of plugins that ended, and the drivers of a node", () => {
  const build = (spec: JsonObject, phase: string) =>
    keepVolume({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "a" }, spec, status: { phase } });
  const object = { apiVersion: "v1", kind: "PersistentVolume", name: "a" };
  assert.deepEqual(build({ rbd: {} }, "Bound"), { object, field: "rbd", isBound: true });
  assert.deepEqual(build({ vsphereVolume: {} }, "Released"), { object, field: "vsphereVolume", isBound: false });
  const others: readonly JsonObject[] = [{}, { csi: {} }, { rbd: "a" }];
  for (const spec of others) assert.equal(build(spec, "Bound"), undefined);
  const keepClass = (provisioner: string) => keepStorageClass({ metadata: { name: "a" }, provisioner });
  assert.deepEqual(keepClass("kubernetes.io/rbd"), { name: "a", provisioner: "kubernetes.io/rbd" });
  assert.equal(keepClass("my.kubernetes.io/rbd"), undefined);
  assert.deepEqual(keepNodeDrivers({ spec: { drivers: [{ name: "b" }, {}, { name: "a" }] } }), ["b", "a"]);
});
