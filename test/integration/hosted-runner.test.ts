import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { OPERATOR } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, listAt, objectsAt, parseObject, textAt, textsAt } from "../../src/model/json.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject, readObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { openAdminShell } from "../../verify/shared/admin-shell.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { DEPLOY, objectsOf, parseObjects } from "../support/deploy/bases.ts";
import {
  HYPERSHIFT_CRDS,
  buildHostedCluster,
  buildNamespace,
  buildNodePool,
  buildSupportedVersions,
} from "../support/integration/hypershift.ts";

const NAMESPACE = "clusters-guest";
const ACCOUNT = "preflight-hosted";
const WITH_CONFIG_MAP = "hosted-runner-with-configmap";
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
/** Seeded clusters have one id, which the management cluster keeps. */
const ID = "33333333-4444-4555-8666-777777777777";
const GUEST_CONFIG = "/apis/config.openshift.io/v1";

const objects = objectsOf("hosted-runner");
const pod = objects.find(({ kind }) => kind === "Deployment") ?? {};
const [runner] = listAt(pod, "spec", "template", "spec", "containers");

/** As HyperShift writes it for the components of the control plane, in the Secret that the pod mounts. */
const SECRET = textAt(
  listAt(pod, "spec", "template", "spec", "volumes").find((volume) => textAt(volume, "name") === "guest"),
  "secret",
  "secretName",
);

describe("the runner of deploy/hosted-runner, on two control planes", { skip: noControlPlane }, () => {
  const folder = createTemporaryFolder();
  const document = join(folder, "result", "preflight-v1.json");
  let management: ControlPlane;
  let guest: ControlPlane;
  before(async () => {
    management = await startCluster("4.20");
    guest = await startCluster("4.20");
    await patchObject(guest, `${GUEST_CONFIG}/infrastructures/cluster/status`, {
      status: { controlPlaneTopology: "External" },
    });
    await deleteObject(guest, OPERATOR);
    await patchObject(guest, `${GUEST_CONFIG}/clusterversions/version`, { spec: { clusterID: ID } });
    await createSmallPayload(join(folder, "target"), "4.21", "4.21.2");
    await applyObjects(management, [...HYPERSHIFT_CRDS, ...["hypershift", "clusters"].map(buildNamespace)]);
    const kubeconfig = await createAccount(management, NAMESPACE, ACCOUNT);
    const secret: JsonObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: NAMESPACE, name: SECRET ?? "" },
      stringData: { kubeconfig: readFileSync(guest.kubeconfig, "utf8") },
    };
    const hosted = [
      buildSupportedVersions(["4.21", "4.20"]),
      buildHostedCluster("guest", "4.20.8", { spec: { clusterID: ID, pausedUntil: "true" } }),
      buildNodePool("guest", "guest-a", "4.20.8"),
      secret,
      ...objects.filter(({ kind }) => kind !== "Deployment"),
    ];
    await eventually(() => applyObjects(management, hosted));
    await mkdir(join(folder, "result"), { recursive: true });
    await mkdir(join(folder, "guest"), { recursive: true });
    await writeFile(join(folder, "account.kubeconfig"), kubeconfig);
    await mountSecret();
  });
  after(async () => {
    await management?.down();
    await guest?.down();
  });

  /** As the kubelet does. */
  async function mountSecret(): Promise<void> {
    const read = await readObject(management, `/api/v1/namespaces/${NAMESPACE}/secrets/${SECRET}`);
    const text = Buffer.from(textAt(read, "data", "kubeconfig") ?? "", "base64").toString("utf8");
    await writeFile(join(folder, "guest", "kubeconfig"), text);
  }

  /** The pod's variables, with folders of this machine in place of its volumes. */
  function getEnv(): Readonly<Record<string, string>> {
    const given = listAt(runner, "env").map((one) => [textAt(one, "name") ?? "", textAt(one, "value") ?? ""] as const);
    const placed = given.map(([name, value]) => [
      name,
      value.replace(/^\/(?:etc\/)?(?=guest|result|target)/, `${folder}/`),
    ]);
    const left = new Set(["RELEASE_IMAGE", "PREFLIGHT_LISTEN"]);
    return Object.fromEntries(placed.filter(([name]) => !left.has(name ?? "")));
  }

  const runOnce = () =>
    runPreflight(
      [...textsAt(runner, "args"), "--interval", "0", "--kubeconfig", join(folder, "account.kubeconfig")],
      getEnv(),
    );

  const readRisks = (): readonly string[] =>
    objectsAt(parseObject(readFileSync(document, "utf8")), "risks").map(
      (risk) => `${textAt(risk, "name")} ${(textAt(risk, "message") ?? "").split(":")[0]}`,
    );

  test("writes one document about both halves, with the rights of its account alone", async () => {
    const { code, err } = await runOnce();
    assert.equal(code, 0, err);
    const risks = readRisks();
    assert.ok(risks.includes("HostedClusterPaused Management cluster"), risks.join("\n"));
    assert.ok(risks.includes("DrainBlockedByDisruptionBudget Guest"), risks.join("\n"));
    assert.deepEqual(
      risks.filter((risk) => risk.endsWith("Unknown Management cluster")),
      [],
    );
    assert.equal((await runPreflight(["validate", document])).code, 0);
    await eventually(async () => {
      const lines = (await management.audit()).filter((line) => line.user === USER);
      assert.ok(lines.length > 0);
      assert.deepEqual(
        lines.filter((line) => !["get", "list"].includes(line.verb) || line.uri.includes("/secrets")),
        [],
      );
    });
  });

  test("has its document copied to a ConfigMap, which is not written again while it is the same", async () => {
    await applyObjects(
      management,
      objectsOf(WITH_CONFIG_MAP).filter(({ kind }) => kind !== "Deployment"),
    );
    const [patch] = parseObjects(readFileSync(join(DEPLOY, WITH_CONFIG_MAP, "publish.yaml"), "utf8"));
    const [publisher] = listAt(patch, "spec", "template", "spec", "containers");
    const script = textsAt(publisher, "command").at(-1) ?? "";
    const scratch = join(folder, "scratch");
    const stop = join(folder, "stop");
    await mkdir(scratch);
    const placed = script
      .replaceAll("/result/", `${folder}/result/`)
      .replaceAll("/tmp/", `${scratch}/`)
      .replace("while true", `while [ ! -e '${stop}' ]`)
      .replace("sleep 15", "sleep 0.2");
    const shell = await openAdminShell({ ...management.env, KUBECONFIG: join(folder, "account.kubeconfig") });
    const ended = shell.run(placed);
    const readCopy = () => readObject(management, `/api/v1/namespaces/${NAMESPACE}/configmaps/preflight-result`);
    const waitForCopy = (): Promise<void> =>
      eventually(async () =>
        assert.equal(textAt(await readCopy(), "data", "document"), readFileSync(document, "utf8")),
      );
    await waitForCopy();
    const first = await readCopy();
    const { mtimeMs } = statSync(join(scratch, "document"));
    await eventually(async () => assert.notEqual(statSync(join(scratch, "document")).mtimeMs, mtimeMs));
    assert.deepEqual(await readCopy(), first);
    await runOnce();
    await waitForCopy();
    assert.notDeepEqual(await readCopy(), first);
    await writeFile(stop, "");
    const { code, output } = await ended;
    await shell.close();
    assert.equal(code, 0, output);
    const changes = (await management.audit()).filter(
      ({ user, verb }) => user === USER && !["get", "list"].includes(verb),
    );
    assert.deepEqual(
      changes.filter(({ verb, uri }) => verb !== "patch" || !uri.includes("/configmaps/preflight-result")),
      [],
    );
  });

  test("says that nothing is known of a guest whose kubeconfig is of another cluster", async () => {
    await writeFile(join(folder, "guest", "kubeconfig"), readFileSync(management.kubeconfig, "utf8"));
    const { code } = await runOnce();
    await mountSecret();
    assert.equal(code, 1);
    const written = parseObject(readFileSync(document, "utf8"));
    assert.equal(textAt(written, "executionStatus"), "failed");
    assert.match(textAt(written, "failure", "message") ?? "", /this is not the guest of HostedCluster clusters\/guest/);
  });
});
