import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { classifyCommands } from "../../src/model/commands.ts";
import { type JsonObject, listAt, parseObject, textAt } from "../../src/model/json.ts";
import {
  type ControlPlane,
  createPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { patchObject } from "../../verify/api-server/objects.ts";
import { openAdminShell } from "../../verify/shared/admin-shell.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const MOST_LINES = 70;
const SINCE = { lastTransitionTime: "2026-01-01T00:00:00Z" };

/** The seed of 4.20 has four faults for 4.21; these are six more. */
const OBJECTS: readonly JsonObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "guard" },
    webhooks: [
      {
        name: "guard.shop.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        clientConfig: { service: { name: "guard", namespace: "shop" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
    ],
  },
];
const CONFIG = "/apis/config.openshift.io/v1";
const PATCHES: readonly (readonly [path: string, patch: JsonObject])[] = [
  [
    `${CONFIG}/clusteroperators/authentication/status`,
    {
      status: { conditions: [{ ...SINCE, type: "Upgradeable", status: "False", reason: "NotNow", message: "Wait." }] },
    },
  ],
  [
    "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/master/status",
    { status: { conditions: [{ ...SINCE, type: "Degraded", status: "True", reason: "x", message: "A node is x" }] } },
  ],
  [
    `${CONFIG}/clusterversions/version`,
    { spec: { overrides: [{ group: "apps", kind: "Deployment", namespace: "x", name: "x", unmanaged: true }] } },
  ],
  ["/api/v1/nodes/master-0.demo.example.com", { spec: { unschedulable: true } }],
  [
    `${CONFIG}/clusteroperators/dns/status`,
    { status: { conditions: [{ ...SINCE, type: "Available", status: "False", reason: "x", message: "Down." }] } },
  ],
];

describe("ten planted faults", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  const folder = createTemporaryFolder();
  const up = (): ControlPlane => cluster ?? assert.fail("the control plane did not start");

  before(async () => {
    cluster = await startCluster("4.20");
    await createPayload(join(folder, "4.21.3"), "4.21", "4.21.3");
    await applyObjects(up(), OBJECTS);
    for (const [path, patch] of PATCHES) await patchObject(up(), path, patch);
  });
  after(async () => {
    await cluster?.down();
  });

  test("the decision, each fault and its next step fit a screen of 70 lines", async () => {
    const args = ["check", "--kubeconfig", up().kubeconfig, "--target", join(folder, "4.21.3")];
    const { code, out } = await runPreflight(args);
    assert.equal(code, 3);
    const lines = out.trimEnd().split("\n");
    assert.ok(lines.length <= MOST_LINES, `${lines.length} lines:\n${out}`);
    assert.match(out, /^Don't update yet\. .*: 10 risks\n/);
    assert.match(lines.at(-1) ?? "", /^Don't update yet\. Next: ClusterOperatorNotUpgradeable/);
    const [, overview = "", ...paragraphs] = out.split("\n\n");
    const names = overview
      .split("\n")
      .slice(1)
      .map((line) => /^\w+(?: \w+)? {3,}(\w+)/.exec(line)?.[1] ?? "");
    assert.equal(new Set(names).size, 10, overview);
    const told = paragraphs.slice(0, 10).map((text) => /^(\w+): [^]*\n {2}(?:Fix|Do)\b/.exec(text)?.[1]);
    assert.deepEqual(told, names);
  });

  test("each safe fix, pasted as it is printed, removes its risk", async () => {
    const args = ["check", "--kubeconfig", up().kubeconfig, "--target", join(folder, "4.21.3"), "-o", "json"];
    const read = async () => parseObject((await runPreflight(args)).out);
    const findings = listAt(await read(), "checks").flatMap((one) => listAt(one, "findings"));
    const safe = findings.filter((one) => textAt(one, "fixKind") === "safe");
    const commands = safe.flatMap((one) => listAt(one, "fix").filter((text) => typeof text === "string"));
    assert.ok(commands.length > 0 && classifyCommands(commands) === "as printed", commands.join("\n"));
    const shell = await openAdminShell(up().env);
    for (const command of commands) {
      const { code, output } = await shell.run(command);
      assert.equal(code, 0, `${command}: ${output}`);
    }
    await shell.close();
    const left = listAt(await read(), "risks").map((one) => textAt(one, "name"));
    for (const one of safe) assert.ok(!left.includes(textAt(one, "risk")), textAt(one, "risk"));
  });
});
