import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runCheck } from "../support/check-run.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const ACCOUNT = "system:serviceaccount:demo:preflight";
const ONLY_CHECKS = ["--only", "removed-apis,crd-skew,dual-stack"];

const VOLUME_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "VolumeAttributesClass",
  metadata: { name: "fast" },
  driverName: "demo.example.com",
  parameters: { iops: "100" },
};

/** Serves an API that Kubernetes 1.37 removes. */
const API_SERVER_FLAGS = ["--", "--runtime-config", "storage.k8s.io/v1beta1=true"];

describe("Kubernetes without OpenShift, on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  const folder = createTemporaryFolder();
  let limited: string;

  before(async () => {
    cluster = await startKubernetes(...API_SERVER_FLAGS);
    await cluster.kubectl(["create", "namespace", "demo"]);
    await cluster.kubectl(["create", "serviceaccount", "preflight", "-n", "demo"]);
    limited = join(folder, "account.kubeconfig");
    await writeFile(limited, await createAccount(cluster, "demo", "preflight"));
  });
  after(async () => {
    await cluster?.down();
  });

  async function bind(): Promise<void> {
    const printed = await runPreflight(["rbac", "--target-version", "v1.37"]);
    assert.equal(printed.code, 0, printed.err);
    await cluster.kubectl(["apply", "-f", "-"], printed.out);
    const role = /^ {2}name: (\S+)$/m.exec(printed.out)?.[1] ?? "";
    await cluster.kubectl(["create", "clusterrolebinding", "preflight", `--clusterrole=${role}`, `--user=${ACCOUNT}`]);
  }

  const check = (target: string, kubeconfig: string, ...more: readonly string[]) =>
    runCheck(["--kubeconfig", kubeconfig, "--target-version", target, ...(more.length === 0 ? ONLY_CHECKS : more)]);

  test("an account without rights learns the cluster's version, and that it may not read the metrics", async () => {
    const result = await check("v1.38", limited);
    const outcomes = ["crd-skew", "dual-stack", "removed-apis"].map((id) => result.outcomes[id]);
    assert.deepEqual(outcomes, ["notApplicable", "notApplicable", "unknown"]);
    assert.deepEqual(result.unknowns, ["removed-apis Forbidden /metrics"]);
    assert.equal(result.code, 4);
  });

  test("the rights that rbac prints for Kubernetes are enough, and only get and list are sent", async () => {
    await bind();
    const all = ["--skip", "dual-stack"];
    await eventually(async () => assert.deepEqual((await check("v1.36", limited, ...all)).unknowns, []));
    const lines = (await cluster.audit()).filter((line) => line.user === ACCOUNT);
    assert.ok(lines.length > 5);
    assert.deepEqual([...new Set(lines.map((line) => line.verb))].toSorted(), ["get", "list"]);
    assert.ok(!lines.some((line) => /openshift\.io\/v1\/(?!clusterversions|featuregates)/.test(line.uri)));
  });

  const CLASSES = "/apis/storage.k8s.io/v1beta1/volumeattributesclasses";
  const OBJECT = "removed-apis RemovedKubernetesAPIInUse VolumeAttributesClass fast";

  test("names an API in use if the target removes it, but not for one list", async () => {
    await cluster.kubectl(["get", "--raw", CLASSES]);
    assert.equal((await check("v1.37", limited)).outcomes["removed-apis"], "clear");
    const written = { ...VOLUME_CLASS, apiVersion: "storage.k8s.io/v1beta1" };
    await cluster.kubectl(["create", "--field-manager", "helm", "-f", "-"], JSON.stringify(written));
    const line = "removed-apis RemovedKubernetesAPIInUse API storage.k8s.io/v1beta1/volumeattributesclasses";
    assert.equal((await check("v1.36", limited)).outcomes["removed-apis"], "notApplicable");
    assert.deepEqual((await check("v1.37", limited)).findings, [line, OBJECT]);
    assert.deepEqual((await check("v1.38", limited)).findings, [line, OBJECT]);
  });

  test("an object clears when its manager writes it in a version that stays", async () => {
    const moved = { ...VOLUME_CLASS, metadata: { ...VOLUME_CLASS.metadata, labels: { moved: "yes" } } };
    await eventually(async () => {
      const labels = { ...moved.metadata.labels, at: String(performance.now()) };
      const object = { ...moved, metadata: { ...moved.metadata, labels } };
      await cluster.kubectl(["replace", "--field-manager", "helm", "-f", "-"], JSON.stringify(object));
      assert.ok(!(await check("v1.37", limited)).findings.includes(OBJECT));
    });
  });

  test("records the cluster, and replays it with the same result", async () => {
    const recording = join(folder, "recording");
    const args = ["--target-version", "v1.37", ...ONLY_CHECKS];
    const recorded = await runPreflight(["record", "--dest-dir", recording, "--kubeconfig", limited, ...args]);
    assert.equal(recorded.code, 0, recorded.err);
    const live = await runPreflight(["check", "--kubeconfig", limited, ...args]);
    const replayed = await runPreflight(["check", "--recorded", recording, ...args]);
    assert.equal(live.code, 3, live.err);
    const withoutPlace = (text: string): string =>
      text.replaceAll(/\d+(?:\.\d+)? (?:[kM]i?)?B/g, "").replace(/^(?:Recorded cluster|Cluster|Context).*\n/m, "");
    assert.equal(withoutPlace(replayed.out), withoutPlace(live.out));
  });

  test("checks a folder of CRDs", async () => {
    const crd = (type: string) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema(type) } }],
      },
    });
    const schema = (type: string) => ({ type: "object", properties: { size: { type } } });
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(crd("string")));
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, size: "large" };
    await eventually(() => cluster.kubectl(["apply", "-n", "demo", "-f", "-"], JSON.stringify(widget)));
    const target = await mkdtemp(join(folder, "target-"));
    await writeFile(join(target, "crd.json"), JSON.stringify(crd("integer")));
    const result = await check("v1.36", cluster.kubeconfig, "--target", target, "--only", "crd-skew");
    assert.deepEqual(result.findings, ["crd-skew CustomResourceFieldsFrozen Widget demo/a size"]);
    assert.deepEqual(result.unknowns, []);
  });

  test("rejects a release of OpenShift", async () => {
    const args = ["check", "--kubeconfig", limited, "--target-version", "4.20.3"];
    const { code, err } = await runPreflight(args);
    assert.equal(code, 1);
    assert.match(err, /runs Kubernetes 1\.\d+\.\d+ without OpenShift/);
  });
});
