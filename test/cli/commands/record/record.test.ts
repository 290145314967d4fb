import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { listDifferentVerdicts } from "../../../../src/cli/commands/record.ts";
import type { Unknown } from "../../../../src/model/check.ts";
import type { CheckReport, Report } from "../../../../src/model/report.ts";
import { buildOperator, CRDS, listDefaultItems, OPERATOR } from "../../../../src/cases/cluster.ts";
import { type FaultServer, startFaultServer } from "../../../../verify/reliability/fault-server.ts";
import { version } from "../../../support/fixtures.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

/** A CRD whose objects hold a password of limited length. */
function buildCrd(maxLength: number): object {
  const password = { type: "string", maxLength };
  const spec = { type: "object", properties: { password } };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "logins.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { kind: "Login", listKind: "LoginList", plural: "logins", singular: "login" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
    status: { storedVersions: ["v1"] },
  };
}

function buildCluster(password: string): object {
  const metadata = { name: "version" };
  const status = { history: [{ state: "Completed", version: "5.0.3" }] };
  return {
    "/apis/config.openshift.io/v1/clusterversions/version": {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata,
      status,
    },
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": {
      items: [buildCrd(20), ...listDefaultItems(CRDS, true)],
    },
    [OPERATOR]: buildOperator(),
    "/apis/example.com/v1/logins": {
      items: [{ apiVersion: "example.com/v1", kind: "Login", metadata: { name: "a" }, spec: { password } }],
    },
  };
}

const folder = createTemporaryFolder();
const servers: FaultServer[] = [];
before(async () => {
  await mkdir(join(folder, "crds"));
  await writeFile(join(folder, "crds", "logins.json"), JSON.stringify(buildCrd(10)));
});
after(async () => {
  for (const server of servers) server.close();
});

/** Records a cluster that holds one login, and returns what is printed and the recording. */
async function record(name: string, password: string): Promise<{ readonly err: string; readonly text: string }> {
  const cluster = join(folder, `${name}.json`);
  await writeFile(cluster, JSON.stringify(buildCluster(password)));
  const server = await startFaultServer(cluster, { isStruck: () => false, fault: () => {}, times: 0 });
  servers.push(server);
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  await writeFile(kubeconfig, buildKubeconfig(server.url));
  const output = join(folder, name);
  const args = ["--kubeconfig", kubeconfig, "--crds", join(folder, "crds"), "--dest-dir", output];
  const { code, err } = await runPreflight(["record", ...args]);
  assert.equal(code, 0, err);
  return { err, text: await readFile(join(output, "cluster.json"), "utf8") };
}

function buildKubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "a",
    clusters: [{ name: "a", cluster: { server } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    users: [{ name: "a", user: {} }],
  });
}

test("record says nothing more if the recording has the cluster's result", async () => {
  const { err, text } = await record("same", "hunter2");
  assert.match(err, /^Recorded \d+ reads? in \S+\. Review the folder before you share it\.\n$/);
  assert.doesNotMatch(text, /hunter2/);
});

test("record names each check whose result a redacted value decides", async () => {
  const { err, text } = await record("different", "hunter2-too-long");
  assert.match(
    err,
    /\nOn the recording, the result of crd-skew differs from the cluster's: a redacted value decides it\.\n$/,
  );
  assert.doesNotMatch(text, /hunter2/);
});

test("verdicts differ by outcome, object, path and reason, and not by texts", () => {
  const finding = (message: string, path = "spec") => ({
    risk: "R",
    object: { apiVersion: "v1", kind: "Node", name: "n" },
    path,
    message,
  });
  const unknown = (reason: Unknown["reason"], message: string) => ({
    kind: "unknown" as const,
    findings: [],
    notices: [],
    unknowns: [{ reason, where: "nodes", message }],
  });
  const compare = (one: CheckReport["outcome"], other: CheckReport["outcome"]) =>
    listDifferentVerdicts(buildReport(one), buildReport(other));
  const risk = (message: string, path?: string) => ({
    kind: "risk" as const,
    findings: [finding(message, path)],
    notices: [],
  });
  assert.deepEqual(compare(risk("a"), risk("b")), []);
  assert.deepEqual(compare(risk("a"), risk("a", "status")), ["one"]);
  assert.deepEqual(compare(risk("a"), { kind: "clear", notices: [] }), ["one"]);
  assert.deepEqual(compare(unknown("Forbidden", "a"), unknown("Forbidden", "b")), []);
  assert.deepEqual(compare(unknown("Forbidden", "a"), unknown("TimedOut", "a")), ["one"]);
});

function buildReport(outcome: CheckReport["outcome"]): Report {
  return {
    source: version("5.0.3"),
    target: version("5.1.0"),
    digest: "",
    observedAt: new Date(0),
    checks: [{ id: "one", name: "One", title: "", outcome }],
    risks: [],
    unseen: [],
    coverage: { kinds: 0, objects: 0, bytes: 0 },
  };
}
