import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ControlPlane, layPayload, noControlPlane, startCluster } from "../support/control-plane.ts";
import { judged } from "../support/judged.ts";

const WHEREABOUTS = "dual-stack WhereaboutsNetworksStall NetworkAttachmentDefinition demo-a/bridge-a spec.config";
const STALLS = "dual-stack DualStackAdditionalNetworksStall";
const OLM = "capability-enums CapabilityRejected ClusterVersion version status.capabilities";
const CONVERTER =
  "crd-skew CrdConversionUnavailable CustomResourceDefinition consoleplugins.console.openshift.io spec.conversion.webhook.clientConfig.service";

/** What a pair is right to find on a healthy seeded cluster, and why. A pair that isn't here must find nothing. */
const TRUE_FINDINGS: Readonly<Record<string, readonly string[]>> = {
  // A definition with Whereabouts addresses, and 4.13.0 to 4.13.4 stall on them.
  "4.12 single -> 4.13.2": [WHEREABOUTS],
  "4.12 dual -> 4.13.2": [WHEREABOUTS],
  // Dual-stack with two additional networks: 4.12.18 to 4.12.20 stall on both, and on the Whereabouts addresses of one.
  "4.12 dual -> 4.12.19": [
    `${STALLS} Network cluster status.serviceNetwork`,
    `${STALLS} NetworkAttachmentDefinition demo-a/bridge-a`,
    WHEREABOUTS,
    `${STALLS} NetworkAttachmentDefinition demo-a/macvlan-b`,
  ],
  "4.12 single -> 4.12.19": [WHEREABOUTS],
  // 4.16 converts ConsolePlugins by a webhook, whose Service is not among the CRDs that are laid out here, nor on a 4.17 cluster.
  "4.17 single -> 4.16.2": [CONVERTER],
  "4.17 dual -> 4.16.2": [CONVERTER],
  // 4.18 brought the capability OperatorLifecycleManagerV1, which the API of 4.17 rejects.
  "4.18 single -> 4.17.2": [`${OLM}.enabledCapabilities[16]`, `${OLM}.knownCapabilities[16]`],
  "4.18 dual -> 4.17.2": [`${OLM}.enabledCapabilities[16]`, `${OLM}.knownCapabilities[16]`],
};

/** The other releases, each with its next minor. */
const NEIGHBOURS: readonly (readonly [string, readonly string[]])[] = [
  ["4.13", ["4.14.2"]],
  ["4.14", ["4.15.2"]],
  ["4.15", ["4.16.2"]],
  ["4.16", ["4.17.2"]],
  ["4.19", ["4.20.2"]],
  ["4.21", ["4.22.2"]],
  ["4.23", ["5.0.2", "5.1.2"]],
];

const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ["4.12", ["4.12.9", "4.12.19", "4.13.2", "4.14.2"]],
  ["4.17", ["4.16.2", "4.17.9", "4.18.12", "4.19.2"]],
  ["4.18", ["4.17.2", "4.18.9", "4.19.2", "4.20.3"]],
  ["4.20", ["4.19.2", "4.20.9", "4.21.2", "4.22.2"]],
  ["4.22", ["4.21.2", "4.22.9", "5.0.2", "5.1.2"]],
  ["5.0", ["4.22.2", "5.0.9", "5.1.2", "5.2.2"]],
];

/** Releases whose single-stack cluster has one node. */
const SINGLE_NODE = ["4.18", "5.0"];

/** Makes a single-node cluster of a seeded one. */
async function toSingleNode({ kubectl }: ControlPlane): Promise<void> {
  await kubectl(["delete", "nodes", "-l", "node-role.kubernetes.io/worker"]);
  await kubectl(["delete", "nodes", "master-1.demo.example.com", "master-2.demo.example.com"]);
  const single = '-p={"status":{"controlPlaneTopology":"SingleReplica","infrastructureTopology":"SingleReplica"}}';
  await kubectl([
    "patch",
    "infrastructures.config.openshift.io",
    "cluster",
    "--subresource=status",
    "--type=merge",
    single,
  ]);
}

for (const [release, targets] of [...PAIRS, ...NEIGHBOURS]) {
  for (const network of NEIGHBOURS.some(([only]) => only === release) ? ["single"] : ["single", "dual"]) {
    describe(`a healthy ${release} cluster, ${network} stack`, { skip: noControlPlane }, () => {
      let cluster: ControlPlane;
      let folder: string;
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), "preflight-"));
        cluster = await startCluster(release, "--network", network);
        if (network === "single" && SINGLE_NODE.includes(release)) await toSingleNode(cluster);
      });
      after(async () => {
        await cluster?.down();
        await rm(folder, { recursive: true, force: true });
      });
      for (const version of targets) {
        test(`has nothing against it from ${version} but what is true`, async () => {
          const payload = await layPayload(join(folder, version), minorOf(version), version);
          const found = await judged(["--kubeconfig", cluster.kubeconfig, "--target", payload]);
          assert.deepEqual(found.findings, TRUE_FINDINGS[`${release} ${network} -> ${version}`] ?? []);
          assert.deepEqual(found.unknowns, []);
          const skewed = found.findings.some((line) => line.startsWith("crd-skew "));
          assert.equal(found.outcomes["crd-skew"], skewed ? "risk" : "clear");
        });
      }
    });
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
