import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { buildOpenShiftDefaults, CLUSTER_VERSION, INFRASTRUCTURE, OPERATOR } from "../../src/cases/cluster.ts";
import { type JsonObject, objectAt, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
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
const ID = "22222222-3333-4444-8555-666666666666";

async function record(cluster: JsonObject): Promise<string> {
  const folder = createTemporaryFolder();
  await writeFile(join(folder, "cluster.json"), JSON.stringify(cluster));
  return folder;
}

const recordManagement = (fault: HostedFault = {}): Promise<string> =>
  record({
    [`${BASE}/hostedclusters`]: { items: [buildHostedCluster("guest", "4.18.8", fault)] },
    [`${BASE}/nodepools`]: { items: [buildNodePool("guest", "guest-a", "4.18.8")] },
    "/api/v1/namespaces/hypershift/configmaps/supported-versions": buildSupportedVersions(["4.19", "4.18"]),
    // The management cluster's own, which no check of the guest may see.
    [CLUSTER_VERSION]: { error: "500" },
    "/api/v1/nodes": { items: [buildNode("management-0", "Red Hat Enterprise Linux 8.6 (Ootpa)")] },
  });

function buildNode(name: string, osImage: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    status: { nodeInfo: { osImage, kubeletVersion: "v1.31.4" } },
  };
}

async function recordGuest(more: JsonObject = {}, id = ID): Promise<string> {
  const plain = buildOpenShiftDefaults("4.18.8");
  const version = objectAt(plain, CLUSTER_VERSION);
  return record({
    ...plain,
    [CLUSTER_VERSION]: { ...version, spec: { ...objectAt(version, "spec"), clusterID: id } },
    [INFRASTRUCTURE]: {
      ...objectAt(plain, INFRASTRUCTURE),
      status: { controlPlaneTopology: "External", platformStatus: { type: "AWS" } },
    },
    [OPERATOR]: { error: "404 not found" },
    "/api/v1/nodes": { items: [buildNode("worker-0", "Red Hat Enterprise Linux CoreOS 9.6")] },
    ...more,
  });
}

const ONLY = ["hosted-cluster", "node-pools", "overrides", "rhel-workers"];

const buildFlags = (management: string, guest: string): readonly string[] => {
  const halves = ["--recorded", management, "--hosted-cluster", "clusters/guest", "--guest-recorded", guest];
  return [...halves, "--target-version", "4.19.2", "--only", ONLY.join(",")];
};

/** A guest's node that the target does not support, and a HostedCluster that is paused. */
const PAUSED: HostedFault = { spec: { pausedUntil: "true" } };
const OLD_NODE = { "/api/v1/nodes": { items: [buildNode("worker-0", "Red Hat Enterprise Linux 8.6 (Ootpa)")] } };

async function run(fault: HostedFault, guest: JsonObject | string, ...flags: readonly string[]) {
  const folder = typeof guest === "string" ? guest : await recordGuest(guest);
  return runPreflight(["check", ...flags, ...buildFlags(await recordManagement(fault), folder)]);
}

describe("check of both halves of a hosted cluster", () => {
  test("is one result, in which each check reads its own half", async () => {
    const { code, findings, unknowns, outcomes } = await runCheck(
      buildFlags(await recordManagement(PAUSED), await recordGuest(OLD_NODE)),
    );
    assert.deepEqual(
      [code, findings, unknowns],
      [
        3,
        [
          "hosted-cluster HostedClusterPaused HostedCluster clusters/guest spec.pausedUntil",
          "rhel-workers RHELWorkersRemoved Node worker-0 status.nodeInfo.osImage",
        ],
        [],
      ],
    );
    assert.equal(outcomes["node-pools"], "clear");
  });

  test("names the control plane first, then the nodes, and of each risk the half", async () => {
    const { out } = await run(PAUSED, OLD_NODE, "-o", "wide");
    assert.match(
      out,
      /^HostedCluster clusters\/guest, cluster 2{8}-.*\nManagement cluster: Recorded .*\nGuest: Recorded /m,
    );
    const [first, second] = ["Control plane: the update is refused", "Nodes: the update is refused"].map((text) =>
      out.indexOf(text),
    );
    assert.ok(first !== undefined && second !== undefined && first > 0 && first < second, out);
    assert.match(out, /Management cluster: HyperShift does not act/);
    assert.match(out, /Guest: These nodes run package-based/);
  });

  test("says the half in each format for programs, too", async () => {
    const read = async (format: string) => (await run(PAUSED, OLD_NODE, "-o", format)).out;
    const json = parseObject(await read("json"));
    const risks = objectsAt(json, "risks").flatMap((risk) => {
      const half = textAt(risk, "half");
      return half === undefined ? [] : [[textAt(risk, "name"), half, textAt(risk, "stage")]];
    });
    assert.deepEqual(risks, [
      ["HostedClusterPaused", "management", "controlPlane"],
      ["RHELWorkersRemoved", "guest", "nodes"],
    ]);
    const found = objectsAt(json, "checks").flatMap((check) => objectsAt(check, "findings"));
    assert.deepEqual(
      found.map((finding) => textAt(finding, "half")),
      ["management", "guest"],
    );
    assert.equal(textAt(json, "cluster", "guest", "kind"), "recorded");
    const results = objectsAt(parseObject(await read("sarif")), "runs", 0, "results");
    assert.deepEqual(results.map((one) => textAt(one, "properties", "half")).slice(0, 2), ["management", "guest"]);
    assert.match(await read("csv"), /,half\r\nHostedClusterPaused,.*,management\r\n/);
    assert.match(await read("junit"), /<testcase [^>]* name="Guest: All nodes run an operating system/);
    for (const format of ["github", "markdown", "html"])
      assert.match(await read(format), /Management cluster: HyperShift does not act[^]*Guest: /, format);
  });

  test("is never clear of a guest that does not answer, and still tells what its management cluster shows", async () => {
    const silent = await record({ [CLUSTER_VERSION]: { error: "Unreachable" } });
    const clear = await run({}, silent);
    assert.equal(clear.code, 4, clear.out);
    assert.match(clear.out, /the guest could not be read: /);
    const { code, findings } = await runCheck(buildFlags(await recordManagement(PAUSED), silent));
    assert.deepEqual(
      [code, findings],
      [3, ["hosted-cluster HostedClusterPaused HostedCluster clusters/guest spec.pausedUntil"]],
    );
  });

  test("refuses another cluster in place of the guest", async () => {
    const { code, err } = await run({}, await recordGuest({}, "33333333-3333-4444-8555-666666666666"));
    assert.equal(code, 1);
    assert.match(err, /this is not the guest of HostedCluster clusters\/guest: it is of cluster 3{8}-/);
  });

  test("refuses flags that don't go together", async () => {
    const refuse = async (flags: readonly string[], message: RegExp) => {
      const { code, err } = await runPreflight(["check", "--target-version", "4.19.2", ...flags]);
      assert.equal(code, 2, err);
      assert.match(err, message);
    };
    const hosted = ["--hosted-cluster", "clusters/guest"];
    await refuse(["--guest-kubeconfig", "file"], /give --hosted-cluster too/);
    await refuse([...hosted, "--guest-context", "admin"], /give that too/);
    await refuse([...hosted, "--guest-secret", "a", "--guest-kubeconfig", "b"], /both name the guest/);
    const recorded = ["--recorded", await recordManagement()];
    await refuse([...hosted, ...recorded, "--guest-secret", "admin"], /is read on a live management cluster/);
  });
});
