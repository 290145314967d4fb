import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { selectOfSubject } from "../../src/cli/checks/check-selection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { readReadiness } from "../support/format/readiness-validator.ts";
import { runCheck } from "../support/check-run.ts";
import {
  type ControlPlane,
  createPayload,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";

const EVERY_CHECK = [
  "--only",
  selectOfSubject(checks)
    .map(({ id }) => id)
    .join(","),
];
const SECRET = "hunter2";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const annotations = {
  note: `${SECRET}-annotation`,
  [LAST_APPLIED]: JSON.stringify({ apiVersion: "v1", kind: "X", spec: { note: `${SECRET}-applied` } }),
};
const container = {
  name: "c",
  image: "registry.example/c",
  env: [{ name: "PLAIN", value: `${SECRET}-env` }],
  args: ["--login", `${SECRET}-argument`],
  command: ["sh", "-c", `curl -u me:${SECRET}-command https://me:${SECRET}-url@example.com`],
};
const template = { metadata: { annotations }, spec: { containers: [container] } };

/** Secrets in every place of objects that checks read. */
const PLANTED: readonly JsonObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "planted", annotations } },
  ...["openshift-monitoring", "openshift-user-workload-monitoring"].map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  })),
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "openshift-monitoring", name: "cluster-monitoring-config", annotations },
    data: {
      "config.yaml": `enableUserWorkload: true\nprometheusK8s: {remoteWrite: [{url: "https://me:${SECRET}-url@example.com", basicAuth: {username: u, password: ${SECRET}-flow}}]}\n`,
      "notes.txt": `the login is ${SECRET}-notes`,
      password: `${SECRET}-key`,
    },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { namespace: "planted", name: "planted-job", annotations },
    spec: {
      schedule: "0 0 * * *",
      jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  },
  {
    apiVersion: "config.openshift.io/v1",
    kind: "Build",
    metadata: { name: "planted-build", annotations },
    spec: {
      buildDefaults: {
        env: container.env,
        defaultProxy: { httpsProxy: `https://me:${SECRET}-proxy@example.com` },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "planted", name: "planted-secret", annotations },
    stringData: { any: `${SECRET}-data` },
  },
  {
    apiVersion: "operator.openshift.io/v1",
    kind: "IngressController",
    metadata: { namespace: "openshift-ingress-operator", name: "planted-controller", annotations },
    spec: { unsupportedConfigOverrides: { apiToken: `${SECRET}-field`, text: `{password: ${SECRET}-text}` } },
  },
];

describe("a recording of a seeded cluster", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  const folder = createTemporaryFolder();
  before(async () => {
    cluster = await startCluster("4.20");
    await applyObjects(cluster, PLANTED);
  });
  after(async () => {
    await cluster?.down();
  });

  const always = ["planted", "planted-secret"];
  const targets = [
    ["4.22", "4.22.2", [...always, "cluster-monitoring-config", "planted-job", "planted-controller"]],
    ["4.20", "4.20.9", always],
    ["4.21", "4.21.2", [...always, "cluster-monitoring-config", "planted-build", "planted-controller"]],
  ] as const;
  for (const [release, version, planted] of sampleEach(targets, targets.length))
    test(`has the cluster's result for ${version}, of every check, and no secret`, async () => {
      const payload = hasAllCases
        ? await createPayload(join(folder, version), release, version)
        : await createSmallPayload(join(folder, version), release, version, "_ingresscontrollers");
      const recording = join(folder, `recording-${version}`);
      const target = ["--target", payload, ...EVERY_CHECK];
      const live = ["--kubeconfig", cluster.kubeconfig, ...target];
      const recorded = await runPreflight(["record", "--dest-dir", recording, ...live]);
      assert.equal(recorded.code, 0, recorded.err);
      assert.match(recorded.err, /^Recorded \d+ reads? in \S+\. Review the folder before you share it\.\n$/);
      const readiness = join(folder, `readiness-${version}.json`);
      const ofLive = await runCheck([...live, "-o", `readiness=${readiness}`]);
      assert.deepEqual(await runCheck(["--recorded", recording, ...target]), ofLive);
      const { decision, findings } = readReadiness(await readFile(readiness, "utf8"));
      assert.ok(decision === "block" || decision === "escalate", decision);
      assert.ok(ofLive.findings.length > 0 && findings.length > 0);
      const file = join(recording, "cluster.json");
      const text = await readFile(file, "utf8");
      for (const name of planted) assert.ok(text.includes(`"${name}"`), name);
      assert.deepEqual([...text.matchAll(/hunter2-\w+/g)].flat(), []);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });
});
