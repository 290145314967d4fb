import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { type KnownNames, findNameFaults } from "../support/docs/name-faults.ts";
import { listFiles, readFile, readPages } from "../support/docs/pages.ts";

/** Names that the code need not have, by whose they are. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  "an example of a check that is not written": [
    "src/checks/router-shards/",
    "SiteDatabaseNotDrainable",
    "SiteNAMEUnknown",
  ],
  "the enhancement's, for what this project does otherwise": ["PreflightIncomplete"],
  "a metric, a reason or a field of OpenShift": [
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
    "flexVolume",
    "RunAsAny",
  ],
  "a name of Go, of Node or of must-gather": ["LoadLocation", "resourceLimits", "gather_olm", "gather_etcd"],
  "a flag of oc or kubectl": ["--show-managed-fields", "--included", "--allow-not-recommended", "--max-unavailable"],
};

const known = readKnownNames();
const faults = readPages()
  .filter(({ path }) => path !== "CHANGELOG.md")
  .flatMap((page) => findNameFaults(page, known));

/** The code's words also stand in data, such as the fields of Kubernetes' objects in cases and manifests. */
function readKnownNames(): KnownNames {
  const { scripts }: { readonly scripts: object } = JSON.parse(readFile("package.json"));
  const code = ["*.ts", "*.mjs", "*.json", "*.yaml", "*.yml", ".ci", ":!test/docs", ":!test/support/docs"];
  const words = listFiles(...code).flatMap(
    (file) => removeComments(readFile(file)).match(/[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*/g) ?? [],
  );
  const flags = listFiles("tools").flatMap((file) => {
    const text = readFile(file);
    const quoted = text.matchAll(/"--([a-z-]+)"/g);
    return text.includes("parseArgs(") ? [...quoted, ...text.matchAll(/^\s+"?([a-z-]+)"?: /gm)] : [...quoted];
  });
  return {
    words: new Set(words),
    files: listFiles(),
    scripts: new Set(Object.keys(scripts)),
    commands: COMMANDS,
    toolFlags: new Set(flags.map(([, name]) => `--${name}`)),
  };
}

function removeComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*|#).*$/gm, "");
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
  "`npm run no-such-script`": "npm run no-such-script",
  "    npm run bench -- --no-such-flag": "--no-such-flag",
  "`--no-such-flag`": "--no-such-flag",
  "`preflight check --share 0/2`": "--share",
  "`preflight no-such-command`": "preflight no-such-command",
  "```console\n$ preflight check --no-such-flag -o json\n```": "--no-such-flag",
};

for (const [text, name] of Object.entries(PLANTED))
  test(`a stale name is found in ${JSON.stringify(text)}`, () => {
    const found = findNameFaults({ path: "docs/planted.md", text: `\n${text}` }, known);
    assert.deepEqual(
      found.map((fault) => fault.name),
      [name],
    );
  });

test("names that exist, placeholders and other programs are left alone", () => {
  const text = [
    "`readPayload`, `status.conditionalUpdates`, `<Name>Unknown`, `MINOR`, `src/checks/<id>/check.ts`, `src/model`,",
    "`read.ts`, `preflight check --to VERSION --no-unknown-risks`, `preflight help`, `oc adm upgrade --anything`,",
    "`npm run bench -- --compare`, `npm test -- test/format`, `--page`, `/apis/config.openshift.io/v1/x`",
  ].join("\n");
  assert.deepEqual(findNameFaults({ path: "docs/planted.md", text }, known), []);
});
