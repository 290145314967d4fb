import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { type JsonObject, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { CRDS } from "../../verify/api-server/api-path.ts";
import { applyObjects, readManifests } from "../../verify/api-server/apply-objects.ts";
import { createObject, readObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { explainCheckout, findCheckout } from "../support/checkouts.ts";
import { objectsOf, parseObjects } from "../support/deploy/bases.ts";
import { createPipeline, DEMO_RISKS, REVIEWED, runStep } from "../support/examples/pipeline-environment.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");
const TEKTON_FILE = "tekton/preflight.yaml";
/** Tried with v1.6.0. */
const TEKTON = findCheckout("tektoncd/pipeline");
/** Tried with v3.2.0. */
const ARGO = findCheckout("argoproj/argo-cd");

function readObjects(file: string): readonly JsonObject[] {
  return parseObjects(readFileSync(join(EXAMPLES, file), "utf8"));
}

function findObject(file: string, kind: string, name?: string): JsonObject {
  const found = readObjects(file).find(
    (one) => one["kind"] === kind && (name === undefined || textAt(one, "metadata", "name") === name),
  );
  return found ?? {};
}

suite("a real API server", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startCluster("4.19", "--network", "single");
    await applyObjects(cluster, objectsOf("runner/account"));
  });
  after(() => cluster.down());

  const apply = async (...args: readonly string[]): Promise<void> =>
    void (await cluster.kubectl(["create", "--validate=strict", ...args]));

  /** CRDs, which are then served. */
  const install = async (...files: readonly string[]): Promise<void> => {
    const crds = files.flatMap(readManifests);
    await applyObjects(cluster, crds);
    for (const crd of crds)
      await eventually(async () => {
        const installed = await readObject(cluster, `${CRDS}/${textAt(crd, "metadata", "name")}`);
        const established = listAt(installed, "status", "conditions").find(
          (one) => textAt(one, "type") === "Established",
        );
        assert.equal(textAt(established, "status"), "True");
      });
  };

  test(
    "accepts the Tekton pipeline",
    { skip: TEKTON === undefined && explainCheckout("tektoncd/pipeline") },
    async () => {
      const crds = ["tasks", "pipelines", "pipelineruns"].map((name) => `300-crds/300-${name.replace(/s$/, "")}.yaml`);
      await install(...crds.map((file) => join(TEKTON ?? "", "config", file)));
      await apply("-f", join(EXAMPLES, "tekton/preflight.yaml"));
      const tasks = await readObject(cluster, "/apis/tekton.dev/v1/namespaces/preflight-pipelines/tasks");
      assert.deepEqual(
        listAt(tasks, "items").map((one) => textAt(one, "metadata", "name")),
        ["preflight-check", "preflight-update"],
      );
    },
  );

  test(
    "accepts the Application of Argo CD",
    { skip: ARGO === undefined && explainCheckout("argoproj/argo-cd") },
    async () => {
      await install(join(ARGO ?? "", "manifests/crds/application-crd.yaml"));
      await createObject(cluster, "/api/v1/namespaces", { metadata: { name: "openshift-gitops" } });
      await apply("-f", join(EXAMPLES, "argo-cd/application.yaml"));
    },
  );

  test("accepts what Argo CD syncs, and checks the release that git asks for", async () => {
    const built = parseObjects(await cluster.kubectl(["kustomize", join(EXAMPLES, "argo-cd")]));
    await cluster.kubectl([
      "apply",
      "--validate=strict",
      "--server-side",
      "--field-manager=argocd-controller",
      "-k",
      join(EXAMPLES, "argo-cd"),
    ]);
    const job = built.find(({ kind }) => kind === "Job");
    const wanted = built.find(({ kind }) => kind === "ClusterVersion");
    const [container] = listAt(job, "spec", "template", "spec", "containers");
    const to = listAt(container, "env").find((one) => textAt(one, "name") === "PREFLIGHT_TO");
    assert.equal(textAt(to, "value"), textAt(wanted, "spec", "desiredUpdate", "version"));
    const waves = built.map((one) => [one["kind"], textAt(one, "metadata", "annotations", "argocd.argoproj.io/hook")]);
    assert.deepEqual(
      waves.filter(([, hook]) => hook === undefined),
      [["ClusterVersion", undefined]],
      "all else comes before",
    );
  });

  test("lets the account of the check read and not write, and that of the update start it", async () => {
    const can = (account: string, ...words: readonly string[]) =>
      cluster.kubectl(["auth", "can-i", ...words, "--as", `system:serviceaccount:preflight-pipelines:${account}`]).then(
        () => true,
        () => false,
      );
    const version = "clusterversions.config.openshift.io/version";
    const items = readObjects(TEKTON_FILE).filter((one) => !textAt(one, "apiVersion")?.startsWith("tekton.dev/"));
    await applyObjects(cluster, items);
    await eventually(async () =>
      assert.deepEqual(
        [
          await can("preflight-check", "get", version),
          await can("preflight-check", "patch", version),
          await can("preflight-update", "patch", version),
        ],
        [true, false, true],
      ),
    );
  });
});

function getScript(task: string): string {
  return textAt(findObject(TEKTON_FILE, "Task", task), "spec", "steps", 0, "script") ?? "";
}

test("the steps of the Tekton pipeline stop at a risk, and name the release for the update if the cluster is clear", (t) => {
  const risky = createPipeline(t, "nothing");
  const result = (folder: string, accept = "") => ({ ACCEPT: accept, RESULT: join(folder, "version") });
  assert.equal(runStep(risky, getScript("preflight-check"), result(risky.folder)).code, 3);
  const clear = createPipeline(t, "nothing");
  const { code, out } = runStep(clear, getScript("preflight-check"), result(clear.folder, DEMO_RISKS.join()));
  assert.equal(code, 0, out);
  assert.equal(clear.read("version"), "4.18.6");
  runStep(clear, getScript("preflight-update"), { VERSION: clear.read("version") });
  assert.equal(clear.updates(), "adm upgrade --to 4.18.6\n");
});

test("the hook of Argo CD fails at a risk, and not at one that git accepts", (t) => {
  const [container] = listAt(findObject("argo-cd/check.yaml", "Job"), "spec", "template", "spec", "containers");
  const command = ["preflight", ...textsAt(container, "args")].join(" ");
  const run = (pipeline: ReturnType<typeof createPipeline>) =>
    runStep(pipeline, command, { PREFLIGHT_CONFIG: join(pipeline.folder, REVIEWED) }).code;
  assert.equal(run(createPipeline(t, "nothing")), 3);
  assert.equal(run(createPipeline(t, "everything")), 0);
  const accepted = textAt(findObject("argo-cd/rbac.yaml", "ConfigMap"), "data", "preflight.yaml") ?? "";
  assert.match(accepted, /^accept: \[\]/);
});
