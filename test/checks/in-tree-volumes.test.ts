import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseCase } from "../../src/cases/parser.ts";
import { runCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { type Platform, LAST_KNOWN_RELEASE, formatMinor, getKubernetesMinor } from "../../src/model/version.ts";

/** The changes in each Kubernetes 1 minor since the previous one. */
const CHANGES: readonly [minor: number, fields: readonly string[]][] = [
  [24, ["azureDisk", "cinder"]],
  [25, ["awsElasticBlockStore", "flocker", "gcePersistentDisk", "quobyte", "storageos"]],
  [26, ["azureFile", "glusterfs"]],
  [27, ["vsphereVolume"]],
  [28, []],
  [31, ["cephfs", "portworxVolume", "rbd"]],
  [32, []],
  [33, ["portworxVolume"]],
  [36, []],
];

const FIELDS = [...new Set(CHANGES.flatMap(([, fields]) => fields))];
const CLUSTER = {
  "/api/v1/persistentvolumes": FIELDS.map((field) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: field.toLowerCase() },
    spec: { [field]: {} },
    status: { phase: "Bound" },
  })),
  "/apis/storage.k8s.io/v1/storageclasses": [],
  "/apis/storage.k8s.io/v1/csidrivers": [],
  "/apis/storage.k8s.io/v1/csinodes": [],
};

/** For an update in a cluster with volumes of all plugins. */
async function judge(source: string | { readonly kubernetes: string }, target: string) {
  const check = checks.find(({ id }) => id === "in-tree-volumes") ?? assert.fail();
  const one = parseCase(JSON.stringify({ source, target, cluster: CLUSTER }));
  const { outcome } = await runCase({ ...one, check, name: "all", file: "all.yaml" }, checks);
  return outcome;
}

/** The plugins whose volumes the check reports for an update between two minors of Kubernetes 1. */
async function listPlugins(from: number, to: number, platform: Platform = "openshift"): Promise<readonly string[]> {
  const outcome =
    platform === "openshift"
      ? await judge(`4.${from - 13}.1`, `4.${to - 13}.1`)
      : await judge({ kubernetes: `v1.${from}.1` }, `1.${to}.1`);
  const findings = outcome.kind === "risk" ? outcome.findings : [];
  return findings.map(({ detail }) => detail?.["plugin"] ?? "").toSorted();
}

describe("volume plugins", () => {
  for (const [minor, expected] of CHANGES)
    test(`change for the update to Kubernetes 1.${minor}, but not for the one after`, async () => {
      assert.deepEqual(await listPlugins(minor - 1, minor), expected);
      if (expected.length === 0) return;
      const later = await listPlugins(minor, minor + 1);
      const both = await listPlugins(minor - 1, minor + 1);
      for (const field of expected) assert.deepEqual([later.includes(field), both.includes(field)], [false, true]);
    });

  test("change once if an update crosses two minors of one plugin", async () => {
    assert.deepEqual(await listPlugins(30, 33), ["cephfs", "portworxVolume", "rbd"]);
  });

  test("for vSphere end one minor earlier on plain Kubernetes", async () => {
    assert.deepEqual(await listPlugins(25, 26, "kubernetes"), ["azureFile", "glusterfs", "vsphereVolume"]);
    assert.deepEqual(await listPlugins(26, 27, "kubernetes"), []);
  });
});

test("knows the releases that this preflight knows, and no later one", async () => {
  const last = getKubernetesMinor(LAST_KNOWN_RELEASE);
  const known = await judge({ kubernetes: `v1.${last - 1}.1` }, `1.${last}.1`);
  assert.equal(known.kind, "notApplicable");
  const { major, minor } = LAST_KNOWN_RELEASE;
  const later = [
    [`1.${last}`, await judge({ kubernetes: `v1.${last}.1` }, `1.${last + 1}.1`)],
    [formatMinor(LAST_KNOWN_RELEASE), await judge(`${major}.${minor}.1`, `${major}.${minor + 1}.1`)],
  ] as const;
  for (const [name, outcome] of later) {
    const messages = outcome.kind === "unknown" ? outcome.unknowns.map(({ message }) => message) : [];
    assert.deepEqual(messages, [`this preflight knows what releases up to ${name} change`]);
  }
});
