import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { type KnownNames, findNameFaults, parseDeclaredNames, parseWords } from "../support/docs/name-faults.ts";
import { listToolFlags } from "../support/docs/tool-flags.ts";
import { listFiles, readFile, readPages } from "../support/docs/pages.ts";

/** Names that the code need not have, by whose they are. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  "an example of a check that is not written": [
    "src/checks/router-shards/",
    "SiteDatabaseNotDrainable",
    "SiteNAMEUnknown",
  ],
  "a file that is there until what is in it is decided": ["src/checks/known-bugs/undecided.yaml"],
  "the enhancement's, for what this project does otherwise": ["PreflightIncomplete"],
  "a metric, a reason, a kind or a field of OpenShift": [
    "AnalysisResult",
    "OpenShiftUpdateRiskMightApply",
    "ClusterOnCgroupV1",
    "RHELNodes",
    "RestrictedFeatureGates",
    "GatewayAPICRDsDegraded",
    "InterruptedBuild",
    "osImageURL",
  ],
  "a metric, a reason, a value or a field of Kubernetes": [
    "EndpointsNotFound",
    "ControlPlaneNodesReady",
    "kubelet_cgroup_version",
    "RunAsAny",
    "emptyDir",
  ],
  "a name of Go, of Node or of must-gather": ["LoadLocation", "resourceLimits", "gather_olm", "gather_etcd"],
  "what exists for a while only": ["src/checks/known-bugs/undecided.yaml"],
  "a function or a field of the cluster-version operator": [
    "findUpdateFromConfig",
    "syncAvailableUpdates",
    "availableUpdatesQueue",
    "GiantHop",
    "KMSPreflightCheck",
  ],
  "a name of the reader in Go": ["RequestedAt", "ErrMissing", "ErrUnreadable", "ErrInvalid"],
  "a name of HyperShift": [
    "nodeDrainTimeout",
    "reconcileClusterVersion",
    "IsValidReleaseVersion",
    "isUpgradeable",
    "reconcileManagementKASPolicies",
    "reconcileSameNamespaceNetworkPolicy",
    "reconcileKASNetworkPolicy",
    "NeedManagementKASAccessLabel",
    "KASServiceKubeconfigSecret",
  ],
  "a flag of oc or kubectl": [
    "--show-managed-fields",
    "--included",
    "--allow-not-recommended",
    "--max-unavailable",
    "--validate",
  ],
};

const known = readKnownNames();
const faults = readPages()
  .filter(({ path }) => path !== "CHANGELOG.md")
  .flatMap((page) => findNameFaults(page, known));

/** The code's words also stand in data, such as the fields of Kubernetes' objects in cases and manifests. */
function readKnownNames(): KnownNames {
  const code = ["*.ts", "*.mjs", "*.json", "*.yaml", "*.yml", ".ci", ":!test/docs", ":!test/support/docs"];
  const words = listFiles(...code).flatMap((file) => parseWords(readFile(file)));
  const sources = listFiles("src/*.ts", "verify/*.ts", "tools/*.ts", "tools/*.mjs", "build.mjs");
  const settings = COMMANDS.flatMap((command) => Object.keys(command.settings));
  const own = settings.flatMap((name) => [`--${name}`, `--no-${name}`]);
  return {
    words: new Set(words),
    declared: new Set(sources.flatMap((file) => parseDeclaredNames(readFile(file)))),
    files: listFiles(),
    flags: new Set([...own, "--help", "--version", ...listToolFlags()]),
  };
}

test("every name in code marks is one that the code has", () => {
  const foreign = new Set(Object.values(FOREIGN).flat());
  assert.deepEqual(
    faults.filter(({ name }) => !foreign.has(name)).map(({ place, name }) => `${place}: ${name}`),
    [],
  );
});

test("every foreign name is one that a page has and the code has not", () => {
  const unknown = new Set(faults.map(({ name }) => name));
  assert.deepEqual(
    Object.values(FOREIGN)
      .flat()
      .filter((name) => !unknown.has(name)),
    [],
  );
});

const PLANTED: Readonly<Record<string, string>> = {
  "`readNothingAtAll` is gone": "readNothingAtAll",
  "The condition `NeverSuchACondition`": "NeverSuchACondition",
  "`PREFLIGHT_NO_VARIABLE=1`": "PREFLIGHT_NO_VARIABLE",
  "See `src/model/gone.ts`.": "src/model/gone.ts",
  "`test/<name>/gone/`": "test/<name>/gone/",
  "and `no-such-file.ts`": "**/no-such-file.ts",
  "`--no-such-flag`": "--no-such-flag",
};

for (const [text, name] of Object.entries(PLANTED))
  test(`a stale name is found in ${JSON.stringify(text)}`, () => {
    const found = findNameFaults({ path: "docs/planted.md", text: `\n${text}` }, known);
    assert.deepEqual(
      found.map((fault) => fault.name),
      [name],
    );
  });

/** What a design page says of the code, with what other pages may say: `list -o json` has the key. */
const PLANTED_IN_DESIGN: Readonly<Record<string, string>> = {
  "every check with `needsManifests` is unknown": "needsManifests",
  "Checks without `portable` read nothing": "portable",
  "and `neversuchaname`": "neversuchaname",
};

for (const [text, name] of Object.entries(PLANTED_IN_DESIGN))
  test(`a design page names no ${name}`, () => {
    const [design, other] = ["docs/design/planted.md", "docs/planted.md"].map((path) =>
      findNameFaults({ path, text }, known).map((fault) => fault.name),
    );
    assert.deepEqual([design, other], [[name], []]);
  });

test("declared are names that code defines or uses, and not the keys of what it prints", () => {
  const code =
    'type A = { readonly member?: B };\nfunction c(d: E) {\n  return { key: check.basis === "f", short };\n}';
  const names = parseDeclaredNames(code);
  assert.ok(
    ["A", "member", "B", "c", "E", "basis", "f", "short"].every((name) => names.includes(name)),
    names.join(),
  );
  assert.ok(!names.includes("key"));
});

test("names that exist, placeholders and other programs are left alone", () => {
  const text = [
    "`readPayload`, `status.conditionalUpdates`, `<Name>Unknown`, `MINOR`, `src/checks/<id>/check.ts`, `src/model`,",
    "`read.ts`, `--no-unknown-risks`, `oc adm upgrade --anything`, `--corpus`, `/apis/config.openshift.io/v1/x`",
  ].join("\n");
  assert.deepEqual(findNameFaults({ path: "docs/planted.md", text }, known), []);
});
