import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type ControlPlane,
  createPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCheck } from "../support/check-run.ts";

const ACCOUNT = "system:serviceaccount:ci:updater";
const CRD = "widgets.example.com";
const RISK = `webhooks ConversionWebhookWithoutBackend CustomResourceDefinition ${CRD} spec.conversion.webhook`;
const SCHEMA = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** Its webhook's Service does not exist. */
function buildDefinition(stored: string): string {
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const clientConfig = { service: { namespace: "gone", name: "converter" } };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  const versions = ["v1beta1", "v1"].map((name) => ({ name, served: true, storage: name === stored, schema: SCHEMA }));
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: CRD },
    spec: { group: "example.com", scope: "Cluster", names, conversion, versions },
  });
}

const OBJECT = JSON.stringify({ apiVersion: "example.com/v1beta1", kind: "Widget", metadata: { name: "a" } });

describe("a conversion webhook without a backend, on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  let target: string;
  const folder = createTemporaryFolder();
  const limited = join(folder, "account.kubeconfig");

  before(async () => {
    target = await createPayload(join(folder, "target"), "4.20", "4.20.9");
    cluster = await startCluster("4.20");
    await cluster.kubectl(["create", "namespace", "ci"]);
    await cluster.kubectl(["create", "serviceaccount", "updater", "-n", "ci"]);
    await writeFile(limited, await createAccount(cluster, "ci", "updater"));
    const role = await runPreflight(["rbac", "--bind-to", ACCOUNT]);
    await cluster.kubectl(["apply", "-f", "-"], role.out);
    await cluster.kubectl(["apply", "-f", "-"], buildDefinition("v1beta1"));
    await cluster.kubectl(["wait", "--for=condition=Established", `crd/${CRD}`]);
  });
  after(async () => {
    await cluster?.down();
  });

  const check = (kubeconfig: string) =>
    runCheck(["--kubeconfig", kubeconfig, "--target", target, "--only", "webhooks"]);

  async function assertUnknown(): Promise<void> {
    await eventually(async () => {
      const { unknowns, findings, outcomes } = await check(limited);
      assert.deepEqual([unknowns, findings, outcomes["webhooks"]], [[`webhooks Forbidden ${CRD}`], [], "unknown"]);
    });
  }

  test("is a notice for an administrator as long as nobody has an object, and unknown without the right", async () => {
    await eventually(async () => assert.equal((await check(cluster.kubeconfig)).outcomes["webhooks"], "clear"));
    await assertUnknown();
    const { out } = await runPreflight(["check", "--kubeconfig", limited, "--target", target]);
    const text = out.replaceAll(/\s+/g, " ");
    assert.match(text, /cannot list resource "widgets" in API group "example\.com"/);
    assert.match(text, /kubectl create clusterrole NAME --verb=list --resource=widgets\.example\.com/);
  });

  test("is a risk with an object, also if the API server can't list the kind", async () => {
    await cluster.kubectl(["create", "-f", "-"], OBJECT);
    await eventually(async () => assert.deepEqual((await check(cluster.kubeconfig)).findings, [RISK]));
    await cluster.kubectl(["apply", "-f", "-"], buildDefinition("v1"));
    await eventually(async () => {
      await assert.rejects(cluster.kubectl(["get", CRD]), /conversion webhook for example\.com\/v1beta1, Kind=Widget/);
    });
    assert.deepEqual((await check(cluster.kubeconfig)).findings, [RISK]);
    await assertUnknown();
  });

  test("is the same for the account once it may list the kind", async () => {
    await cluster.kubectl(["create", "clusterrole", "widgets", "--verb=list", `--resource=${CRD}`]);
    await cluster.kubectl(["create", "clusterrolebinding", "widgets", "--clusterrole=widgets", `--user=${ACCOUNT}`]);
    await eventually(async () => {
      const { unknowns, findings } = await check(limited);
      assert.deepEqual([unknowns, findings], [[], [RISK]]);
    });
  });
});
