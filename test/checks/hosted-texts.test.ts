import assert from "node:assert/strict";
import { test } from "node:test";
import { INFRASTRUCTURE, OPERATOR } from "../../src/cases/cluster.ts";
import { type CaseFile, type CheckCase, readCase } from "../../src/cases/case-files.ts";
import { patchValue } from "../../src/cases/patch.ts";
import { runCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";

/** What nobody has or can do in a cluster whose control plane is hosted. */
const NOT_THERE =
  /oc adm upgrade|allow-not-recommended|machine-?config-?pool|machine config pool|machine-?set|\betcd\b|operator refuses the update|control-plane node/i;

/** What only the HostedCluster's administrator may change: HyperShift has an admission policy for each. */
const READ_ONLY =
  /oc (?:patch|edit|delete|annotate|label) (?:(?:apiserver|authentication|featuregate|image|infrastructure|ingress|network|oauth|proxy|scheduler)s?\.config|image(?:digest|tag)mirrorset|imagecontentsourcepolicy)\b/;

/** Cases about objects that belong to a control plane, or whose conditions speak of one: a guest has none of them. */
const OF_CONTROL_PLANES = [
  "certificates-expiring clear-node-is-gone",
  "certificates-expiring risk-etcd-of-a-node",
  "cluster-operators risk-many-not-upgradeable",
  "cluster-operators risk-not-upgradeable-on-the-same-place",
  "cluster-operators risk-not-upgradeable",
  "cluster-version risk-failing-because-of-one-more-operator",
  "drain-blocked clear-control-plane-node-restarts",
  "drain-blocked clear-no-disruption-for-hours-without-pods",
];

/** Of each check's cases with texts, and of those that are clear, which have few; all of them with PREFLIGHT_CASES=all. */
const STEP = 4;
const STEP_OF_CLEAR = 12;

function sampleCases(files: readonly CaseFile[]): readonly CaseFile[] {
  const isClear = ({ name }: CaseFile): boolean => name.startsWith("clear");
  const named = files.filter(({ check, name }) => OF_CONTROL_PLANES.includes(`${check.id} ${name}`));
  const withTexts = files.filter((file) => !isClear(file));
  const chosen = [...named, ...sampleEach(withTexts, STEP), ...sampleEach(files.filter(isClear), STEP_OF_CLEAR)];
  return files.filter((file) => chosen.includes(file));
}

/** Kinds whose operators run beside no hosted control plane. */
const OTHERS = /^\/apis\/(?:machineconfiguration|machine)\.openshift\.io\/|\/etcds\//;

const NOT_SERVED = { error: "404 not found", what: "resource" };

/** The same cluster with a hosted control plane. */
function host(cluster: JsonObject): JsonObject {
  const external = patchValue(cluster[INFRASTRUCTURE], { status: { controlPlaneTopology: "External" } });
  const rest = Object.entries(cluster).map(([path, value]) => [path, OTHERS.test(path) ? NOT_SERVED : value]);
  return { ...Object.fromEntries(rest), [INFRASTRUCTURE]: external, [OPERATOR]: { error: "404 not found" } };
}

async function listTexts(one: CheckCase): Promise<readonly string[]> {
  const { outcome, risks } = await runCase({ ...one, cluster: host(one.cluster) }, checks);
  const ofRisks = risks.flatMap(({ message }) => message);
  if (outcome.kind === "notApplicable") return ofRisks;
  const findings = outcome.kind === "clear" ? [] : outcome.findings;
  const ofFindings = findings.flatMap(({ message, see = [], fix = [] }) => [message, ...see, ...fix]);
  return [...ofRisks, ...ofFindings, ...outcome.notices];
}

// What judges hosted clusters runs on their management cluster.
for (const check of selectedChecks.filter(({ special }) => special?.subject === undefined))
  test(`no case of ${check.id} asks a hosted cluster for what it doesn't have`, async () => {
    const cases = sampleCases(caseFiles(check)).map(readCase);
    const wrong: string[] = [];
    for (const one of cases.filter(({ cluster }) => textAt(cluster[INFRASTRUCTURE], "kind") !== undefined))
      if ((await listTexts(one)).some((text) => NOT_THERE.test(text) || READ_ONLY.test(text)))
        wrong.push(`${check.id} ${one.name}`);
    assert.deepEqual(
      wrong,
      OF_CONTROL_PLANES.filter((name) => name.startsWith(`${check.id} `)),
    );
  });
