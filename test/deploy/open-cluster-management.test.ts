import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { CHECKS_FOLDER } from "../../src/model/check-origin.ts";
import { createPipeline, REVIEWED, runStep } from "../support/examples/pipeline-environment.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { explainCheckout, findCheckout } from "../support/checkouts.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { DEPLOY, objectsOf, parseObjects } from "../support/deploy/bases.ts";

const OCM = join(DEPLOY, "fleet/ocm");
const WORKLOAD = "fleet/ocm/workload";
const ACCOUNT = "system:serviceaccount:preflight-fleet:preflight-fleet";
/** Tried with v1.0.0 of the first and v0.16.0 of the others. */
const REPOSITORIES = ["api", "governance-policy-propagator", "config-policy-controller"].map(
  (name) => `open-cluster-management-io/${name}`,
);
const [API, POLICY, CONFIGURATION] = REPOSITORIES.map(findCheckout);
const CRDS = [
  [API, "work/v1/0000_00_work.open-cluster-management.io_manifestworks.crd.yaml"],
  [API, "work/v1alpha1/0000_00_work.open-cluster-management.io_manifestworkreplicasets.crd.yaml"],
  [API, "cluster/v1beta1/0000_02_clusters.open-cluster-management.io_placements.crd.yaml"],
  [API, "cluster/v1beta2/0000_01_clusters.open-cluster-management.io_managedclustersetbindings.crd.yaml"],
  [POLICY, "deploy/crds/policy.open-cluster-management.io_policies.yaml"],
  [POLICY, "deploy/crds/policy.open-cluster-management.io_placementbindings.yaml"],
  [CONFIGURATION, "deploy/crds/policy.open-cluster-management.io_configurationpolicies.yaml"],
] as const;
const noModules = CRDS.some(([folder]) => folder === undefined) && REPOSITORIES.map(explainCheckout).join("; ");

const readObjects = (file: string): readonly JsonObject[] => parseObjects(readFileSync(join(OCM, file), "utf8"));
const replicaSet = readObjects("manifestworkreplicaset.yaml")[0] ?? {};
const template = objectAt(replicaSet, "spec", "manifestWorkTemplate");
const cronJob = objectsOf(WORKLOAD).find(({ kind }) => kind === "CronJob");
const pod = objectAt(cronJob, "spec", "jobTemplate", "spec", "template", "spec");

test("the work has every object of the workload, and feedback rules about two of them", () => {
  const manifests = listAt(template, "workload", "manifests");
  assert.deepEqual(manifests, objectsOf(WORKLOAD));
  for (const config of listAt(template, "manifestConfigs")) {
    const wanted = objectAt(config, "resourceIdentifier");
    const isWanted = (one: Json): boolean =>
      `${textAt(one, "kind")?.toLowerCase()}s` === wanted["resource"] &&
      textAt(one, "metadata", "name") === wanted["name"] &&
      textAt(one, "metadata", "namespace") === wanted["namespace"];
    assert.equal(listAt(template, "workload", "manifests").filter(isWanted).length, 1, textAt(wanted, "resource"));
  }
});

test("the account may change its own result and nothing else", () => {
  const rules = objectsOf(WORKLOAD).flatMap((object) => listAt(object, "rules"));
  const writing = rules.filter((rule) => !listAt(rule, "verbs").every((verb) => verb === "get" || verb === "list"));
  assert.deepEqual(writing, [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: ["preflight-result"], verbs: ["get", "patch"] },
  ]);
});

suite("a real API server", { skip: noControlPlane || noModules }, () => {
  let hub: ControlPlane;
  before(async () => {
    hub = await startCluster("4.19", "--network", "single");
    for (const [folder, file] of CRDS) await hub.kubectl(["create", "-f", join(folder ?? "", file)]);
    await hub.kubectl(["wait", "--for=condition=Established", "crd", "--all"]);
  });
  after(() => hub.down());

  test("accepts the placement, the work and the policy, without an unknown field", async () => {
    for (const file of ["placement.yaml", "manifestworkreplicaset.yaml", "policy.yaml"])
      await hub.kubectl(["apply", "--validate=strict", "-f", join(OCM, file)]);
    // The policy controller creates it on the managed clusters.
    const [policy] = readObjects("policy.yaml");
    const definition = objectAt(policy, "spec", "policy-templates", 0, "objectDefinition");
    const own = { ...definition, metadata: { ...objectAt(definition, "metadata"), namespace: "default" } };
    await hub.kubectl(["create", "--validate=strict", "-f", "-"], JSON.stringify(own));
  });

  const VERDICTS = [
    ["edge-1", "nothing", "risk"],
    ["edge-2", "everything", "clear"],
  ] as const;
  for (const [name, accepts, verdict] of VERDICTS) {
    test(`the verdict "${verdict}" comes back to the hub from ${name}`, async (t) => {
      await hub.kubectl(["apply", "-k", join(DEPLOY, WORKLOAD)]);
      const patchFile = runCheck(t, accepts);
      const [container] = listAt(pod, "containers");
      const [tool, ...words] = textsAt(container, "command");
      assert.equal(tool, "oc");
      const args = words.map((word) => word.replace("/result/patch.json", patchFile));
      await eventually(() => hub.kubectl([...args, "--as", ACCOUNT]));
      await hub.kubectl(["create", "namespace", name]);
      await hub.kubectl(["create", "--validate=strict", "-f", "-"], JSON.stringify(buildWork(name)));
      const status = JSON.stringify({ status: await readFeedback() });
      await hub.kubectl([
        "patch",
        "manifestwork/preflight",
        "-n",
        name,
        "--subresource=status",
        "--type=merge",
        "-p",
        status,
      ]);
      const read = await hub.kubectl(["get", "manifestwork/preflight", "-n", name, "-o", `jsonpath=${VALUES}`]);
      assert.match(read, new RegExp(`(?:^| )${verdict}(?: |$)`));
    });
  }

  test("the hub prints the matrix of what came back", async (t) => {
    const { folder } = createPipeline(t, "nothing");
    await hub.kubectl(["create", "namespace", "edge-3"]);
    await hub.kubectl(["create", "-f", "-"], JSON.stringify(buildWork("edge-3")));
    const file = join(folder, "works.json");
    writeFileSync(file, await hub.kubectl(["get", "manifestworks", "-A", "-o", "json"]));
    const { out, code } = await runPreflight(["fleet", "--from", file, "-o", "json"]);
    assert.equal(code, 3);
    const clusters: readonly JsonObject[] = JSON.parse(out).clusters;
    assert.deepEqual(
      clusters.map((one) => [textAt(one, "name"), textAt(one, "verdict"), listAt(one, "risks").length]),
      [
        ["edge-1", "risk", 6],
        ["edge-2", "risk", 6],
        ["edge-3", "running", 0],
      ],
    );
  });

  const VALUES = "{.status.resourceStatus.manifests[*].statusFeedback.values[*].fieldValue.string}";

  function buildWork(namespace: string): object {
    return {
      apiVersion: "work.open-cluster-management.io/v1",
      kind: "ManifestWork",
      metadata: { name: "preflight", namespace },
      spec: template,
    };
  }

  /** What the work agent puts into the status: the values of the rules' paths. */
  async function readFeedback(): Promise<object> {
    const [config] = listAt(template, "manifestConfigs");
    const values = await Promise.all(
      listAt(config, "feedbackRules", 0, "jsonPaths").map(async (rule) => {
        const path = `jsonpath={${textAt(rule, "path")}}`;
        const string = await hub.kubectl(["get", "configmap/preflight-result", "-n", "preflight-fleet", "-o", path]);
        return { name: textAt(rule, "name"), fieldValue: { type: "String", string } };
      }),
    );
    const resourceMeta = { ordinal: 6, kind: "ConfigMap", name: "preflight-result", namespace: "preflight-fleet" };
    return { resourceStatus: { manifests: [{ resourceMeta, conditions: [], statusFeedback: { values } }] } };
  }
});

/** The container's own variables, but for the target, with a folder of this machine in place of its volumes. */
function getEnvironment(folder: string): Readonly<Record<string, string>> {
  const [container] = listAt(pod, "initContainers");
  const given = Object.fromEntries(
    listAt(container, "env").map((one) => [textAt(one, "name") ?? "", textAt(one, "value") ?? ""]),
  );
  assert.deepEqual(Object.keys(given).toSorted(), ["PREFLIGHT_CHECKS", "PREFLIGHT_CONFIG", "PREFLIGHT_TO", "RESULT"]);
  assert.equal(given["PREFLIGHT_CHECKS"], CHECKS_FOLDER);
  return { PREFLIGHT_CHECKS: CHECKS_FOLDER, RESULT: folder, PREFLIGHT_CONFIG: join(folder, REVIEWED) };
}

/** Runs the command of the init container on the demo; resolves with the patch that it leaves. */
function runCheck(t: test.TestContext, accepts: "nothing" | "everything"): string {
  const pipeline = createPipeline(t, accepts);
  const [container] = listAt(pod, "initContainers");
  const [shell, flag, script = ""] = textsAt(container, "command");
  assert.deepEqual([shell, flag], ["/bin/sh", "-c"]);
  assert.equal(runStep(pipeline, `set +e\n${script}`, getEnvironment(pipeline.folder)).code, 0);
  return join(pipeline.folder, "patch.json");
}

test("the command of docs/fleets.md replaces the images and the version", (t) => {
  const page = readFileSync(join(DEPLOY, "../docs/fleets.md"), "utf8");
  const command = /^ {4}(sed .*)$/m.exec(page)?.[1] ?? "";
  const pipeline = createPipeline(t, "nothing");
  assert.equal(runStep(pipeline, command.replace("deploy/fleet", join(DEPLOY, "fleet"))).code, 0);
  const work = pipeline.read("work.yaml");
  assert.doesNotMatch(work, /example\.com\/replace|4\.20/);
  for (const word of ["image: IMAGE", "image: CLI_IMAGE", "value: 'VERSION'"]) assert.ok(work.includes(word), word);
});

test("a cluster that can't be read has the verdict failed, and a document that says why", (t) => {
  const pipeline = createPipeline(t, "nothing");
  const [container] = listAt(pod, "initContainers");
  const script = textsAt(container, "command")[2] ?? "";
  const more = {
    ...getEnvironment(pipeline.folder),
    PREFLIGHT_RECORDED: "",
    KUBECONFIG: join(pipeline.folder, "none"),
  };
  assert.equal(runStep(pipeline, `set +e\n${script}`, more).code, 0);
  const { data } = JSON.parse(pipeline.read("patch.json"));
  assert.equal(data.verdict, "failed");
  assert.match(data.document, /^(?:|\{[^]*"executionStatus": "failed")/);
});
