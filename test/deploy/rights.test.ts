import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { RUNNER_NAME } from "../../src/controller/api/api-paths.ts";
import { NAMESPACE, REQUEST_NAME } from "../../src/lift/objects/preflight-request.ts";
import { type JsonObject, at } from "../../src/model/json.ts";
import { SIGNATURES_NAMESPACE } from "../../src/model/release.ts";
import { type ControlPlane, noControlPlane } from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { createObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { DEPLOY, bases, objectsOf } from "../support/deploy/bases.ts";
import { INSIGHTS, startDeployCluster } from "../support/deploy/cluster.ts";

const CONTROLLER = "system:serviceaccount:openshift-cluster-version:preflight-controller";
const RUNNER = `system:serviceaccount:${NAMESPACE}:${RUNNER_NAME}`;
const STATUS = "system:serviceaccount:openshift-update-status-controller:update-status-controller";

const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

suite("a real API server", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startDeployCluster();
    await applyObjects(cluster, bases.flatMap(objectsOf));
  });
  after(() => cluster.down());

  /** "patch clusterversions.config.openshift.io/version status" for example; "" means no namespace. */
  function buildReview(account: string, asked: string, namespace: string): JsonObject {
    const [verb = "", kind = "", subresource = ""] = asked.split(" ");
    const [resource = "", name = ""] = kind.split("/");
    const [plural = "", ...group] = resource.split(".");
    const resourceAttributes = { verb, resource: plural, group: group.join("."), name, subresource, namespace };
    return { spec: { user: account, resourceAttributes } };
  }

  async function mayAll(
    account: string,
    expected: boolean,
    namespace: string,
    asked: readonly string[],
  ): Promise<void> {
    const isOtherwise = async (one: string): Promise<boolean> =>
      at(await createObject(cluster, REVIEWS, buildReview(account, one, namespace)), "status", "allowed") !== expected;
    await eventually(async () => {
      const answers = await Promise.all(asked.map(isOtherwise));
      assert.deepEqual(
        asked.filter((_, i) => answers[i]),
        [],
      );
    });
  }

  test("without --use-mode the controller can neither start an update nor change what isn't its own", async () => {
    await cluster.kubectl([
      "delete",
      "--ignore-not-found",
      "-f",
      join(DEPLOY, "controller-with-mode", "rolebindings.yaml"),
    ]);
    await applyObjects(cluster, objectsOf("controller"));
    await mayAll(CONTROLLER, false, "", [
      "patch clusterversions.config.openshift.io/version",
      "update clusterversions.config.openshift.io/version",
      "patch clusterversions.config.openshift.io/other status",
    ]);
    await mayAll(CONTROLLER, false, NAMESPACE, [
      "patch deployments.apps/cluster-version-operator",
      "delete deployments.apps/cluster-version-operator",
      "update leases.coordination.k8s.io/version",
      "patch configmaps/another",
      "list configmaps",
      "update configmaps/preflight-result",
      "list deployments.apps",
      "get secrets",
      "list secrets",
      "create pods",
      "delete pods",
    ]);
    await mayAll(CONTROLLER, false, SIGNATURES_NAMESPACE, [
      "get configmaps/another",
      "watch configmaps",
      "create configmaps",
      "patch configmaps/release-verification",
      "get secrets",
    ]);
    await mayAll(CONTROLLER, false, "openshift-config", [
      "get configmaps",
      "create configmaps",
      "create deployments.apps",
    ]);
  });

  test("the runner may read a signature whose name no rule can know, and no other namespace's ConfigMaps", async () => {
    await mayAll(RUNNER, true, SIGNATURES_NAMESPACE, [`get configmaps/sha256-${"a".repeat(64)}`]);
    await mayAll(RUNNER, false, SIGNATURES_NAMESPACE, ["list configmaps", "patch configmaps/another", "get secrets"]);
    await mayAll(RUNNER, false, "openshift-config", [`get configmaps/sha256-${"a".repeat(64)}`]);
  });

  test("the runner's account can read the request that ends it, and change nothing", async () => {
    await mayAll(RUNNER, true, NAMESPACE, [`get configmaps/${REQUEST_NAME}`]);
    const verbs = ["create", "update", "patch", "delete"];
    await mayAll(
      RUNNER,
      false,
      NAMESPACE,
      verbs.map((verb) => `${verb} configmaps/${REQUEST_NAME}`),
    );
    await mayAll(RUNNER, false, NAMESPACE, ["list configmaps", "get secrets"]);
  });

  test("with --use-mode it can write the spec of ClusterVersion and of no other object", async () => {
    await applyObjects(cluster, objectsOf("controller-with-mode"));
    await mayAll(CONTROLLER, true, "", ["patch clusterversions.config.openshift.io/version"]);
    await mayAll(CONTROLLER, false, "", ["patch clusterversions.config.openshift.io/other"]);
  });

  test("the update status controller can only follow what its insights are about, and write one object", async () => {
    const versions = "/apis/config.openshift.io/v1/clusterversions";
    const maps = `/api/v1/namespaces/${INSIGHTS}/configmaps`;
    await mayAll(STATUS, true, INSIGHTS, [
      "patch configmaps/status-api-cm-prototype",
      "watch configmaps/status-api-cm-prototype",
    ]);
    for (const path of [
      `${versions}?fieldSelector=metadata.name%3Dversion`,
      `${maps}?fieldSelector=metadata.name%3Dstatus-api-cm-prototype`,
    ])
      await cluster.kubectl(["get", "--as", STATUS, "--raw", path]);
    await mayAll(STATUS, false, INSIGHTS, [
      "list configmaps",
      "create configmaps",
      "patch configmaps/another",
      "get secrets",
    ]);
    await mayAll(STATUS, true, "", [
      "watch clusteroperators.config.openshift.io",
      "watch machineconfigpools.machineconfiguration.openshift.io",
      "get machineconfigs.machineconfiguration.openshift.io",
      "watch nodes",
    ]);
    await mayAll(STATUS, false, "", [
      "list machineconfigs.machineconfiguration.openshift.io",
      "patch nodes",
      "patch clusterversions.config.openshift.io/version",
      "patch clusterversions.config.openshift.io/version status",
    ]);
  });
});
