import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ControlPlane, createPayload, noControlPlane, startCluster } from "../support/control-plane.ts";
import { runCheck } from "../support/check-run.ts";
import { type HealthyUpdate, getExpectedFindings } from "./expected-findings.ts";

/** Every minor with the next two; some also with patch updates and a rollback, and those with dual-stack too. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ["4.12", ["4.12.9", "4.12.19", "4.13.2", "4.14.2"]],
  ["4.13", ["4.14.2", "4.15.2"]],
  ["4.14", ["4.15.2", "4.16.2"]],
  ["4.15", ["4.16.2", "4.17.2"]],
  ["4.16", ["4.17.2", "4.18.2"]],
  ["4.17", ["4.16.2", "4.17.9", "4.18.12", "4.19.2"]],
  ["4.18", ["4.17.2", "4.18.9", "4.19.2", "4.20.3"]],
  ["4.19", ["4.20.2", "4.21.2"]],
  ["4.20", ["4.19.2", "4.20.9", "4.21.2", "4.22.2"]],
  ["4.21", ["4.22.2", "4.23.2"]],
  ["4.22", ["4.21.2", "4.22.9", "4.23.2", "5.0.2", "5.1.2"]],
  ["4.23", ["5.0.2", "5.1.2"]],
  ["5.0", ["4.22.2", "5.0.9", "5.1.2", "5.2.2"]],
];

/** Releases whose single-stack cluster has one node. */
const SINGLE_NODE = ["4.18", "5.0"];

/** Releases that convert ConsolePlugins with a webhook. */
const WEBHOOK_CONVERTING = ["4.12", "4.13", "4.14", "4.15", "4.16"];

/** Turns a seeded cluster into a single-node cluster. */
async function convertToSingleNode({ kubectl }: ControlPlane): Promise<void> {
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

/** Adds what a real cluster has and a seeded one lacks: AWS's configuration, and the webhook that converts ConsolePlugins. */
async function addUnseededObjects({ kubectl }: ControlPlane, release: string): Promise<void> {
  const cloud = "openshift-cloud-controller-manager";
  const console = "openshift-console-operator";
  const endpoints = ["10.128.0.20", "10.129.0.20"].map((address, i) => ({
    addresses: [address],
    conditions: { ready: true },
    targetRef: { kind: "Pod", namespace: console, name: `webhook-${i}` },
  }));
  const webhook = [
    buildObject("v1", "Service", console, "webhook", { spec: { ports: [{ name: "webhook", port: 9443 }] } }),
    buildObject("discovery.k8s.io/v1", "EndpointSlice", console, "webhook-1", {
      addressType: "IPv4",
      endpoints,
      ports: [{ name: "webhook", port: 9443 }],
    }),
  ];
  const items = [
    ...[cloud, console].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    buildObject("v1", "ConfigMap", cloud, "cloud-conf", {}),
    ...(WEBHOOK_CONVERTING.includes(release) ? webhook : []),
  ];
  await kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

function buildObject(apiVersion: string, kind: string, namespace: string, name: string, more: object): object {
  const labels = kind === "EndpointSlice" ? { labels: { "kubernetes.io/service-name": "webhook" } } : {};
  return { apiVersion, kind, metadata: { namespace, name, ...labels }, ...more };
}

/** CI tries one of both networks for most releases; PREFLIGHT_NETWORKS=all tries both where there are many targets. */
function selectNetworks(release: string, targets: readonly string[]): readonly HealthyUpdate["network"][] {
  if (targets.length <= 2) return ["single"];
  if (process.env["PREFLIGHT_NETWORKS"] === "all" || release === "4.18") return ["single", "dual"];
  return SINGLE_NODE.includes(release) ? ["single"] : ["dual"];
}

for (const [release, targets] of PAIRS) {
  for (const network of selectNetworks(release, targets)) {
    const isSingleNode = network === "single" && SINGLE_NODE.includes(release);
    describe(`a healthy ${release} cluster, ${network} stack`, { skip: noControlPlane }, () => {
      let cluster: ControlPlane;
      let folder: string;
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), "preflight-"));
        cluster = await startCluster(release, "--network", network);
        await addUnseededObjects(cluster, release);
        if (isSingleNode) await convertToSingleNode(cluster);
      });
      after(async () => {
        await cluster?.down();
        await rm(folder, { recursive: true, force: true });
      });
      for (const target of targets) {
        test(`has only real risks for an update to ${target}`, async () => {
          const payload = await createPayload(join(folder, target), minorOf(target), target);
          const result = await runCheck(["--kubeconfig", cluster.kubeconfig, "--target", payload]);
          const truths = getExpectedFindings({ release, network, isSingleNode, target });
          assert.deepEqual(result.findings.toSorted(), truths.toSorted());
          assert.deepEqual(result.unknowns, []);
          const ids = Object.keys(result.outcomes).filter((id) => result.outcomes[id] === "risk");
          assert.deepEqual(ids, [...new Set(truths.map((line) => line.split(" ")[0]))].toSorted());
        });
      }
    });
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
