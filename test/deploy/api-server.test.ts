import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { buildEditActions } from "../../src/controller/action.ts";
import { createApiClient } from "../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, CONTROLLER_LEASE, WATCHED_OBJECTS, RUNNER_NAME } from "../../src/controller/api/api-paths.ts";
import { HISTORY_NAME } from "../../src/lift/objects/preflight-history.ts";
import { NAMESPACE, REQUEST_NAME } from "../../src/lift/objects/preflight-request.ts";
import { RESULT_NAME } from "../../src/lift/preflight-result.ts";
import { at, listAt, numberAt, textAt, textsAt } from "../../src/model/json.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../support/control-plane.ts";
import { eventually } from "../support/eventually.ts";
import { DEPLOY, bases, formatIdentity, objectsOf, parseObjects } from "../support/deploy/bases.ts";

const STAND_INS = join(import.meta.dirname, "stand-ins.yaml");
const CONTROLLER = "system:serviceaccount:openshift-cluster-version:preflight-controller";
const STATUS = "system:serviceaccount:openshift-update-status-controller:update-status-controller";
const INSIGHTS = "openshift-update-status-controller";

suite("a real API server", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startCluster("4.20", "--network", "single");
    await cluster.kubectl(["apply", "-f", STAND_INS]);
    await cluster.kubectl(["wait", "--for=condition=Established", "-f", STAND_INS]);
  });
  after(() => cluster.down());

  /** Whether the account may do `asked`, "patch clusterversions.config.openshift.io/version status" for example; "" means no namespace. */
  async function may(account: string, asked: string, namespace = ""): Promise<boolean> {
    const [verb = "", kind = "", subresource] = asked.split(" ");
    const [resource = "", name] = kind.split("/");
    const [plural, ...group] = resource.split(".");
    const resourceAttributes = { verb, resource: plural, group: group.join("."), name, subresource, namespace };
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: account, resourceAttributes },
    };
    const answer = await cluster.kubectl(["create", "-f", "-", "-o", "json"], JSON.stringify(review));
    return JSON.parse(answer).status.allowed === true;
  }

  async function mayAll(
    account: string,
    expected: boolean,
    namespace: string,
    asked: readonly string[],
  ): Promise<void> {
    await eventually(async () => {
      const answers = await Promise.all(asked.map((one) => may(account, one, namespace)));
      assert.deepEqual(
        asked.filter((_, i) => answers[i] !== expected),
        [],
      );
    });
  }

  for (const base of bases) {
    test(`accepts ${base} as built by kustomize without an unknown field, and applying it again changes nothing`, async () => {
      const built = await cluster.kubectl(["kustomize", join(DEPLOY, base)]);
      assert.deepEqual(
        parseObjects(built).map(formatIdentity).toSorted(),
        objectsOf(base).map(formatIdentity).toSorted(),
      );
      const apply = ["apply", "--validate=strict", "-k", join(DEPLOY, base)];
      await cluster.kubectl(apply);
      const again = (await cluster.kubectl(apply)).trim().split("\n");
      assert.equal(again.length, objectsOf(base).length);
      assert.deepEqual(
        again.filter((line) => !line.endsWith(" unchanged")),
        [],
      );
    });
  }

  test("an image set in the kustomization is set wherever the base uses it", async () => {
    const image = "registry.example.com/other@sha256:1";
    for (const [base, container, variable] of [
      ["runner", "initContainers", "RELEASE_IMAGE"],
      ["controller", "containers", "PREFLIGHT_IMAGE"],
    ] as const) {
      const folder = await mkdtemp(join(tmpdir(), "preflight-base-"));
      await cp(DEPLOY, folder, { recursive: true });
      const file = join(folder, base, "kustomization.yaml");
      const set = (await readFile(file, "utf8")).replaceAll(
        /newName: .*\n +newTag: .*/g,
        "newName: registry.example.com/other\n    digest: sha256:1",
      );
      await writeFile(file, set);
      const built = parseObjects(await cluster.kubectl(["kustomize", join(folder, base)]));
      await rm(folder, { recursive: true });
      const pod = at(
        built.find(({ kind }) => kind === "Deployment"),
        "spec",
        "template",
        "spec",
      );
      const env = listAt(pod, "containers", 0, "env").find((one) => textAt(one, "name") === variable);
      assert.deepEqual([textAt(env, "value"), textAt(pod, container, 0, "image")], [image, image]);
      assert.doesNotMatch(JSON.stringify(pod), /example\.com\/replace/);
    }
  });

  test("with monitoring the runner listens, and is probed, on the port of the Service", async () => {
    const built = parseObjects(await cluster.kubectl(["kustomize", join(DEPLOY, "runner-with-monitoring")]));
    const pod = at(
      built.find(({ kind }) => kind === "Deployment"),
      "spec",
      "template",
      "spec",
    );
    const runner = at(pod, "containers", 0);
    const listen = listAt(runner, "env").find((one) => textAt(one, "name") === "PREFLIGHT_LISTEN");
    const service = built.find(({ kind }) => kind === "Service");
    const [port, number] = [at(service, "spec", "ports", 0), numberAt(service, "spec", "ports", 0, "targetPort")];
    assert.equal(textAt(listen, "value"), `:${number}`);
    assert.equal(at(runner, "ports", 0, "containerPort"), number);
    assert.deepEqual(
      [at(runner, "livenessProbe", "httpGet", "port"), at(runner, "readinessProbe", "httpGet", "port")],
      [number, number],
    );
    const monitor = built.find(({ kind }) => kind === "ServiceMonitor");
    assert.equal(textAt(monitor, "spec", "endpoints", 0, "port"), textAt(port, "name"));
    assert.deepEqual(at(monitor, "spec", "selector", "matchLabels"), at(service, "metadata", "labels"));
    assert.deepEqual(at(service, "spec", "selector"), { app: RUNNER_NAME });
  });

  test("an API without the mode refuses to set it, instead of keeping the target and starting an update", async () => {
    const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
    const patch = { spec: { desiredUpdate: { mode: "Preflight", version: "4.21.0", image: "example.com/release" } } };
    const [action] = buildEditActions("mode", "set the mode", CLUSTER_VERSION, { kind: "patch", patch });
    const answer = await createApiClient(connection, { userAgent: "test" }).write(
      action?.write ?? assert.fail(),
      AbortSignal.timeout(10_000),
    );
    connection.close();
    assert.equal(answer.kind, "refused", JSON.stringify(answer));
    const spec = await cluster.kubectl(["get", "clusterversion", "version", "-o", "jsonpath={.spec.desiredUpdate}"]);
    assert.equal(spec, "");
  });

  test("without --use-mode the controller can neither start an update nor change what isn't its own", async () => {
    await cluster.kubectl([
      "delete",
      "--ignore-not-found",
      "-f",
      join(DEPLOY, "controller-with-mode", "rolebindings.yaml"),
    ]);
    await cluster.kubectl(["apply", "-k", join(DEPLOY, "controller")]);
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
      "get secrets",
      "list secrets",
      "create pods",
      "delete pods",
    ]);
    await mayAll(CONTROLLER, false, "openshift-config", [
      "get configmaps",
      "create configmaps",
      "create deployments.apps",
    ]);
  });

  test("the controller has the rights that it needs", async () => {
    await mayAll(CONTROLLER, true, "", [
      "get customresourcedefinitions.apiextensions.k8s.io/clusterversions.config.openshift.io",
      "get clusterversions.config.openshift.io/version",
      "patch clusterversions.config.openshift.io/version status",
      "update clusterversions.config.openshift.io/version status",
    ]);
    const own = [REQUEST_NAME, RESULT_NAME, HISTORY_NAME].flatMap((name) =>
      ["get", "patch", "delete"].map((verb) => `${verb} configmaps/${name}`),
    );
    const runner = ["get", "patch", "update", "delete"].map((verb) => `${verb} deployments.apps/${RUNNER_NAME}`);
    const lease = ["get", "patch", "update"].map((verb) => `${verb} leases.coordination.k8s.io/${CONTROLLER_LEASE}`);
    const made = ["configmaps", "deployments.apps", "leases.coordination.k8s.io"].map((kind) => `create ${kind}`);
    const seen = [
      "list pods",
      "list events",
      "get leases.coordination.k8s.io/version",
      "get deployments.apps/cluster-version-operator",
    ];
    await mayAll(CONTROLLER, true, NAMESPACE, [...own, ...runner, ...lease, ...made, ...seen]);
    for (const { collection, name } of WATCHED_OBJECTS)
      await cluster.kubectl([
        "get",
        "--as",
        CONTROLLER,
        "--raw",
        `${collection}?fieldSelector=metadata.name%3D${name}`,
      ]);
  });

  test("with --use-mode it can write the spec of ClusterVersion and of no other object", async () => {
    await cluster.kubectl(["apply", "-k", join(DEPLOY, "controller-with-mode")]);
    await mayAll(CONTROLLER, true, "", ["patch clusterversions.config.openshift.io/version"]);
    await mayAll(CONTROLLER, false, "", ["patch clusterversions.config.openshift.io/other"]);
  });

  test("the update status controller can only watch two objects and write one", async () => {
    const [versions, maps] = [
      "/apis/config.openshift.io/v1/clusterversions",
      `/api/v1/namespaces/${INSIGHTS}/configmaps`,
    ];
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
    await mayAll(STATUS, false, "", [
      "patch clusterversions.config.openshift.io/version",
      "patch clusterversions.config.openshift.io/version status",
    ]);
  });

  test("its namespace admits the pod of the update status controller", async () => {
    const { template } = JSON.parse(
      await cluster.kubectl(["get", "-n", INSIGHTS, "deployment/update-status-controller", "-o", "jsonpath={.spec}"]),
    );
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "tried", namespace: INSIGHTS },
      spec: template.spec,
    };
    await cluster.kubectl(
      ["create", "--dry-run=server", "-f", "-"],
      JSON.stringify({ ...pod, spec: { ...template.spec, priorityClassName: undefined } }),
    );
    assert.deepEqual(textsAt(at(pod.spec, "containers", 0), "args"), ["update-status-controller"]);
  });
});
