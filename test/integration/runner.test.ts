import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { load } from "js-yaml";
import {
  type ControlPlane,
  createPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { patchObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { runCheck } from "../support/check-run.ts";
import { runPreflight, startPreflight } from "../../verify/shared/preflight.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { findFreePort } from "../../verify/shared/free-port.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const SOURCE = "4.18";
const TARGET = "4.20.3";
const ACCOUNT = "system:serviceaccount:openshift-cluster-version:preflight";
const NODES = "/apis/config.openshift.io/v1/nodes/cluster";
const KUBECTL_NAMESPACE = ["-n", "openshift-cluster-version"];

describe("the runner on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  const folder = createTemporaryFolder();
  let target: string;
  let limited: string;

  before(async () => {
    target = await createPayload(join(folder, "target"), "4.20", TARGET);
    cluster = await startCluster(SOURCE, "--network", "dual");
    limited = join(folder, "account.kubeconfig");
    await writeFile(limited, await createAccount(cluster, "openshift-cluster-version", "preflight"));
    await bind(await role());
  });
  after(async () => {
    await cluster?.down();
  });

  async function role(): Promise<Role> {
    const printed = await runPreflight(["rbac", "--target", target]);
    assert.equal(printed.code, 0, printed.err);
    return parseRole(load(printed.out));
  }

  async function bind(given: Role): Promise<void> {
    const binding = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "preflight" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: given.metadata.name },
      subjects: [{ kind: "ServiceAccount", name: "preflight", namespace: "openshift-cluster-version" }],
    };
    await applyObjects(cluster, [JSON.parse(JSON.stringify(given)), binding]);
  }

  const cycle = (...more: readonly string[]) => [
    "--format=preflight-v1-json",
    "--target",
    target,
    "--kubeconfig",
    limited,
    ...more,
  ];

  test("needs only the rights that rbac --target prints, and sends only get and list", async () => {
    await eventually(async () => {
      const result = await runCheck(["--target", target, "--kubeconfig", limited]);
      assert.deepEqual(result.unknowns, []);
    });
    const lines = (await cluster.audit()).filter((line) => line.user === ACCOUNT);
    assert.ok(lines.length > 10);
    assert.deepEqual([...new Set(lines.map((line) => line.verb))].toSorted(), ["get", "list"]);
    assert.deepEqual(
      lines.filter((line) => line.uri.includes("/secrets")),
      [],
    );
  });

  test("lists each kind and gets each object once a cycle, however many checks use it, and gets no Secret", async () => {
    const before = (await cluster.audit()).length;
    const result = await runCheck(["--target", target, "--kubeconfig", limited]);
    assert.ok(Object.values(result.outcomes).filter((outcome) => outcome !== "notApplicable").length > 20);
    await eventually(async () => {
      const lines = (await cluster.audit()).slice(before).filter((line) => line.user === ACCOUNT);
      assert.deepEqual([...new Set(lines.map((line) => line.verb))].toSorted(), ["get", "list"]);
      const firsts = lines.filter((line) => !line.uri.includes("continue="));
      const lists = firsts.filter((line) => line.verb === "list").map((line) => parseKind(line.uri));
      assert.ok(lists.length > 30, `only ${lists.length} lists`);
      assert.deepEqual(findDuplicates(lists), []);
      assert.deepEqual(findDuplicates(lines.filter((line) => line.verb === "get").map((line) => line.uri)), []);
      assert.ok(!lists.includes("/secrets"));
    });
  });

  test("reports unknown, and what could not be read, if one rule is missing", async () => {
    const whole = await role();
    const without = whole.rules.map((rule) => ({
      ...rule,
      ...(rule.resources ? { resources: rule.resources.filter((name) => name !== "apirequestcounts") } : {}),
    }));
    await bind({ ...whole, rules: without.filter((rule) => rule.resources?.length !== 0) });
    await eventually(async () => {
      const result = await runCheck(["--target", target, "--kubeconfig", limited]);
      const who = ["crd-skew", "removed-apis"];
      assert.deepEqual(
        result.unknowns,
        who.map((id) => `${id} Forbidden apirequestcounts.apiserver.openshift.io`),
      );
      const alone = await runCheck(["--target", target, "--kubeconfig", limited, "--only", "crd-skew"]);
      assert.deepEqual(alone.unknowns, ["crd-skew Forbidden apirequestcounts.apiserver.openshift.io"]);
    });
    await bind(whole);
  });

  test("--interval 0 prints one valid document and exits with 0", async () => {
    const ended = await runPreflight(cycle("--interval", "0"));
    assert.equal(ended.code, 0, ended.err);
    const file = join(folder, "printed.json");
    await writeFile(file, ended.out);
    assert.equal((await runPreflight(["validate", file])).code, 0);
    assert.equal(JSON.parse(ended.out).executionStatus, "completed");
  });

  test("loops, keeps the document current, serves its state, and on SIGTERM exits with 0 and leaves the document in place", async () => {
    const output = join(folder, "shared", ".preflight", "preflight-v1.json");
    const port = await findFreePort();
    const running = startPreflight(cycle("--interval", "1s", "--document", output, "--listen", `127.0.0.1:${port}`));
    const document = async () => JSON.parse(await readFile(output, "utf8"));
    await eventually(async () => assert.equal((await document()).executionStatus, "completed"));
    const first = await document();
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200));
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /^preflight_cycles_total\{result="completed"\} [1-9]/m);
    assert.match(metrics, /^preflight_check_outcome\{check="dual-stack",outcome="clear"\} 1$/m);
    assert.match(metrics, /^preflight_objects_read_total [1-9]/m);
    await patchObject(cluster, NODES, { spec: { cgroupMode: "v1" } });
    const named = async () => (await document()).risks.map((risk: { readonly name: string }) => risk.name);
    await eventually(async () => assert.ok((await named()).includes("CgroupV1Removed")));
    const since = (await document()).risks.find((risk: { readonly name: string }) => risk.name === "CgroupV1Removed");
    await eventually(async () => assert.notEqual((await document()).observedAt, first.observedAt));
    running.kill("SIGTERM");
    const ended = await running.result;
    assert.deepEqual([ended.code, ended.signal, ended.out], [0, null, ""]);
    for (const line of ended.err.trim().split("\n")) assert.equal(typeof JSON.parse(line).message, "string");
    assert.deepEqual(
      (await document()).risks.find((risk: { readonly name: string }) => risk.name === "CgroupV1Removed"),
      since,
    );
    await patchObject(cluster, NODES, { spec: { cgroupMode: "v2" } });
  });

  test("an unreachable cluster leaves the last risks in a failed document", async () => {
    const output = join(folder, "outage.json");
    await patchObject(cluster, NODES, { spec: { cgroupMode: "v1" } });
    assert.equal((await runPreflight(cycle("--interval", "0", "--document", output))).code, 0);
    const last = JSON.parse(await readFile(output, "utf8"));
    const nowhere = join(folder, "nowhere.kubeconfig");
    const port = await findFreePort();
    await writeFile(
      nowhere,
      (await readFile(limited, "utf8")).replace(/https:\/\/127\.0\.0\.1:\d+/, `https://127.0.0.1:${port}`),
    );
    const ended = await runPreflight([
      "--format=preflight-v1-json",
      "--target",
      target,
      "--kubeconfig",
      nowhere,
      "--interval",
      "0",
      "--document",
      output,
    ]);
    assert.equal(ended.code, 1);
    const failed = JSON.parse(await readFile(output, "utf8"));
    assert.equal(failed.executionStatus, "failed");
    assert.equal(failed.failure.reason, "ClusterUnreachable");
    assert.ok(last.risks.length > 0);
    assert.deepEqual(failed.risks, last.risks);
    assert.equal((await runPreflight(["validate", output])).code, 0);
  });

  test("an expired token is reported as such", async () => {
    const expired = join(folder, "expired.kubeconfig");
    await writeFile(expired, (await readFile(limited, "utf8")).replace(/"token":"[^"]+"/, '"token":"nonsense"'));
    const ended = await runPreflight(["check", "--target", target, "--kubeconfig", expired]);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^preflight: ClusterVersion version could not be read: .*\n$/);
  });

  test("the runner creates nothing in the account's namespace", async () => {
    const result = JSON.parse(
      await cluster.kubectl(["get", "configmaps,leases,events", ...KUBECTL_NAMESPACE, "-o", "json"]),
    );
    assert.deepEqual(result.items, []);
  });
});

/** The group and resource of a list's path, "config.openshift.io/nodes" for example, whatever the version and namespace. */
function parseKind(uri: string): string {
  const [, root, ...parts] = uri.replace(/\?.*/, "").split("/");
  return `${root === "apis" ? parts[0] : ""}/${parts.at(-1)}`;
}

function findDuplicates(texts: readonly string[]): readonly string[] {
  return texts.filter((text, i) => texts.indexOf(text) !== i);
}

type Role = {
  readonly metadata: { readonly name: string };
  readonly rules: readonly { readonly resources?: readonly string[] }[];
};

function parseRole(value: unknown): Role {
  const role: Role = JSON.parse(JSON.stringify(value));
  assert.ok(role.rules.length > 0);
  return role;
}
