import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject } from "../../verify/api-server/objects.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { buildGraphJson } from "../../verify/fuzz/graph-sample.ts";

type StepJson = {
  readonly sourceVersion: string;
  readonly targetVersion: string;
  readonly state: string;
  readonly pending?: readonly { readonly id: string }[];
  readonly repeated?: readonly { readonly risk: string; readonly step: number }[];
  readonly result?: { readonly sourceVersion: string; readonly risks: readonly { readonly name: string }[] };
};
type PlanJson = {
  readonly basis: string;
  readonly complete: boolean;
  readonly controlPlaneOnly?: { readonly pools: readonly string[] };
  readonly steps: readonly StepJson[];
};

describe("a plan from 4.18 to 4.20 on a real control plane", { skip: noControlPlane }, () => {
  let folder = "";
  let graph = "";
  let controlPlane: ControlPlane | undefined;
  let releases: readonly string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "preflight-plan-"));
    controlPlane = await startCluster("4.18");
    const folders = [
      await createSmallPayload(join(folder, "4.19"), "4.19", "4.19.12"),
      await createSmallPayload(join(folder, "4.20"), "4.20", "4.20.4"),
    ];
    releases = folders.flatMap((path) => ["--release", path]);
    graph = join(folder, "graph.json");
    const edges = [
      ["4.18.8", "4.19.12"],
      ["4.19.12", "4.20.4"],
    ] as const;
    await writeFile(graph, JSON.stringify(buildGraphJson(edges, [], { "4.20.4": "eus-4.20,stable-4.20" })));
  });
  after(async () => {
    await controlPlane?.down();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...args: readonly string[]) =>
    runPreflight([...args, "--kubeconfig", controlPlane?.kubeconfig ?? ""], { XDG_CACHE_HOME: folder });
  const plan = async (...args: readonly string[]) => {
    const { code, out, err } = await run("plan", "--to", "4.20", "-o", "json", ...args);
    assert.notEqual(out, "", err);
    const json: PlanJson = JSON.parse(out);
    return { code, json };
  };
  const getRisks = ({ result }: StepJson): readonly string[] => (result?.risks ?? []).map(({ name }) => name);
  const up = (): ControlPlane => controlPlane ?? assert.fail("the control plane did not start");
  const acknowledge = (gate: string) =>
    patchObject(up(), "/api/v1/namespaces/openshift-config/configmaps/admin-acks", { data: { [gate]: "true" } });

  test("names 4.19, the findings of each step, and what only shows after the first", async () => {
    const { code, json } = await plan("--graph", graph, ...releases);
    const [first, second] = json.steps;
    assert.ok(first && second);
    assert.equal(code, 3);
    assert.deepEqual([json.basis, json.complete, json.controlPlaneOnly], ["graph", true, { pools: ["worker"] }]);
    assert.deepEqual(
      json.steps.map(({ sourceVersion, targetVersion }) => `${sourceVersion} -> ${targetVersion}`),
      ["4.18.8 -> 4.19.12", "4.19.12 -> 4.20.4"],
    );
    assert.equal(second.result?.sourceVersion, "4.19.12");
    const both = ["DrainBlockedByDisruptionBudget", "OperatorIncompatibleWithTarget"];
    assert.deepEqual(
      getRisks(first).filter((name) => name !== "RemovedKubernetesAPIInUse"),
      ["AdminAckMissing", ...both],
    );
    // 4.19 will require an acknowledgement of its own.
    assert.deepEqual(getRisks(second), ["AdminAckMissingOnTheWay", ...both]);
    assert.ok(second.repeated?.some(({ risk, step }) => risk === "DrainBlockedByDisruptionBudget" && step === 1));
    assert.deepEqual(first.pending, []);
    const pending = new Set(second.pending?.map(({ id }) => id));
    for (const id of ["admin-acks", "cluster-operators", "machine-config-pools"]) assert.ok(pending.has(id), id);
  });

  test("without the release of 4.19, the plan is not complete", async () => {
    const { json } = await plan(...releases.slice(2), "--skip", "conditional-updates");
    assert.deepEqual([json.basis, json.complete], ["rule", false]);
    const { code, out } = await run("plan", "--to", "4.20", ...releases.slice(2), "--only", "crd-skew", "-o", "wide");
    assert.equal(code, 4, out);
    assert.match(out, /Step 1: 4\.18\.8 -> 4\.19\.2\n[^]*set one with --release DIR[^]*Step 2: /);
  });

  test("a risk of the second step alone can wait, and what is mended is gone", async () => {
    const versions = "/apis/operators.coreos.com/v1alpha1/namespaces/openshift-operators/clusterserviceversions";
    const operator = `${versions}/demo-operator.v1.2.3`;
    const properties = JSON.stringify([{ type: "olm.maxOpenShiftVersion", value: "4.19" }]);
    await patchObject(up(), operator, { metadata: { annotations: { "olm.properties": properties } } });
    await deleteObject(up(), "/apis/policy/v1/namespaces/demo-a/poddisruptionbudgets/tight");
    await deleteObject(up(), "/apis/apiserver.openshift.io/v1/apirequestcounts");
    await acknowledge("ack-4.18-kube-1.32-api-removals");
    const { out, code } = await run("plan", "--to", "4.20", "--graph", graph, ...releases, "-o", "wide");
    assert.equal(code, 3, out);
    assert.match(
      out,
      /Step 2: 4\.19\.12 -> 4\.20\.4\n[^]* {2}To do before step 2; it can wait until step 1 is done:\n[^]*AdminAckMissingOnTheWay[^]*OperatorIncompatibleWithTarget/,
    );
    await deleteObject(up(), operator);
    await acknowledge("ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20");
    const mended = await run("plan", "--to", "4.20", "--graph", graph, ...releases);
    assert.equal(mended.code, 0, mended.out);
    assert.match(mended.out, /^4\.18\.8 -> 4\.20\.4: 2 updates, no risk found\n/);
  });

  test("check of 4.20 alone names 4.19 and is not complete, though nothing is found", async () => {
    const { code, out } = await run("check", "--target", releases.at(-1) ?? "");
    assert.equal(code, 4, out);
    assert.match(out, /4\.19 lies between 4\.18\.8 and 4\.20\.4: this\s+is\s+several\s+updates/);
  });

  test("only reads are sent", async () => {
    const lines = (await controlPlane?.audit()) ?? [];
    const own = lines.filter(({ agent }) => agent.startsWith("target-release-preflight/"));
    assert.notEqual(own.length, 0);
    assert.deepEqual(new Set(own.map(({ verb }) => verb)), new Set(["get", "list"]));
  });
});
