import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import {
  type ControlPlane,
  createPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { readObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCheck } from "../support/check-run.ts";
import { parseObjects } from "../support/deploy/bases.ts";

const ACCOUNT = "system:serviceaccount:ci:updater";
const CRD = "widgets.example.com";
const RISK = `webhooks ConversionWebhookWithoutBackend CustomResourceDefinition ${CRD} spec.conversion.webhook`;
const SCHEMA = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** Its webhook's Service does not exist. */
function buildDefinition(stored: string): JsonObject {
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const clientConfig = { service: { namespace: "gone", name: "converter" } };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  const versions = ["v1beta1", "v1"].map((name) => ({ name, served: true, storage: name === stored, schema: SCHEMA }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: CRD },
    spec: { group: "example.com", scope: "Cluster", names, conversion, versions },
  };
}

const OBJECT: JsonObject = { apiVersion: "example.com/v1beta1", kind: "Widget", metadata: { name: "a" } };
const WIDGETS = "/apis/example.com/v1/widgets";

/** What the printed command makes of the right to list the kind. */
const RBAC = "rbac.authorization.k8s.io";
const GRANT: readonly JsonObject[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: "widgets" },
    rules: [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["list"] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "widgets" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "widgets" },
    subjects: [{ apiGroup: RBAC, kind: "User", name: ACCOUNT }],
  },
];

describe("a conversion webhook without a backend, on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  let target: string;
  const folder = createTemporaryFolder();
  const limited = join(folder, "account.kubeconfig");

  before(async () => {
    target = await createPayload(join(folder, "target"), "4.20", "4.20.9");
    cluster = await startCluster("4.20");
    await writeFile(limited, await createAccount(cluster, "ci", "updater"));
    const role = await runPreflight(["rbac", "--bind-to", ACCOUNT]);
    await applyObjects(cluster, [...parseObjects(role.out), buildDefinition("v1beta1")]);
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
    await eventually(() => applyObjects(cluster, [OBJECT]));
    await eventually(async () => assert.deepEqual((await check(cluster.kubeconfig)).findings, [RISK]));
    await applyObjects(cluster, [buildDefinition("v1")]);
    await eventually(async () => {
      await assert.rejects(readObject(cluster, WIDGETS), /conversion webhook for example\.com\/v1beta1, Kind=Widget/);
    });
    assert.deepEqual((await check(cluster.kubeconfig)).findings, [RISK]);
    await assertUnknown();
  });

  test("is the same for the account once it may list the kind", async () => {
    await applyObjects(cluster, GRANT);
    await eventually(async () => {
      const { unknowns, findings } = await check(limited);
      assert.deepEqual([unknowns, findings], [[], [RISK]]);
    });
  });
});
