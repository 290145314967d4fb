import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight, startPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const NAMES = ["guard-a", "guard-b", "guard-c"];

/** Three webhooks, one risk, whose Service nobody has. */
const WEBHOOKS: readonly JsonObject[] = NAMES.map((name) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name },
  webhooks: [
    {
      name: `${name}.shop.example.com`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      clientConfig: { service: { name, namespace: "shop" } },
      rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["daemonsets"] }],
    },
  ],
}));

const VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const OVERRIDE = { group: "apps", kind: "Deployment", namespace: "x", name: "x", unmanaged: true };
const DNS = "/apis/config.openshift.io/v1/clusteroperators/dns/status";

function buildCondition(type: string, status: string): JsonObject {
  return { type, status, reason: "x", message: "Wait.", lastTransitionTime: "2026-01-01T00:00:00Z" };
}

describe("an administrator mends a cluster", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  const folder = createTemporaryFolder();
  const target = join(folder, "target");
  const result = join(folder, "result.json");

  before(async () => {
    await createSmallPayload(target, "4.21", "4.21.5");
    cluster = await startCluster("4.20", "--network", "single");
    await applyObjects(cluster, WEBHOOKS);
    await patchObject(cluster, VERSION, { spec: { overrides: [OVERRIDE] } });
    await patchObject(cluster, DNS, { status: { conditions: [buildCondition("Upgradeable", "False")] } });
  });
  after(async () => {
    await cluster?.down();
  });

  const up = (): ControlPlane => cluster ?? assert.fail("the control plane did not start");
  const PLANTED = ["ClusterOperatorNotUpgradeable", "ComponentsSetUnmanaged", "FailClosedWebhookWithoutBackend"];
  /** What is said of the planted risks: "fixed ComponentsSetUnmanaged x/x". */
  const look = async (...args: readonly string[]): Promise<readonly string[]> => {
    const flags = ["--kubeconfig", up().kubeconfig, "--target", target, "-o", "table", "-o", `json=${result}`];
    const { code, out, err } = await runPreflight(["check", ...flags, ...args]);
    assert.deepEqual([code, err], [3, ""], out);
    const lines = out.split("\n").filter((line) => PLANTED.some((name) => line.includes(`  ${name}  `)));
    return lines.map((line) => line.replaceAll(/ {2,}/g, " ")).toSorted();
  };
  const lookAgain = (...args: readonly string[]): Promise<readonly string[]> => look("--recheck", result, ...args);

  test("and sees after each step what is left", async () => {
    assert.equal((await look()).length, PLANTED.length);
    await patchObject(up(), VERSION, { spec: { overrides: null } });
    await up().kubectl(["delete", "validatingwebhookconfiguration", "guard-a", "guard-b"]);
    assert.deepEqual(await lookAgain(), [
      "fixed ComponentsSetUnmanaged x/x",
      "still there ClusterOperatorNotUpgradeable dns",
      "still there FailClosedWebhookWithoutBackend 2 of 3 objects are mended, left: guard-c",
    ]);
    await up().kubectl(["delete", "validatingwebhookconfiguration", "guard-c"]);
    await patchObject(up(), DNS, { status: { conditions: [buildCondition("Upgradeable", "True")] } });
    assert.deepEqual(await lookAgain(), [
      "fixed ClusterOperatorNotUpgradeable dns",
      "fixed FailClosedWebhookWithoutBackend guard-c",
    ]);
    assert.deepEqual(await lookAgain("--all"), []);
  });

  test("and with --watch sees each risk come and go, up to a result that counts", async (t) => {
    const { kubeconfig, kubectl } = up();
    const running = startPreflight(["check", "--kubeconfig", kubeconfig, "--target", target, "--watch"]);
    t.after(() => running.kill("SIGKILL"));
    const says = (line: RegExp): Promise<void> => eventually(async () => assert.match(running.out(), line));
    // Stopped meanwhile, so that one look sees all that a step changes, however slow the machine is.
    const change = async (act: () => Promise<unknown>): Promise<void> => {
      running.kill("SIGSTOP");
      await act();
      running.kill("SIGCONT");
    };
    await says(/^\S+Z Don't update yet: \d risks?\. /);
    await change(() => applyObjects(up(), WEBHOOKS));
    await says(/Z new FailClosedWebhookWithoutBackend: guard-a, guard-b, guard-c\n/);
    await change(() => kubectl(["delete", "validatingwebhookconfiguration", "guard-b"]));
    await says(/Z still there FailClosedWebhookWithoutBackend: 1 of 3 objects is mended, left: guard-a, guard-c\n/);
    await change(() => kubectl(["delete", "validatingwebhookconfiguration", "guard-a", "guard-c"]));
    await says(/Z fixed FailClosedWebhookWithoutBackend: guard-a, guard-c\n/);
    running.kill("SIGINT");
    const { code, out, err } = await running.result;
    assert.deepEqual([code, err], [3, ""], out);
    const verdicts = out.split("\n").flatMap((line) => /Z (Don't .*)$/.exec(line)?.[1] ?? []);
    assert.equal(verdicts.at(-1), verdicts[0]);
  });

  test("and has no result of a look that failed, whatever was seen before", async (t) => {
    const running = startPreflight(["check", "--kubeconfig", up().kubeconfig, "--target", target, "--watch"]);
    t.after(() => running.kill("SIGKILL"));
    await eventually(async () => assert.match(running.out(), /Z Don't update yet: /));
    await deleteObject(up(), VERSION);
    await eventually(async () => assert.match(running.err(), /^preflight: ClusterVersion version does not exist: /));
    running.kill("SIGINT");
    assert.equal((await running.result).code, 130);
  });
});
