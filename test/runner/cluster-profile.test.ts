import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import type { ReadFailure } from "../../src/model/reader.ts";
import type { ClusterFacts } from "../../src/model/release.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { FEATURE_GATES, INFRASTRUCTURE, OPERATOR } from "../../src/cases/cluster.ts";
import { fakeReader, type FakeResponse } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/fixtures.ts";

const FORBIDDEN: ReadFailure = { kind: "failed", reason: "Forbidden", message: "403 forbidden" };
const ABSENT: FakeResponse = { kind: "absent", what: "object" };

const buildInfrastructure = (status: JsonObject): JsonObject =>
  object("config.openshift.io/v1", "Infrastructure", "cluster", { status });
const HOSTED = buildInfrastructure({ controlPlaneTopology: "External" });

function buildOperator(...env: readonly JsonObject[]): JsonObject {
  return object("apps/v1", "Deployment", "cluster-version-operator", {
    metadata: { name: "cluster-version-operator", namespace: "openshift-cluster-version" },
    spec: { template: { spec: { containers: [{ name: "cluster-version-operator", env: [...env] }] } } },
  });
}

/** The profile that selects the target's manifests, the outcome of a check that needs them, and the paths that were read. */
async function findProfile(cluster: Readonly<Record<string, FakeResponse>>): Promise<{
  readonly profile: string | undefined;
  readonly unknowns: readonly string[];
  readonly paths: readonly string[];
}> {
  let seen: ClusterFacts | undefined;
  const reader = fakeReader({ ...clusterRunning("4.18.8"), ...cluster });
  const result = await runCycle({
    selection: { checks: [checkWith({ id: "manifests", basis: "manifests" }), checkWith({ id: "other" })] },
    reader,
    target: { kind: "read", version: version("4.19.1"), select: (facts) => ((seen = facts), release("4.19.1")) },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 5_000 },
  });
  if (result.kind === "failed") assert.fail(result.failure.message);
  const [manifests, other] = result.report.checks.map(({ outcome }) => outcome);
  assert.equal(other?.kind, "clear");
  const unknowns = manifests?.kind === "unknown" ? manifests.unknowns : [];
  return {
    profile: seen?.profile,
    unknowns: unknowns.map(({ reason, where, message }) => `${reason}: ${where} (${message})`),
    paths: reader.paths,
  };
}

test("the running operator names the cluster profile, and has a default", async () => {
  const named = { name: "CLUSTER_PROFILE", value: "single-node-developer" };
  const found = await findProfile({ [OPERATOR]: buildOperator(named), [INFRASTRUCTURE]: HOSTED });
  assert.partialDeepStrictEqual(found, { profile: "single-node-developer", unknowns: [] });
  assert.ok(!found.paths.includes(INFRASTRUCTURE), "Infrastructure was read, too");
  const unset = await findProfile({ [OPERATOR]: buildOperator() });
  assert.partialDeepStrictEqual(unset, { profile: "self-managed-high-availability", unknowns: [] });
});

test("a hosted control plane has the profile ibm-cloud-managed, since its operator runs in another cluster", async () => {
  for (const operator of [ABSENT, FORBIDDEN])
    assert.partialDeepStrictEqual(await findProfile({ [OPERATOR]: operator, [INFRASTRUCTURE]: HOSTED }), {
      profile: "ibm-cloud-managed",
      unknowns: [],
    });
});

const UNKNOWN: readonly (readonly [string, Readonly<Record<string, FakeResponse>>, RegExp])[] = [
  [
    "it does not exist, and the control plane is not hosted",
    { [OPERATOR]: ABSENT, [INFRASTRUCTURE]: buildInfrastructure({ controlPlaneTopology: "HighlyAvailable" }) },
    /^NotFound: Deployment .*it does not exist, and Infrastructure cluster reports controlPlaneTopology HighlyAvailable, not External/,
  ],
  [
    "it does not exist, and Infrastructure names no topology",
    { [OPERATOR]: ABSENT, [INFRASTRUCTURE]: buildInfrastructure({}) },
    /^NotFound: Deployment .* and Infrastructure cluster reports no controlPlaneTopology: without the cluster profile/,
  ],
  [
    "it does not exist, and neither does Infrastructure",
    { [OPERATOR]: ABSENT, [INFRASTRUCTURE]: ABSENT },
    /^NotFound: Deployment .* and Infrastructure cluster does not exist either: without the cluster profile/,
  ],
  [
    "it does not exist, and Infrastructure can't be read",
    { [OPERATOR]: ABSENT, [INFRASTRUCTURE]: FORBIDDEN },
    /^Forbidden: Infrastructure cluster \(403 forbidden, and Deployment .* does not exist: without the cluster profile/,
  ],
  [
    "it can't be read, and the control plane is not hosted",
    { [OPERATOR]: FORBIDDEN, [INFRASTRUCTURE]: buildInfrastructure({ controlPlaneTopology: "SingleReplica" }) },
    /^Forbidden: Deployment .*\(403 forbidden: without the cluster profile/,
  ],
];

for (const [what, cluster, expected] of UNKNOWN) {
  test(`which manifests apply is unknown if the operator's Deployment shows no profile: ${what}`, async () => {
    const { unknowns } = await findProfile({ ...cluster, [FEATURE_GATES]: ABSENT });
    assert.equal(unknowns.length, 1);
    assert.match(unknowns[0] ?? "", expected);
  });
}
