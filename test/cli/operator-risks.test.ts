import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runPreflight } from "../support/preflight.ts";

const FEATURE_GATE = "/apis/config.openshift.io/v1/featuregates/cluster";
const history = [{ state: "Completed", version: "5.0.3" }];
const CLUSTER = {
  "/apis/config.openshift.io/v1/clusterversions/version": {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { history },
  },
  [FEATURE_GATE]: {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: { featureSet: "DevPreviewNoUpgrade" },
    status: { featureGates: [{ version: "5.0.3", enabled: [{ name: "ClusterUpdateAcceptRisks" }], disabled: [] }] },
  },
};
const LIST = { type: "array" };
const desiredUpdate = { properties: { acceptRisks: LIST } };
const openAPIV3Schema = {
  properties: {
    spec: { properties: { desiredUpdate } },
    status: { properties: { conditionalUpdateRisks: LIST } },
  },
};
const CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterversions.config.openshift.io";
const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "clusterversions.config.openshift.io" },
  spec: { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }] },
};
const METADATA = { kind: "cincinnati-metadata-v0", version: "5.1.0", previous: [], metadata: {} };
const MANIFEST = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: demo\n";
const RISK = "FeatureSetForbidsUpdates";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "preflight-"));
  await writeFile(join(folder, "cluster.json"), JSON.stringify({ ...CLUSTER, [CRD_PATH]: CRD }));
  await mkdir(join(folder, "release"));
  await writeFile(join(folder, "release", "release-metadata"), JSON.stringify(METADATA));
  await writeFile(join(folder, "release", "0000_50_demo_01.yaml"), MANIFEST);
});
after(() => rm(folder, { recursive: true, force: true }));

const commonFlags = () => ["--recorded", folder, "--target", join(folder, "release"), "--only", "feature-set"];

type PrintedDocument = { readonly executionStatus: string; readonly risks: readonly { readonly name: string }[] };

async function isShown(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const { out } = await runPreflight([...args, ...commonFlags()], env);
  const { executionStatus, risks }: PrintedDocument = JSON.parse(out);
  assert.equal(executionStatus, "completed");
  return risks.some(({ name }) => name === RISK);
}

const RUN = ["--format=preflight-v1-json", "--interval", "0"];
const CHECK = ["check", "-o", "json"];

test("the runner omits the risks that the operator reports itself, and check shows them", async () => {
  assert.deepEqual([await isShown(RUN), await isShown(CHECK)], [false, true]);
});

test("--lifted and its variable override the default of both", async () => {
  assert.deepEqual(
    [await isShown([...RUN, "--lifted", "show"]), await isShown([...CHECK, "--lifted", "leave"])],
    [true, false],
  );
  const env = { PREFLIGHT_LIFTED: "leave" };
  assert.deepEqual([await isShown(CHECK, env), await isShown([...CHECK, "--lifted", "show"], env)], [false, true]);
});

test("the runner shows the risks of an operator whose ClusterVersion can't hold them", async () => {
  const recorded = join(folder, "default.json");
  await writeFile(recorded, JSON.stringify({ ...CLUSTER, [CRD_PATH]: { ...CRD, spec: { versions: [] } } }));
  const { out } = await runPreflight([...RUN, "--recorded", recorded, "--target", join(folder, "release")]);
  const { risks }: PrintedDocument = JSON.parse(out);
  assert.ok(risks.some(({ name }) => name === RISK));
});

test("an unknown value for --lifted is a usage error", async () => {
  const { code, err } = await runPreflight(["check", ...commonFlags(), "--lifted", "hide"]);
  assert.equal(code, 2);
  assert.match(err, /"show", "leave"/);
});
