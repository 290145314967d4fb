import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { load } from "js-yaml";
import { runCheck } from "../../../support/check-run.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const NOT_SERVED = { error: "404 not found", what: "resource" };
const METRICS = [
  "# TYPE apiserver_request_total counter",
  'apiserver_requested_deprecated_apis{group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"} 1',
];
const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const CLUSTER = {
  "/apis/config.openshift.io/v1/clusterversions/version": NOT_SERVED,
  "/apis/config.openshift.io/v1/featuregates/cluster": NOT_SERVED,
  "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator": NOT_SERVED,
  "/version": { major: "1", minor: "31", gitVersion: "v1.31.4-gke.1036000" },
  "/apis": { kind: "APIGroupList", groups: [{ versions: [{ groupVersion: "flowcontrol.apiserver.k8s.io/v1" }] }] },
  "/metrics": { lines: METRICS },
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": { items: [CRD] },
};

const folder = createTemporaryFolder();
before(async () => {
  await writeFile(join(folder, "cluster.json"), JSON.stringify(CLUSTER));
  await mkdir(join(folder, "target"));
  await writeFile(join(folder, "target", "crd.json"), JSON.stringify(CRD));
});

const ONLY_CHECKS = ["--only", "removed-apis,crd-skew,dual-stack"];

for (const [flag, target] of [
  ["--target-version", "v1.32"],
  ["--target-version", "1.32"],
  ["--target-version", "v1.32.0"],
  ["--target-version", "1.33.1"],
  ["--to", "v1.32"],
  ["--to", "1.33.1"],
] as const) {
  test(`the Kubernetes target ${flag} ${target} needs no folder`, async () => {
    const run = await runCheck(["--recorded", folder, flag, target, ...ONLY_CHECKS]);
    assert.equal(run.code, 3);
    const outcomes = ["crd-skew", "dual-stack", "removed-apis", "drain-blocked"].map((id) => run.outcomes[id]);
    assert.deepEqual(outcomes, ["notApplicable", "notApplicable", "risk", "unknown"]);
    assert.deepEqual(run.findings, [
      "removed-apis RemovedKubernetesAPIInUse API flowcontrol.apiserver.k8s.io/v1beta3/flowschemas",
    ]);
  });
}

test("CRDs of which no variant applies are not judged by --crds on Kubernetes either", async () => {
  const crds = join(folder, "crds");
  await mkdir(crds);
  const annotations = { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" };
  await writeFile(join(crds, "crd.json"), JSON.stringify({ ...CRD, metadata: { ...CRD.metadata, annotations } }));
  const alone = await runPreflight(["check", "--recorded", folder, "--crds", crds]);
  assert.equal(alone.code, 4);
  await writeFile(join(crds, "other.json"), JSON.stringify({ ...CRD, kind: "Other", apiVersion: "v1" }));
  const beside = await runPreflight(["check", "--recorded", folder, "--crds", crds]);
  assert.equal(beside.code, 4);
  assert.match(beside.out, /NoTargetCrds/);
});

for (const flag of ["--target-version", "--to"]) {
  test(`a target of the cluster's own minor is not a rollback to its first patch (${flag})`, async () => {
    const ended = await runPreflight(["check", "--recorded", folder, flag, "v1.31", ...ONLY_CHECKS]);
    assert.deepEqual([ended.code, ended.err], [4, ""], "checks that apply were left out");
    assert.match(
      ended.out,
      /^removed-apis .*\. 1\.31\.4-gke\.1036000 -> 1\.31\.4-gke\.1036000 \(the cluster runs it already\)\n/,
    );
  });
}

test("a release of OpenShift that --to names leads to a version of Kubernetes", async () => {
  const { code, out, err } = await runPreflight(["check", "--recorded", folder, "--to", "4.20"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /has no ClusterVersion, so it is Kubernetes without OpenShift: use --to v1\.36\n$/);
});

test("checks a folder of CRDs together with a Kubernetes version", async () => {
  const target = join(folder, "target");
  const run = await runCheck(["--recorded", folder, "--target", target, "--target-version", "v1.32", ...ONLY_CHECKS]);
  assert.equal(run.outcomes["crd-skew"], "clear");
});

test("rejects a target for another platform, with the reason", async () => {
  const args = ["check", "--recorded", folder, "--target-version", "4.20.3", "-o", "preflight-v1-json"];
  const { code, out, err } = await runPreflight(args);
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).failure.reason, "UnsupportedVersionSkew");
  assert.match(err, /^preflight: The cluster runs Kubernetes 1\.31\.4-gke\.1036000 without OpenShift [^\n]*\n$/);
  const openShift = await runPreflight(["check", "--recorded", "demo", "--target-version", "v1.32"]);
  assert.equal(openShift.code, 1);
  assert.match(openShift.err, /1\.32\.0 is a version of Kubernetes: give an OpenShift release/);
});

test("check and plan take an API server for the version that it emulates", async () => {
  const emulating = join(folder, "emulating");
  await mkdir(emulating);
  const version = { gitVersion: "v1.36.3", emulationMajor: "1", emulationMinor: "33" };
  await writeFile(join(emulating, "cluster.json"), JSON.stringify({ ...CLUSTER, "/version": version }));
  for (const command of ["check", "plan"]) {
    const { out, err } = await runPreflight([command, "--recorded", emulating, "--to", "v1.34", ...ONLY_CHECKS]);
    assert.match(out, /^(?:[^.]*\. )?1\.33\.0\+emulated\.by\.1\.36\.3 -> 1\.34/, `${command}: ${out}${err}`);
  }
});

test("the runner accepts a Kubernetes target without a release image's folders", async () => {
  const args = ["--format=preflight-v1-json", "--recorded", folder, "--target-version", "v1.32", "--interval", "0"];
  const { code, out, err } = await runPreflight([...args, ...ONLY_CHECKS]);
  assert.equal(code, 0, err);
  const document = JSON.parse(out);
  assert.deepEqual(
    [document.executionStatus, document.sourceVersion, document.targetVersion],
    ["completed", "1.31.4-gke.1036000", "1.32.0"],
  );
  const file = join(folder, "document.json");
  await writeFile(file, out);
  assert.equal((await runPreflight(["validate", file])).code, 0);
});

type PrintedRole = {
  readonly rules: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly nonResourceURLs?: readonly string[];
    readonly verbs: readonly string[];
  }[];
};

async function printRules(...args: readonly string[]): Promise<PrintedRole["rules"]> {
  const printed = await runPreflight(["rbac", ...args]);
  assert.equal(printed.code, 0, printed.err);
  const role: PrintedRole = JSON.parse(JSON.stringify(load(printed.out)));
  return role.rules;
}

test("rbac prints the rules for the reads on each platform", async () => {
  const openShift = await printRules();
  const kubernetes = await printRules("--target-version", "v1.36");
  const paths = kubernetes.flatMap((rule) => rule.nonResourceURLs ?? []);
  assert.deepEqual(paths, ["/apis", "/metrics", "/version"]);
  assert.deepEqual(
    openShift.flatMap((rule) => rule.nonResourceURLs ?? []),
    ["/apis"],
  );
  const named = (of: PrintedRole["rules"]) => of.flatMap((rule) => rule.resources ?? []);
  assert.ok(named(openShift).includes("apirequestcounts") && named(openShift).includes("featuregates"));
  assert.ok(!named(kubernetes).includes("apirequestcounts") && !named(kubernetes).includes("featuregates"));
  assert.ok(!named(kubernetes).includes("*"));
  assert.deepEqual([...new Set(kubernetes.flatMap((rule) => rule.verbs))].toSorted(), ["get", "list"]);
});
