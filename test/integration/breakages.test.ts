import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { CRDS } from "../../verify/api-server/api-path.ts";
import { applyObjects, readManifests } from "../../verify/api-server/apply-objects.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { patchObject, readObject } from "../../verify/api-server/objects.ts";
import { type CheckRun, runCheck } from "../support/check-run.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { nightly } from "../support/cases/sample.ts";

/** The checks that these breakages are for; check.test.ts covers the other findings on a seeded cluster. */
const ONLY = ["--only", "boot-image-skew,capability-enums,cgroup-v1,crd-skew,dual-stack"];

/** The kinds that are broken here. */
const BROKEN = ["_consolelinks", "_machineconfigurations", "_networks", "_nodes"];

/** A control plane of each release is too much for each change: one has what differs in kind. */
function describeCluster(release: string, targets: readonly string[], body: (at: Scenario) => void): void {
  describe(`a seeded ${release} cluster`, { skip: noControlPlane || (release !== "4.18" && nightly) }, () => {
    let cluster: ControlPlane | undefined;
    const folder = createTemporaryFolder();
    before(async () => {
      for (const version of targets)
        await createSmallPayload(join(folder, version), minorOf(version), version, ...BROKEN);
      cluster = await startCluster(release, "--network", "single");
    });
    after(async () => {
      await cluster?.down();
    });
    const up = (): ControlPlane => cluster ?? assert.fail("the control plane did not start");
    body({
      apply: (object) => applyObjects(up(), [object]),
      applyAll: (file) => applyObjects(up(), readManifests(file)),
      read: (path) => readObject(up(), path),
      patch: (path, change) => patchObject(up(), path, change),
      check: (version) => runCheck([...ONLY, "--kubeconfig", up().kubeconfig, "--target", join(folder, version)]),
      run: (...args) => runPreflight([...args, "--kubeconfig", up().kubeconfig]),
      folder: () => folder,
    });
  });
}

type Scenario = {
  readonly apply: (object: JsonObject) => Promise<void>;
  /** The objects of a file. */
  readonly applyAll: (file: string) => Promise<void>;
  readonly read: (path: string) => Promise<JsonObject>;
  readonly patch: (path: string, change: JsonObject) => Promise<JsonObject>;
  readonly check: (version: string) => Promise<CheckRun>;
  readonly run: (...args: readonly string[]) => ReturnType<typeof runPreflight>;
  readonly folder: () => string;
};

/** The single manifest of a payload whose file name contains `part`, and that all feature sets share. */
async function findManifest(folder: string, version: string, part: string): Promise<string> {
  const manifests = join(folder, version, "release-manifests");
  const names = (await readdir(manifests)).filter(
    (name) => name.includes(part) && !/-(Custom|TechPreview|DevPreview|OKD)/.test(name),
  );
  return join(manifests, names[0] ?? assert.fail(`${version} has no ${part}`));
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

const NODES = "/apis/config.openshift.io/v1/nodes/cluster";
const NETWORKS = "/apis/config.openshift.io/v1/networks/cluster";
const COUNTS = "/apis/apiserver.openshift.io/v1/apirequestcounts";
const LINKS = `${CRDS}/consolelinks.console.openshift.io`;
const NETWORK = { cidr: "10.128.0.0/14", hostPrefix: 23 };
const TWO_NETWORKS = [NETWORK, { cidr: "10.132.0.0/14", hostPrefix: 23 }];

describeCluster("4.18", ["4.18.6", "4.19.2", "4.20.3"], ({ apply, applyAll, read, patch, check, run, folder }) => {
  test("with cgroupMode v1 has a risk for 4.20 with object and path, and the API server then agrees", async () => {
    await patch(NODES, { spec: { cgroupMode: "v1" } });
    const result = await check("4.20.3");
    assert.equal(result.code, 3);
    const onMode = ({ findings }: CheckRun) =>
      findings.filter((line) => line.endsWith(" Node cluster spec.cgroupMode"));
    assert.deepEqual(onMode(result), ["cgroup-v1 CgroupV1Removed Node cluster spec.cgroupMode"]);
    await patch(NODES, { spec: { cgroupMode: "v2" } });
    assert.deepEqual(onMode(await check("4.20.3")), []);
    await applyAll(await findManifest(folder(), "4.20.3", "_nodes"));
    // The API server serves a new schema a moment later. A value that it has taken once counts as unchanged.
    await eventually(async () => {
      await patch(NODES, { spec: { cgroupMode: "v2" } });
      await assert.rejects(patch(NODES, { spec: { cgroupMode: "v1" } }), /Unsupported value: "v1"/);
    });
  });

  test("with several cluster networks of one family has the risk inside the range of releases and nowhere else", async () => {
    for (const part of ["spec", "status"]) await patch(NETWORKS, { [part]: { clusterNetwork: TWO_NETWORKS } });
    assert.deepEqual((await check("4.19.2")).findings, []);
    assert.deepEqual((await check("4.18.6")).findings, [], "the range is about updates from 4.17");
    for (const part of ["spec", "status"]) await patch(NETWORKS, { [part]: { clusterNetwork: [NETWORK] } });
  });

  test("with a stored version that the target drops, still in use, has the risk that refuses the CRD, and a notice of what comes after", async () => {
    const name = "consolelinks.v1alpha9.console.openshift.io";
    const version = objectAt(await read(LINKS), "spec", "versions", 0);
    const older = { ...version, name: "v1alpha9", storage: false };
    await patch(LINKS, { spec: { versions: [version, older] } });
    await patch(`${LINKS}/status`, { status: { storedVersions: ["v1alpha9", "v1"] } });
    await apply({
      apiVersion: "apiserver.openshift.io/v1",
      kind: "APIRequestCount",
      metadata: { name },
      spec: { numberOfUsersToReport: 10 },
    });
    const hour = {
      requestCount: 3,
      byNode: [
        {
          nodeName: "n",
          requestCount: 3,
          byUser: [{ username: "system:serviceaccount:a:old", userAgent: "x", requestCount: 3 }],
        },
      ],
    };
    await patch(`${COUNTS}/${name}/status`, { status: { requestCount: 3, currentHour: hour } });
    const result = await check("4.20.3");
    assert.deepEqual(result.findings, [
      "crd-skew CrdStoredVersionRemoved CustomResourceDefinition consolelinks.console.openshift.io status.storedVersions",
    ]);
    assert.ok(
      result.notices.some((notice) => notice.includes("Once the API server accepts") && notice.includes("v1alpha9")),
      result.notices.join("\n"),
    );
    await assert.rejects(applyAll(await findManifest(folder(), "4.20.3", "consolelinks")), /storedVersions/);
  });

  // record.test.ts has it of every check.
  test("recorded and replayed gives the same result", { skip: nightly }, async () => {
    const recording = join(folder(), "recording");
    const live = await check("4.20.3");
    const recorded = await run("record", "--dest-dir", recording, "--target", join(folder(), "4.20.3"));
    assert.equal(recorded.code, 0, recorded.err);
    const replayed = await runCheck([...ONLY, "--recorded", recording, "--target", join(folder(), "4.20.3")]);
    assert.deepEqual(replayed, live);
  });
});

describeCluster("4.14", ["4.13.2"], ({ check }) => {
  test("has a risk for the capabilities that 4.13 rejects, with their paths", async () => {
    const result = await check("4.13.2");
    assert.equal(result.code, 3);
    const capabilities = result.findings.filter((line) => line.startsWith("capability-enums "));
    assert.deepEqual(
      capabilities
        .map((line) =>
          line
            .split(" ")
            .at(-1)
            ?.replace(/\[\d+\]$/, "[]"),
        )
        .toSorted(),
      [
        ...Array.from({ length: 4 }, () => "status.capabilities.enabledCapabilities[]"),
        ...Array.from({ length: 4 }, () => "status.capabilities.knownCapabilities[]"),
      ],
    );
    assert.deepEqual(
      result.findings.filter((line) => line.includes("crd-skew") && line.includes("capabilities")),
      [],
    );
    for (const name of ["MachineAPI", "Build", "DeploymentConfig", "ImageRegistry"]) {
      assert.ok(
        result.messages.some((message) => message.includes(name)),
        name,
      );
    }
  });
});

describeCluster("4.13", ["4.14.2"], ({ check }) => {
  test("has no risk for the update to 4.14, and a notice that a rollback would break", async () => {
    const result = await check("4.14.2");
    assert.deepEqual(result.findings, []);
    const notice = result.notices.find((line) => line.includes("rollback from 4.14.2")) ?? "";
    for (const name of ["MachineAPI", "Build", "DeploymentConfig", "ImageRegistry"])
      assert.ok(notice.includes(name), notice);
  });
});

describeCluster("4.17", ["4.18.6", "4.18.9"], ({ patch, check }) => {
  test("with two cluster networks of one family has the risk for 4.18.6, and not for 4.18.9", async () => {
    for (const part of ["spec", "status"]) await patch(NETWORKS, { [part]: { clusterNetwork: TWO_NETWORKS } });
    const result = await check("4.18.6");
    const network = "dual-stack OVNSeveralClusterNetworksBreakPods Network cluster";
    assert.deepEqual(result.findings, [`${network} spec.clusterNetwork`, `${network} status.clusterNetwork`]);
    assert.deepEqual((await check("4.18.9")).findings, []);
  });
});

describeCluster("4.22", ["5.0.2"], ({ patch, check }) => {
  const path = "/apis/operator.openshift.io/v1/machineconfigurations/cluster/status";
  const record = (mode: JsonObject) => patch(path, { status: { bootImageSkewEnforcementStatus: mode } });

  test("with boot images older than 4.13 has the risk, however their age is given", async () => {
    await record({ mode: "Manual", automatic: null, manual: { mode: "OCPVersion", ocpVersion: "4.12.30" } });
    const finding =
      "boot-image-skew BootImageTooOld MachineConfiguration cluster status.bootImageSkewEnforcementStatus.manual";
    assert.deepEqual((await check("5.0.2")).findings, [`${finding}.ocpVersion`]);
    await record({
      mode: "Manual",
      manual: { mode: "RHCOSVersion", ocpVersion: null, rhcosVersion: "412.86.202301311551-0" },
    });
    assert.deepEqual((await check("5.0.2")).findings, [`${finding}.rhcosVersion`]);
    await record({ mode: "Manual", manual: { mode: "RHCOSVersion", rhcosVersion: "9.6.20251023-0" } });
    assert.deepEqual((await check("5.0.2")).findings, []);
  });

  test("with mode None has a notice that nobody checks the boot images", async () => {
    await record({ mode: "None", manual: null });
    const result = await check("5.0.2");
    assert.equal(result.outcomes["boot-image-skew"], "clear");
    assert.ok(
      result.notices.some((notice) => notice.startsWith("boot-image-skew Boot image skew enforcement has mode None")),
    );
  });
});
