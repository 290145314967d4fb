import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { CLUSTER_VERSION, OPERATOR } from "../../src/controller/api/api-paths.ts";
import { isPreflightMode } from "../../src/lift/objects/cluster-version-edit.ts";
import { listAt } from "../../src/model/json.ts";
import { RELEASE_TRUST, SIGNATURES_NAMESPACE } from "../../src/model/release.ts";
import { compareRights, readGrantedRights } from "../support/audit-rights.ts";
import { DEPLOY } from "../support/deploy/bases.ts";
import { holdLease } from "../../verify/operator/fake-operator.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import { listRequests } from "../support/controller/request-log.ts";
import * as stage from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";

/** Rights that the audit log can't show. */
const EXPLAINED = {
  "create deployments.apps": "a server-side apply of an object that is absent is logged as patch, and needs both",
};

const ROLES = { controller: "preflight-controller", "controller-with-mode": "preflight-controller-mode" };
const MERGE_PATCH = "application/merge-patch+json";

describe("the controller's rights, by the audit log", { skip: noControlPlane }, () => {
  const { set, begin, beginProcess, end, says } = useFaultStage();

  test("without an operator: requests, results, a volume that isn't mounted, a takeover, an update", async () => {
    const leader = beginProcess("--write-status");
    set().nodes.setMode({ kind: "mountFailure" });
    await set().command("request", "--to", "5.1.2");
    await says(/VolumeUnavailable/);
    set().nodes.setMode({ kind: "runs" });
    await says(/Completed=True/);
    leader.kill("SIGKILL");
    await leader.result;
    begin("--write-status");
    await set().command("request", "--to", "5.0.9", "--node-selector", "kubernetes.io/os=linux");
    await eventually(async () => assert.equal((await stage.readHistory(set().api)).length, 2));
    await stage.changeStatus(set().api, (status) => stage.beginUpdate(status, "5.1.2"));
    await eventually(async () => stage.assertCleared(set().api));
    await stage.changeStatus(set().api, (one) => ({ ...one, history: listAt(one, "history").slice(1) }));
    await end();
  });

  test("a signature that only a store may have, which is reached as the operator reaches it", async () => {
    const patch = async (store: string | null): Promise<void> => {
      const text = JSON.stringify({ data: { "store-closed": store } });
      const object = ["-n", SIGNATURES_NAMESPACE, "patch", "configmap", RELEASE_TRUST.name];
      await set().cluster.kubectl([...object, "--type=merge", "-p", text]);
    };
    await patch("https://127.0.0.1:9");
    begin();
    await set().command("request", "--to-image", `registry.example/own@sha256:${"c".repeat(64)}`);
    await says(/Failed=True SignatureNotVerified/);
    assert.match(
      (await set().run("status")).out,
      /and https:\/\/127\.0\.0\.1:9 \(.*refused.*\)\. The runner starts once/,
    );
    await patch(null);
    await end();
  });

  test("beside an operator: conditions, and the mode of one that serves it", async () => {
    await holdLease(set().api, "operator");
    begin();
    await set().command("request", "--to", "5.1.2");
    await says(/Running=/);
    await set().command("cancel");
    await eventually(async () => stage.assertCleared(set().api));
    await end();
    for (const file of ["roles", "rolebindings"])
      await set().cluster.kubectl(["apply", "-f", join(DEPLOY, "controller-with-mode", `${file}.yaml`)]);
    const body = { metadata: { annotations: { "preflight.openshift.io/formats": "preflight-v1-json" } } };
    await set().api.write({ method: "PATCH", path: OPERATOR, body, type: MERGE_PATCH }, AbortSignal.timeout(60_000));
    begin("--use-mode");
    await set().command("request", "--to", "5.1.2");
    await eventually(async () => assert.ok(isPreflightMode(await stage.readClusterVersion(set().api))));
    await set().command("cancel");
    await eventually(async () => assert.ok(!isPreflightMode(await stage.readClusterVersion(set().api))));
    await eventually(async () => stage.assertCleared(set().api));
    await end();
  });

  test("each right that the roles grant was used, and nothing else was tried", async () => {
    const granted = Object.entries(ROLES).flatMap(([base, role]) =>
      readGrantedRights(join(DEPLOY, base, "roles.yaml"), role),
    );
    const requests = await listRequests(set().cluster);
    assert.ok(requests.some(({ uri }) => uri.startsWith(`${CLUSTER_VERSION}/status`)));
    assert.deepEqual(compareRights(granted, requests, EXPLAINED), {
      forbidden: [],
      unused: [],
    });
  });
});
