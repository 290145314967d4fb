import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { patchObject, readObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight, startPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";
import { runCheck } from "../support/check-run.ts";
import { getExpectedFindings } from "../support/integration/expected-findings.ts";
import {
  type HostedFault,
  HYPERSHIFT_CRDS,
  buildHostedCluster,
  buildNamespace,
  buildNodePool,
  buildSupportedVersions,
} from "../support/integration/hypershift.ts";
import { startTopology } from "../support/integration/topologies.ts";

const HOSTED = "HostedCluster clusters/guest";
const POOL = "NodePool clusters/guest-a";
const VERSION = "/apis/config.openshift.io/v1/clusterversions/version";

/** Each to the next minor. A change tries those two that cross most; PREFLIGHT_CASES=all tries every one. */
const PAIRS: readonly (readonly [release: string, target: string])[] = [
  ["4.16", "4.17.2"],
  ["4.17", "4.18.12"],
  ["4.18", "4.19.2"],
  ["4.19", "4.20.2"],
  ["4.20", "4.21.2"],
  ["4.21", "4.22.2"],
  ["4.22", "4.23.2"],
  ["4.22", "5.0.2"],
  ["4.23", "5.0.2"],
  ["5.0", "5.1.2"],
];
const ALWAYS: readonly string[] = ["4.20"];

/** What is planted on the management cluster, and what alone it adds to the result. */
const MANAGEMENT_FAULTS: readonly (readonly [line: string, fault: HostedFault, ofPool?: HostedFault])[] = [
  [`hosted-cluster HostedClusterPaused ${HOSTED} spec.pausedUntil`, { spec: { pausedUntil: "true" } }],
  [
    `hosted-cluster HostedClusterNotUpgradeable ${HOSTED} status.conditions[ClusterVersionUpgradeable]`,
    { conditions: { ClusterVersionUpgradeable: "False" } },
  ],
  [
    `hosted-cluster HostedClusterBlocked ${HOSTED} status.conditions[ValidReleaseImage]`,
    { conditions: { ValidReleaseImage: "False" } },
  ],
  [
    `hosted-cluster HostedControlPlaneNotHealthy ${HOSTED} status.conditions[EtcdAvailable]`,
    { conditions: { EtcdAvailable: "False" } },
  ],
  [
    `hosted-cluster HostedClusterCredentialsNotValid ${HOSTED} status.conditions[ValidAWSKMSConfig]`,
    { conditions: { ValidAWSKMSConfig: "False" } },
  ],
  [`node-pools NodePoolPaused ${POOL} spec.pausedUntil`, {}, { spec: { pausedUntil: "true" } }],
  [
    `node-pools NodePoolNotReady ${POOL} status.conditions[AllMachinesReady]`,
    {},
    { conditions: { AllMachinesReady: "False" } },
  ],
];

const WORKER = "worker-0.demo.example.com";
const CONSOLE = "/apis/operator.openshift.io/v1/consoles/cluster";
const OVERRIDE = { group: "apps", kind: "Deployment", namespace: "shop", name: "web", unmanaged: true };

/** What is planted in the guest: a patch, its undoing, and what alone it adds. */
const GUEST_FAULTS: readonly (readonly [line: string, path: string, patch: JsonObject, undo: JsonObject])[] = [
  [
    `kubelet-skew KubeletTooOldForTarget Node ${WORKER}`,
    `/api/v1/nodes/${WORKER}/status`,
    { status: { nodeInfo: { kubeletVersion: "v1.28.4" } } },
    { status: { nodeInfo: { kubeletVersion: "v1.33.4" } } },
  ],
  [
    "overrides ComponentsSetUnmanaged Deployment shop/web",
    VERSION,
    { spec: { overrides: [OVERRIDE] } },
    { spec: { overrides: null } },
  ],
  [
    "unsupported-overrides OperatorConfigOverridesUnsupported Console cluster",
    CONSOLE,
    { spec: { unsupportedConfigOverrides: { a: 1 } } },
    { spec: { unsupportedConfigOverrides: null } },
  ],
];

/** Nothing listens there. */
const SILENT: JsonObject = {
  "current-context": "guest",
  contexts: [{ name: "guest", context: { cluster: "guest", user: "guest" } }],
  clusters: [{ name: "guest", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "guest", user: { token: "none" } }],
};

const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

async function plantHosted(
  management: ControlPlane,
  guest: ControlPlane,
  target: string,
  [fault, ofPool]: readonly [HostedFault?, HostedFault?] = [],
): Promise<string> {
  const clusterVersion = await readObject(guest, VERSION);
  const source = textAt(clusterVersion, "status", "history", 0, "version") ?? "";
  const id = { clusterID: textAt(clusterVersion, "spec", "clusterID") ?? "" };
  const objects = [
    buildSupportedVersions([minorOf(target), minorOf(source)]),
    buildHostedCluster("guest", source, { ...fault, spec: { ...id, ...fault?.spec } }),
    buildNodePool("guest", "guest-a", source, ofPool),
  ];
  await eventually(() => applyObjects(management, objects));
  return source;
}

describe("a hosted cluster, with its management cluster", { skip: noControlPlane }, () => {
  const folder = createTemporaryFolder();
  let management: ControlPlane;
  before(async () => {
    management = await startCluster("4.20");
    await applyObjects(management, [...HYPERSHIFT_CRDS, ...["hypershift", "clusters"].map(buildNamespace)]);
  });
  after(async () => {
    await management?.down();
  });

  const buildFlags = (guest: ControlPlane, payload: string): readonly string[] => [
    "--kubeconfig",
    management.kubeconfig,
    "--hosted-cluster",
    "clusters/guest",
    "--guest-kubeconfig",
    guest.kubeconfig,
    "--target",
    payload,
  ];

  for (const [release, target] of PAIRS.filter((pair) => hasAllCases || ALWAYS.includes(pair[0])))
    describe(`of ${release}, healthy, to ${target}`, () => {
      let guest: ControlPlane;
      let payload: string;
      let seeded: readonly string[];
      before(async () => {
        guest = await startTopology(release, "hosted");
        // Seeded clusters have one id.
        await patchObject(guest, VERSION, { spec: { clusterID: "33333333-4444-4555-8666-777777777777" } });
        payload = await createSmallPayload(join(folder, `${release}-${target}`), minorOf(target), target);
        await plantHosted(management, guest, target);
        seeded = getExpectedFindings({ release, topology: "hosted", target });
      });
      after(async () => {
        await guest?.down();
      });

      test("has what the seed has, and nothing else", async () => {
        const { findings, unknowns } = await runCheck(buildFlags(guest, payload));
        assert.deepEqual([findings.toSorted(), unknowns], [seeded.toSorted(), []]);
      });

      if (release !== "4.20") return;

      test("is clear once that is mended", async () => {
        const lines = new Set(seeded.map((line) => line.split(" ")[1] ?? ""));
        const { code } = await runPreflight(["check", ...buildFlags(guest, payload), "--accept", [...lines].join(",")]);
        assert.equal(code, 0);
      });

      for (const [line, fault, ofPool] of sampleEach(MANAGEMENT_FAULTS, 3))
        test(`tells ${line}, and nothing else`, async () => {
          await plantHosted(management, guest, target, [fault, ofPool]);
          const { findings, unknowns } = await runCheck(buildFlags(guest, payload));
          await plantHosted(management, guest, target);
          assert.deepEqual([findings.toSorted(), unknowns], [[...seeded, line].toSorted(), []]);
        });

      for (const [line, path, patch, undo] of sampleEach(GUEST_FAULTS, 3))
        test(`tells ${line}, and nothing else`, async () => {
          await patchObject(guest, path, patch);
          const { findings, unknowns } = await runCheck(buildFlags(guest, payload));
          await patchObject(guest, path, undo);
          assert.deepEqual([findings.toSorted(), unknowns], [[...seeded, line].toSorted(), []]);
        });

      test("with --watch is looked at again when either half changes", async (t) => {
        const running = startPreflight(["check", ...buildFlags(guest, payload), "--watch"]);
        t.after(() => running.kill("SIGKILL"));
        const says = (line: RegExp): Promise<void> => eventually(async () => assert.match(running.out(), line));
        await says(/^\S+Z Don't update yet: /);
        await plantHosted(management, guest, target, [{ spec: { pausedUntil: "true" } }]);
        await says(/Z new HostedClusterPaused: /);
        await plantHosted(management, guest, target);
        await says(/Z fixed HostedClusterPaused: /);
        await patchObject(guest, VERSION, { spec: { overrides: [OVERRIDE] } });
        await says(/Z new ComponentsSetUnmanaged: /);
        await patchObject(guest, VERSION, { spec: { overrides: null } });
        running.kill("SIGINT");
        assert.equal((await running.result).err, "");
      });

      test("is read with the one Secret that is named, and by nobody who may not read it", async () => {
        const text = readFileSync(guest.kubeconfig, "utf8");
        const secret = {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { namespace: "clusters", name: "guest-admin-kubeconfig" },
          stringData: { kubeconfig: text },
        };
        await applyObjects(management, [secret]);
        const flags = buildFlags(guest, payload).map((word) =>
          word === "--guest-kubeconfig"
            ? "--guest-secret"
            : word === guest.kubeconfig
              ? "guest-admin-kubeconfig"
              : word,
        );
        const { findings, unknowns } = await runCheck(flags);
        assert.deepEqual([findings.toSorted(), unknowns], [seeded.toSorted(), []]);
        const other = flags.map((word) => (word === "guest-admin-kubeconfig" ? "other" : word));
        const { code, err } = await runPreflight(["check", ...other]);
        assert.equal(code, 1);
        assert.match(err, /Secret clusters\/other could not be read/);
      });

      test("is unknown, and not clear, if the guest does not answer; and another cluster is none", async () => {
        const file = join(folder, "silent.kubeconfig");
        await writeFile(file, JSON.stringify(SILENT));
        const silent = buildFlags(guest, payload).map((word) => (word === guest.kubeconfig ? file : word));
        const { code, unknowns, outcomes } = await runCheck(silent);
        assert.equal(code, 4);
        assert.equal(outcomes["hosted-cluster"], "clear");
        assert.equal(outcomes["nodes"], "unknown");
        assert.ok(unknowns.length > 20);
        const wrong = buildFlags(guest, payload).map((word) =>
          word === guest.kubeconfig ? management.kubeconfig : word,
        );
        const { err } = await runPreflight(["check", ...wrong]);
        assert.match(err, /this is not the guest of HostedCluster clusters\/guest/);
      });
    });
});
