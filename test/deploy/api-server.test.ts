import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { buildEditActions } from "../../src/controller/action.ts";
import { createApiClient } from "../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, RUNNER_NAME } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, at, listAt, numberAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { type ControlPlane, noControlPlane } from "../../verify/api-server/control-plane.ts";
import { applyAndRead } from "../../verify/api-server/apply-objects.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { DEPLOY, bases, formatIdentity, objectsOf, parseObjects } from "../support/deploy/bases.ts";
import { INSIGHTS, startDeployCluster } from "../support/deploy/cluster.ts";

/** kubectl takes a hundred times as long as the API server does. */
const BY_KUBECTL = sampleEach(bases, 5);

/** The API server counts each write of a volume claim, whatever it writes. */
function withoutWrites(object: JsonObject): JsonObject {
  const { managedFields: _fields, resourceVersion: _version, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}

suite("a real API server", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  const folder = createTemporaryFolder();
  const built = new Map<string, readonly JsonObject[]>();
  let applied: readonly string[] = [];
  before(async () => {
    cluster = await startDeployCluster();
    const files: string[] = [];
    for (const base of bases) {
      const text = await cluster.kubectl(["kustomize", join(DEPLOY, base)]);
      built.set(base, parseObjects(text));
      if (!BY_KUBECTL.includes(base)) continue;
      const file = join(folder, `${files.length}.yaml`);
      await writeFile(file, text);
      files.push("-f", file, "-f", file);
    }
    // Each base twice, all by one kubectl, which reads the API's schemas anew when it starts.
    applied = (await cluster.kubectl(["apply", "--validate=strict", ...files])).trim().split("\n");
  });
  after(() => cluster.down());

  for (const base of bases.filter((one) => !BY_KUBECTL.includes(one)))
    test(`accepts ${base} as built by kustomize without an unknown field, and applying it again changes nothing`, async () => {
      const objects = built.get(base) ?? [];
      assert.deepEqual(objects.map(formatIdentity).toSorted(), objectsOf(base).map(formatIdentity).toSorted());
      // Server-side apply refuses a field that no schema has.
      const first = await applyAndRead(cluster, objects);
      assert.deepEqual((await applyAndRead(cluster, objects)).map(withoutWrites), first.map(withoutWrites));
    });

  for (const [i, base] of BY_KUBECTL.entries()) {
    test(`accepts ${base} as built by kustomize without an unknown field, and applying it again changes nothing`, () => {
      assert.deepEqual(built.get(base)?.map(formatIdentity).toSorted(), objectsOf(base).map(formatIdentity).toSorted());
      const count = (some: readonly string[]): number => some.reduce((sum, one) => sum + objectsOf(one).length, 0);
      const before = 2 * count(BY_KUBECTL.slice(0, i)) + count([base]);
      const again = applied.slice(before, before + count([base]));
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
    const objects = built.get("runner-with-monitoring") ?? [];
    const pod = at(
      objects.find(({ kind }) => kind === "Deployment"),
      "spec",
      "template",
      "spec",
    );
    const runner = at(pod, "containers", 0);
    const listen = listAt(runner, "env").find((one) => textAt(one, "name") === "PREFLIGHT_LISTEN");
    const service = objects.find(({ kind }) => kind === "Service");
    const port = at(service, "spec", "ports", 0);
    const number = numberAt(service, "spec", "ports", 0, "targetPort");
    assert.equal(textAt(listen, "value"), `:${number}`);
    assert.equal(at(runner, "ports", 0, "containerPort"), number);
    assert.deepEqual(
      [at(runner, "livenessProbe", "httpGet", "port"), at(runner, "readinessProbe", "httpGet", "port")],
      [number, number],
    );
    const monitor = objects.find(({ kind }) => kind === "ServiceMonitor");
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
      AbortSignal.timeout(60_000),
    );
    connection.close();
    assert.equal(answer.kind, "refused", JSON.stringify(answer));
    const spec = await cluster.kubectl(["get", "clusterversion", "version", "-o", "jsonpath={.spec.desiredUpdate}"]);
    assert.equal(spec, "");
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
