import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { OPERATOR } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { runCheck } from "../support/check-run.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject, readObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const PROFILE = "include.release.openshift.io/ibm-cloud-managed";

function buildCrd(modes: readonly string[]): JsonObject {
  const mode = { type: "string", enum: [...modes] };
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { mode } } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.hosted.example.com", annotations: { [PROFILE]: "true" } },
    spec: {
      group: "hosted.example.com",
      scope: "Cluster",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

/** Another CRD, which applies where the control plane is not hosted. */
function buildStandaloneCrd(): JsonObject {
  const text = JSON.stringify(buildCrd(["A"])).replace("ibm-cloud-managed", "self-managed-high-availability");
  return JSON.parse(text.replaceAll("things", "others").replaceAll("Thing", "Other"));
}

const THING = { apiVersion: "hosted.example.com/v1", kind: "Thing", metadata: { name: "a" }, spec: { mode: "B" } };
const FINDING = "crd-skew CustomResourceFieldsFrozen Thing a spec.mode";
const ONLY = ["--only", "crd-skew"];
const isOfCheck = (unknown: string): boolean => unknown.startsWith("crd-skew ");

/** A guest cluster without the operator's Deployment, and a target of whose CRDs one is for hosted control planes, the other for the rest. */
describe("a hosted control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  const folder = createTemporaryFolder();
  let target: string;
  before(async () => {
    target = join(folder, "target");
    await mkdir(target);
    const metadata = { kind: "cincinnati-metadata-v0", version: "4.21.3", previous: [], metadata: {} };
    await writeFile(join(target, "release-metadata"), JSON.stringify(metadata));
    await writeFile(join(target, "0000_50_things.crd.yaml"), JSON.stringify(buildCrd(["A"])));
    await writeFile(join(target, "0000_50_others.crd.yaml"), JSON.stringify(buildStandaloneCrd()));
    cluster = await startCluster("4.20");
    await deleteObject(cluster, OPERATOR);
    await applyObjects(cluster, [buildCrd(["A", "B"])]);
    await eventually(() => applyObjects(cluster, [THING]));
  });
  after(async () => {
    await cluster?.down();
  });

  const setTopology = (controlPlaneTopology: string): Promise<JsonObject> =>
    patchObject(cluster, "/apis/config.openshift.io/v1/infrastructures/cluster/status", {
      status: { controlPlaneTopology },
    });

  /** The same check on the cluster and on its recording. */
  async function checkTwice(name: string): Promise<Awaited<ReturnType<typeof runCheck>>> {
    const live = ["--kubeconfig", cluster.kubeconfig, "--target", target, ...ONLY];
    const recording = join(folder, name);
    const recorded = await runPreflight(["record", "--dest-dir", recording, ...live]);
    assert.equal(recorded.code, 0, recorded.err);
    const result = await runCheck(live);
    assert.deepEqual(await runCheck(["--recorded", recording, "--target", target, ...ONLY]), result);
    return result;
  }

  test("is checked with the manifests of its profile, on the cluster and on its recording", async () => {
    await setTopology("External");
    const { code, findings, unknowns } = await checkTwice("hosted");
    assert.deepEqual([code, findings, unknowns.filter(isOfCheck)], [3, [FINDING], []]);
  });

  test("is named, and nothing that is written or printed needs what it doesn't have", async () => {
    const connection = ["--kubeconfig", cluster.kubeconfig];
    const table = await runPreflight(["check", ...connection, "--target", target]);
    assert.match(table.out, /^Hosted cluster \S+, context /m);
    const json = await runPreflight(["check", ...connection, "--target", target, "-o", "json"]);
    assert.equal(JSON.parse(json.out).hosted, true);
    const playbook = await runPreflight(["playbook", ...connection, "--target", target]);
    assert.match(playbook.out, /patch hostedcluster\/<hosted-cluster> [^]* patch nodepool\/<node-pool> /);
    assert.doesNotMatch(table.out + playbook.out, /oc adm upgrade|machine-?config-?pool/i);
  });

  test("takes no request and no acceptance, which would not last", async () => {
    const path = "/apis/config.openshift.io/v1/clusterversions/version";
    const before = textAt(await readObject(cluster, path), "metadata", "resourceVersion");
    for (const words of ["request --to 4.21.3", "accept AdminAckMissing", "cancel"]) {
      const { code, out, err } = await runPreflight([...words.split(" "), "--kubeconfig", cluster.kubeconfig]);
      assert.deepEqual([code, out], [1, ""], words);
      assert.match(err, /control plane is hosted: .*\(spec\.release\.image, on the management cluster\)\. /, words);
    }
    assert.equal(textAt(await readObject(cluster, path), "metadata", "resourceVersion"), before);
  });

  test("is not assumed where the operator's Deployment is missing", async () => {
    await setTopology("HighlyAvailable");
    const { code, unknowns } = await checkTwice("standalone");
    const missing = "crd-skew NotFound Deployment openshift-cluster-version/cluster-version-operator";
    assert.deepEqual([code, unknowns.filter(isOfCheck)], [4, [missing]]);
  });
});
