import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, describe, test } from "node:test";
import { type JsonObject, parseObject, textAt } from "../../src/model/json.ts";
import { writeServerKubeconfig } from "../../verify/api-server/kubeconfig.ts";
import { answerFromRecording, readRecording } from "../../verify/fleet/recorded-cluster.ts";
import { listen } from "../../verify/shared/loopback.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCheck } from "../support/check-run.ts";
import {
  type HostedFault,
  buildHostedCluster,
  buildNodePool,
  buildSupportedVersions,
} from "../support/integration/hypershift.ts";

const BASE = "/apis/hypershift.openshift.io/v1beta1";
const CONFIG_MAP = "/api/v1/namespaces/hypershift/configmaps/supported-versions";

/** A management cluster, as a recording has it, with one hosted cluster of `version` and its NodePool. */
async function recordManagement(
  version: string,
  supported: readonly string[],
  fault: HostedFault = {},
  ofPool: HostedFault & { readonly version?: string } = {},
): Promise<string> {
  const folder = createTemporaryFolder();
  const cluster = {
    [`${BASE}/hostedclusters`]: { items: [buildHostedCluster("guest", version, fault)] },
    [`${BASE}/nodepools`]: { items: [buildNodePool("guest", "guest-a", ofPool.version ?? version, ofPool)] },
    [CONFIG_MAP]: buildSupportedVersions(supported),
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "cluster.json"), JSON.stringify(cluster));
  return folder;
}

const flags = (folder: string, target: string): readonly string[] => {
  const hosted = ["--hosted-cluster", "clusters/guest"];
  return ["--recorded", folder, "--target-version", target, ...hosted];
};

/** From 4.16 to 5.1, each to the next minor, and across the two that count as one. */
const PAIRS: readonly (readonly [source: string, target: string])[] = [
  ["4.16.8", "4.17.2"],
  ["4.17.8", "4.18.2"],
  ["4.18.8", "4.19.2"],
  ["4.19.8", "4.20.2"],
  ["4.20.8", "4.21.2"],
  ["4.21.8", "4.22.2"],
  ["4.22.8", "4.23.2"],
  ["4.22.8", "5.0.2"],
  ["4.23.8", "5.0.2"],
  ["5.0.8", "5.1.2"],
  ["4.20.8", "4.20.9"],
];

const HOSTED = "HostedCluster clusters/guest";
const POOL = "NodePool clusters/guest-a";

/** What is planted in a hosted cluster of 4.20.8, and the one line that is told of its update to 4.21.2. */
const FAULTS: readonly (readonly [line: string, fault: HostedFault, ofPool?: HostedFault & { version?: string }])[] = [
  [
    `hosted-cluster HostedClusterOnOpenShiftSDN ${HOSTED} spec.networking.networkType`,
    { spec: { networking: { networkType: "OpenShiftSDN" } } },
  ],
  [
    `hosted-cluster HostedClusterNotUpgradeable ${HOSTED} status.conditions[ClusterVersionUpgradeable]`,
    { conditions: { ClusterVersionUpgradeable: "False" } },
  ],
  [`hosted-cluster HostedClusterPaused ${HOSTED} spec.pausedUntil`, { spec: { pausedUntil: "true" } }],
  [
    `hosted-cluster HostedClusterBlocked ${HOSTED} status.conditions[ValidReleaseImage]`,
    { conditions: { ValidReleaseImage: "False" } },
  ],
  [
    `hosted-cluster HostedControlPlaneNotHealthy ${HOSTED} status.conditions[Degraded]`,
    { conditions: { Degraded: "True" } },
  ],
  [
    `hosted-cluster HostedClusterCredentialsNotValid ${HOSTED} status.conditions[ValidAWSKMSConfig]`,
    { conditions: { ValidAWSKMSConfig: "False" } },
  ],
  [`node-pools NodePoolBehindTarget ${POOL} status.version`, {}, { version: "4.17.9" }],
  [`node-pools NodePoolNewerThanTarget ${POOL} status.version`, {}, { version: "4.21.3" }],
  [`node-pools NodePoolPaused ${POOL} spec.pausedUntil`, {}, { spec: { pausedUntil: "2999-01-01T00:00:00Z" } }],
  [
    `node-pools NodePoolNotValid ${POOL} status.conditions[ValidPlatformImage]`,
    {},
    { conditions: { ValidPlatformImage: "False" } },
  ],
  [
    `node-pools NodePoolNotReady ${POOL} status.conditions[AllMachinesReady]`,
    {},
    { conditions: { AllMachinesReady: "False" } },
  ],
  [
    `node-pools NodePoolRolloutNotFinished ${POOL} status.conditions[UpdatingVersion]`,
    {},
    { conditions: { UpdatingVersion: "True" } },
  ],
];

const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

describe("check --hosted-cluster", () => {
  for (const [source, target] of PAIRS)
    test(`finds nothing wrong with a healthy hosted cluster from ${source} to ${target}`, async () => {
      const folder = await recordManagement(source, [minorOf(target), minorOf(source)]);
      const { code, findings, unknowns } = await runCheck(flags(folder, target));
      assert.deepEqual([code, findings, unknowns], [0, [], []]);
    });

  for (const [line, fault, ofPool] of FAULTS)
    test(`tells ${line}, and nothing else`, async () => {
      const folder = await recordManagement("4.20.8", ["4.21", "4.20"], fault, ofPool);
      const { code, findings, unknowns } = await runCheck(flags(folder, "4.21.2"));
      assert.deepEqual([code, findings, unknowns], [3, [line], []]);
    });

  test("tells a target that the operator does not support, and that a minor is skipped", async () => {
    const folder = await recordManagement("4.20.8", ["4.21", "4.20"]);
    const { findings } = await runCheck(flags(folder, "4.22.1"));
    assert.deepEqual(findings, [`hosted-cluster HostedClusterTargetNotSupported ${HOSTED} spec.release`]);
    const { out } = await runPreflight(["check", ...flags(folder, "4.22.1")]);
    assert.match(out, /4\.21 lies between 4\.20\.8 and 4\.22\.1/);
  });

  test("finds the release in the channel and the updates of the HostedCluster", async () => {
    const folder = await recordManagement("4.20.8", ["4.21", "4.20"]);
    const hosted = ["--hosted-cluster", "clusters/guest", "--to", "4.20.8"];
    const { err } = await runPreflight(["check", "--recorded", folder, ...hosted]);
    assert.match(err, /the cluster runs 4\.20\.8 already/);
  });

  test("says which hosted cluster it is about, for people and for programs", async () => {
    const folder = await recordManagement("4.20.8", ["4.21", "4.20"]);
    const run = (...more: readonly string[]) => runPreflight(["check", ...flags(folder, "4.21.2"), ...more]);
    const page = (await run()).out;
    assert.match(page, /^HostedCluster clusters\/guest, cluster 22222222-/m);
    assert.match(page, /^Management cluster: Recorded cluster in /m);
    assert.doesNotMatch(page, /oc adm upgrade/);
    const json: JsonObject = parseObject((await run("-o", "json")).out) ?? {};
    assert.equal(textAt(json, "cluster", "hostedCluster"), "clusters/guest");
  });

  test("refuses what is no name, and checks of other subjects", async () => {
    const folder = await recordManagement("4.20.8", ["4.21"]);
    const run = (...more: readonly string[]) =>
      runPreflight(["check", "--recorded", folder, "--target-version", "4.21.2", ...more]);
    const all = await run("--hosted-cluster", "*");
    assert.equal(all.code, 2);
    assert.match(all.err, /is not NAMESPACE\/NAME: .* 'preflight fleet --hosted-clusters'/);
    const none = await run("--hosted-cluster", "clusters/other");
    assert.equal(none.code, 1);
    assert.match(none.err, /no HostedCluster clusters\/other: it has clusters\/guest/);
    const other = await run("--hosted-cluster", "clusters/guest", "--only", "nodes");
    assert.equal(other.code, 2);
    const without = await run("--only", "node-pools");
    assert.equal(without.code, 2);
  });

  test("is never clear where HostedClusters can't be read", async () => {
    const folder = createTemporaryFolder();
    await writeFile(
      join(folder, "cluster.json"),
      JSON.stringify({ [`${BASE}/hostedclusters`]: { error: "403 forbidden" } }),
    );
    const { code, err } = await runPreflight(["check", ...flags(folder, "4.21.2")]);
    assert.equal(code, 1);
    assert.match(err, /HostedClusters could not be read: 403 forbidden/);
  });
});

test("rbac --hosted-clusters prints the rights for it, and list says which checks it is for", async () => {
  const { out } = await runPreflight(["rbac", "--hosted-clusters"]);
  assert.match(out, /hypershift\.openshift\.io\n +resources:\n +- hostedclusters\n +- nodepools\n/);
  assert.match(out, /supported-versions/);
  assert.doesNotMatch((await runPreflight(["rbac"])).out, /nodepools/);
  assert.doesNotMatch(out, /secrets/);
  assert.match((await runPreflight(["list"])).out, /^node-pools .*\(only with --hosted-cluster\)/m);
  assert.match((await runPreflight(["explain", "node-pools"])).out, /Runs only on a management cluster/);
});

test("rbac prints the right to read a guest's Secret only for the one that is named", async () => {
  const flags = ["--hosted-clusters", "--guest-secret", "clusters/guest-admin-kubeconfig", "--bind-to", "admin"];
  const { out } = await runPreflight(["rbac", ...flags]);
  const role =
    /kind: Role\nmetadata:\n {2}namespace: clusters\n[^]*?- secrets\n +resourceNames:\n +- guest-admin-kubeconfig\n +verbs:\n +- get\n/;
  assert.match(out, role);
  assert.equal(out.match(/- secrets\n/g)?.length, 1);
  for (const wrong of [
    ["--guest-secret", "clusters/a"],
    ["--hosted-clusters", "--guest-secret", "a"],
  ])
    assert.equal((await runPreflight(["rbac", ...wrong])).code, 2);
});

test("record --hosted-cluster records the hosted cluster and its NodePools, of which a check says the same", async (t) => {
  const management = await recordManagement("4.20.8", ["4.21", "4.20"], { spec: { pausedUntil: "true" } });
  const folder = createTemporaryFolder();
  const target = ["--target-version", "4.21.2", "--hosted-cluster", "clusters/guest"];
  const live = ["--kubeconfig", await serve(t, management), ...target];
  const { code, err } = await runPreflight(["record", "--dest-dir", folder, ...live]);
  assert.equal(code, 0, err);
  assert.doesNotMatch(err, /differs/);
  const { findings, unknowns } = await runCheck(live);
  assert.deepEqual([findings, unknowns], [[`hosted-cluster HostedClusterPaused ${HOSTED} spec.pausedUntil`], []]);
  const again = await runCheck(["--recorded", folder, ...target]);
  assert.deepEqual([again.findings, again.unknowns], [findings, unknowns]);
  const recorded = Object.keys(readRecording(join(folder, "cluster.json")));
  assert.ok(recorded.includes(`${BASE}/nodepools`));
  assert.deepEqual(
    recorded.filter((path) => path.startsWith("/apis/config.openshift.io")),
    [],
  );
  const page = (await runPreflight(["check", "--recorded", folder, ...target])).out;
  assert.match(page, /Read 4 kinds, 3 objects for 2 checks\./);
});

/** A management cluster that answers as it was recorded; resolves with a kubeconfig for it. */
async function serve(t: TestContext, folder: string): Promise<string> {
  const recording = readRecording(join(folder, "cluster.json"));
  const server = createServer((request, response) => {
    request.resume();
    answerFromRecording(recording, (request.url ?? "").replace(/\?.*$/, ""), response);
  });
  const port = await listen(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return writeServerKubeconfig(folder, `http://127.0.0.1:${port}`);
}
