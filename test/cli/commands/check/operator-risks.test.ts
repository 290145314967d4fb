import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const FEATURE_GATE = "/apis/config.openshift.io/v1/featuregates/cluster";
const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const OPERATOR_RISK = {
  name: "ClusterOperatorUpgradeable-config-operator",
  message: "The feature set allows no updates.",
  url: "https://docs.redhat.com/",
  matchingRules: [{ type: "Always" }],
  conditions: [{ type: "Applies", status: "True", reason: "Match", message: "" }],
};

function buildCluster(risks: readonly object[]): object {
  const release = { version: "5.1.0", image: "registry.example/release:5.1.0" };
  const history = [{ state: "Completed", version: "5.0.3" }];
  return {
    [CLUSTER_VERSION]: {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
      status: { history, conditionalUpdates: [{ release, risks }] },
    },
    [FEATURE_GATE]: {
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster" },
      spec: { featureSet: "DevPreviewNoUpgrade" },
    },
  };
}
const METADATA = { kind: "cincinnati-metadata-v0", version: "5.1.0", previous: [], metadata: {} };
const MANIFEST = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: demo\n";
const RISK = "FeatureSetForbidsUpdates";

const folder = createTemporaryFolder();
before(async () => {
  await writeFile(join(folder, "cluster.json"), JSON.stringify(buildCluster([OPERATOR_RISK])));
  await mkdir(join(folder, "release"));
  await writeFile(join(folder, "release", "release-metadata"), JSON.stringify(METADATA));
  await writeFile(join(folder, "release", "0000_50_demo_01.yaml"), MANIFEST);
});

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

test("the runner omits the risks that ClusterVersion shows, and check shows them", async () => {
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

test("the runner shows a risk that ClusterVersion doesn't", async () => {
  const recorded = join(folder, "unlisted.json");
  await writeFile(recorded, JSON.stringify(buildCluster([])));
  const { out } = await runPreflight([...RUN, "--recorded", recorded, "--target", join(folder, "release")]);
  const { risks }: PrintedDocument = JSON.parse(out);
  assert.ok(risks.some(({ name }) => name === RISK));
});

test("an unknown value for --lifted is a usage error", async () => {
  const { code, err } = await runPreflight(["check", ...commonFlags(), "--lifted", "hide"]);
  assert.equal(code, 2);
  assert.match(err, /choose one of show, leave\n$/);
});
