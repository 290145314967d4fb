import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isObject } from "../../../../src/model/json.ts";
import { type SimulatedFleet, startFleet } from "../../../../verify/fleet/clusters.ts";
import { buildSiteCheck } from "../../../support/cli/site-check.ts";
import { readRecording } from "../../../../verify/fleet/recorded-cluster.ts";
import { runPreflight, spawnPreflight, startPreflight } from "../../../../verify/shared/preflight.ts";
import { eventually } from "../../../../verify/shared/eventually.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { nightly, sampleEach } from "../../../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
/** Of each kind one, and the first kind once more. */
const HEALTHY = 5;
const folder = createTemporaryFolder();
let fleet: SimulatedFleet | undefined;

before(async () => {
  fleet = await startFleet(folder, HEALTHY, readRecording("demo/cluster.json"));
});
after(async () => {
  fleet?.close();
});

const select = (...names: readonly string[]): string =>
  names.map((name) => join(fleet?.kubeconfigs ?? "", name)).join(",");
const TARGET = ["--target", "demo/release"];

type RunArgs = readonly [results: string, kubeconfig: string, ...args: readonly string[]];

function buildArgs(...[results, kubeconfig, ...args]: RunArgs): readonly string[] {
  return ["fleet", ...TARGET, "--results", join(folder, results), "--kubeconfig", kubeconfig, ...args];
}

function run(...args: RunArgs) {
  return runPreflight(buildArgs(...args));
}

/** With processes, for a cluster that ends its own. */
function spawnRun(...args: RunArgs) {
  return spawnPreflight(buildArgs(...args));
}

type Cluster = { readonly name: string; readonly verdict: string; readonly problem?: Record<string, string> };

function parseClusters(text: string): ReadonlyMap<string, Cluster> {
  const value = JSON.parse(text);
  assert.equal(value.format, "preflight-fleet-v1-json");
  return new Map(value.clusters.map((cluster: Cluster) => [cluster.name, cluster]));
}

/** What each failing cluster is shown as. */
const FAULTS: readonly (readonly [name: string, reason: string, message: RegExp])[] = [
  ["wrong-password", "Unauthorized", /refused the credentials: .* Log in again/],
  ["expired-certificate", "ClusterUnreachable", /its certificate has expired/],
  ["unknown-ca", "ClusterUnreachable", /its certificate is not trusted .* check certificate-authority/],
  ["connection-refused", "ClusterUnreachable", /refused the connection/],
  ["connection-reset", "ClusterUnreachable", /cut the connection/],
  ["hanging", "ClusterUnreachable", /nothing arrived for/],
  ["dns", "ClusterUnreachable", /its name was not found/],
  ["forbidden", "ClusterVersionUnreadable", /answers 403/],
  ["server-error", "ClusterVersionUnreadable", /answers 500/],
  ["throttled", "ClusterVersionUnreadable|ClusterUnreachable", /answers 429|nothing arrived for/],
  ["truncated-json", "ClusterVersionUnreadable", /something other than a Kubernetes object/],
  ["login-page", "ClusterVersionUnreadable", /something other than a Kubernetes object/],
  ["not-kubernetes", "ClusterVersionUnreadable", /not by a Kubernetes API server/],
  ["not-a-kubeconfig", "KubeconfigUnreadable", /is not YAML/],
  ["missing-cluster", "KubeconfigUnreadable", /names the cluster gone, which does not exist/],
  ["no-context", "KubeconfigUnreadable", /has no context/],
  ["exec-missing", "Unauthorized", /the credential plugin \S+ is not installed/],
  ["exec-failing", "Unauthorized", /the credential plugin \S+ failed: login expired/],
  ["empty-clusterversion", "InvalidVersion", /wait until the installation is complete/],
  ["too-large", "ClusterVersionUnreadable", /has more than 8 MiB/],
  ["out-of-memory", "OutOfMemory", /was killed \(SIGKILL\)/],
  ["redirect", "ClusterVersionUnreadable", /was redirected \(302\)/],
];

test("every failing cluster is shown as what it is, and fails no other", async () => {
  const { code, out } = await spawnRun(
    "faults",
    fleet?.kubeconfigs ?? "",
    "--check-timeout",
    "30s",
    "-o",
    "json",
    "--parallel",
    "4",
  );
  assert.equal(code, 3);
  const clusters = parseClusters(out);
  for (const [fault, reason, message] of FAULTS) {
    const cluster = clusters.get(`fault-${fault}`);
    assert.equal(cluster?.verdict, "failed", fault);
    assert.match(cluster?.problem?.["reason"] ?? "", new RegExp(`^(?:${reason})$`), fault);
    assert.match(cluster?.problem?.["message"] ?? "", message, fault);
  }
  assert.equal(clusters.get("fault-version-too-old")?.problem?.["reason"], "SeveralUpdates");
  assert.equal(clusters.size, HEALTHY + FAULTS.length + 1);
  const healthy = [...clusters.values()].filter(({ name }) => name.startsWith("cluster-"));
  assert.deepEqual(
    Object.fromEntries([...Map.groupBy(healthy, ({ verdict }) => verdict)].map(([v, own]) => [v, own.length])),
    {
      risk: 2,
      incomplete: 1,
      clear: 2,
    },
  );
});

test("results that are young enough are used again, others are not", async () => {
  const two = select("cluster-0001", "cluster-0005");
  const first = await run("again", two, "-o", "json");
  assert.deepEqual([first.code, first.err], [0, ""]);
  await rm(join(folder, "again", "cluster-0005.json"));
  const before = await readFile(join(folder, "again", "cluster-0001.json"), "utf8");
  const second = await run("again", two, "-o", "json");
  assert.match(second.err, /^preflight: 1 result of 2 is not older than 1 hour and used again/);
  assert.equal(await readFile(join(folder, "again", "cluster-0001.json"), "utf8"), before);
  for (const flags of [
    ["--promql", "route"],
    ["--checks-from", "payload,operators"],
    ["--skip", "etcd-health"],
  ]) {
    const other = await run("again", select("cluster-0001"), "-o", "json", ...flags);
    assert.equal(other.err, "", "another request is not answered by the results of the first");
  }
  const last = ["--max-age", "0", "--skip", "etcd-health"];
  assert.equal((await run("again", select("cluster-0001"), ...last)).err, "");
});

test("results in a folder that nobody named are not used again", { skip: nightly }, async () => {
  const cwd = join(folder, "checkout");
  await mkdir(cwd);
  const args = ["fleet", "--target", join(ROOT, "demo/release"), "--kubeconfig", select("cluster-0001"), "-o", "json"];
  const file = join(cwd, "preflight-fleet", "cluster-0001.json");
  await runPreflight(args, {}, { cwd });
  const { mtimeNs } = await stat(file, { bigint: true });
  const again = await runPreflight(args, {}, { cwd });
  assert.equal(again.err, "");
  assert.notEqual((await stat(file, { bigint: true })).mtimeNs, mtimeNs, "it is written anew");
  const named = await runPreflight([...args, "--results", "preflight-fleet"], {}, { cwd });
  assert.match(named.err, /^preflight: 1 result of 1 is not older than 1 hour and used again/);
});

test(
  "an administrator's checks run on every cluster, and results of other ones are not used again",
  { skip: nightly },
  async () => {
    const file = join(folder, "nodes.yaml");
    const both = select("cluster-0001", "cluster-0005");
    const runOwn = () => run("own", both, "--checks", file, "--only", "site-frozen-nodes", "-o", "json");
    await writeFile(file, buildSiteCheck("frozen-nodes", ""));
    const first = await runOwn();
    assert.deepEqual([first.code, first.err], [3, ""]);
    for (const name of ["cluster-0001", "cluster-0005"])
      assert.equal(parseClusters(first.out).get(name)?.verdict, "risk", name);
    assert.match((await runOwn()).err, /^preflight: 2 results of 2 are not older/);
    await writeFile(file, buildSiteCheck("frozen-nodes", "nobody"));
    const edited = await runOwn();
    assert.deepEqual([edited.code, edited.err], [4, ""]);
    await writeFile(file, buildSiteCheck("frozen-nodes").replace("remediation:", "remedation:"));
    const faulty = await run("own", both, "--checks", file, "-o", "json");
    assert.equal(faulty.err.match(/remedation is not a field/g)?.length, 1);
    assert.match(faulty.out, /SiteFrozenNodesUnknown/);
  },
);

test("results are not written through a link that nobody named", async () => {
  const cwd = join(folder, "linked");
  const other = join(folder, "other");
  for (const path of [cwd, other]) await mkdir(path);
  await symlink(other, join(cwd, "preflight-fleet"));
  const args = ["fleet", "--target", join(ROOT, "demo/release"), "--kubeconfig", select("cluster-0001")];
  const { code, err } = await runPreflight(args, {}, { cwd });
  assert.equal(code, 1);
  assert.equal(err, "preflight: preflight-fleet is a symbolic link: name the folder for the results with --results\n");
  assert.deepEqual(await readdir(other), []);
});

test("a run that is stopped goes on with the rest", { skip: nightly }, async () => {
  const all = select(...Array.from({ length: HEALTHY }, (_, i) => `cluster-000${i + 1}`), "fault-hanging");
  const args = ["--results", join(folder, "stopped"), "--kubeconfig", all, "--parallel", "1"];
  const first = startPreflight(["fleet", "--target", "demo/release", ...args]);
  await eventually(async () => assert.ok((await listResults("stopped")).length >= 2));
  first.kill("SIGTERM");
  const { code, err } = await first.result;
  assert.equal(code, 143);
  assert.match(err, /stopped by SIGTERM: run the same command again to go on with the rest\n$/);
  const written = await listResults("stopped");
  assert.ok(written.length < HEALTHY + 1);
  for (const name of written) assert.ok(isObject(JSON.parse(await readFile(join(folder, "stopped", name), "utf8"))));
  const second = await spawnRun("stopped", all, "--check-timeout", "2s", "-o", "json");
  assert.match(second.err, new RegExp(`^preflight: ${written.length} results? of ${HEALTHY + 1} `));
  assert.equal(parseClusters(second.out).size, HEALTHY + 1);
});

async function listResults(name: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, name)).catch(() => []);
  return names.filter((one) => one.endsWith(".json") && !one.startsWith("."));
}

test("a cluster that takes too long is ended, and the others go on", async () => {
  const some = select("cluster-0001", "fault-hanging", "cluster-0005");
  const args = ["--cluster-timeout", "20s", "--parallel", "1", "-o", "json"];
  const clusters = parseClusters((await spawnRun("late", some, ...args)).out);
  assert.equal(clusters.get("fault-hanging")?.problem?.["reason"], "CycleTimedOut");
  assert.equal(clusters.get("cluster-0005")?.verdict, "clear");
});

test("the results of a run, and documents, can be shown without reading a cluster", async () => {
  const written = join(folder, "written");
  await mkdir(written);
  const live = await run("live", select("cluster-0001", "cluster-0004"), "-o", "json");
  const shown = await runPreflight(["fleet", "--from", join(folder, "live"), "-o", "json"]);
  assert.equal(shown.code, 3);
  assert.deepEqual(parseClusters(shown.out), parseClusters(live.out));
  const document = await runPreflight([
    "check",
    "--recorded",
    "demo",
    ...TARGET.slice(0, 2),
    "-o",
    "preflight-v1-json",
  ]);
  await writeFile(join(written, "west%2Fone.json"), document.out);
  await writeFile(join(written, "east.json"), "<html>");
  const maps = { kind: "List", items: [{ kind: "ConfigMap", data: { "north.json": document.out, other: "x" } }] };
  await writeFile(join(written, "maps.json"), JSON.stringify(maps));
  const { out } = await runPreflight(["fleet", "--from", written, "-o", "json"]);
  assert.deepEqual(
    [...parseClusters(out)].map(([name, { verdict }]) => [name, verdict]),
    [
      ["north", "risk"],
      ["west/one", "risk"],
      ["east", "invalid"],
    ],
  );
  const page = join(folder, "fleet.html");
  const both = await runPreflight(["fleet", "--from", written, "-o", `html=${page}`]);
  assert.match(both.out, /^3 clusters: 2 with risks, 1 with an invalid result\n/);
  assert.match(await readFile(page, "utf8"), /^<!doctype html>/);
  const stale = await runPreflight(["fleet", "--from", written, "--max-age", "0", "-o", "csv"]);
  assert.equal(stale.code, 4, "a stale result is not a current risk");
  assert.match(stale.out, /^north,stale,/m);
});

test("the page of a fleet leads to the page of each cluster that has one", { skip: nightly }, async () => {
  const page = join(folder, "pages", "fleet page.html");
  const names = ["cluster-0004", "fault-forbidden"];
  const findLinks = async (): Promise<readonly string[]> => {
    const text = await readFile(page, "utf8");
    return [...text.matchAll(/<th scope="row"><a href="([^"]+)"/g)].map(([, link = ""]) => link);
  };
  await run("page results", select(...names), "-o", `html=${page}`, "--accept", "CrdServedVersionRemoved");
  const links = ["../page%20results/cluster-0004.html"];
  assert.deepEqual(await findLinks(), links);
  const file = join(folder, "page results", "cluster-0004.html");
  const own = await readFile(file, "utf8");
  assert.match(own, /<section id="accepted"[^]*CrdServedVersionRemoved/);
  await runPreflight(["fleet", "--from", join(folder, "page results"), "-o", `html=${page}`]);
  assert.deepEqual(await findLinks(), links, "as it is beside the result");
  await writeFile(file, own.replace(/datetime="\d+/, 'datetime="1999'));
  await runPreflight(["fleet", "--from", join(folder, "page results"), "-o", `html=${page}`]);
  assert.deepEqual(await findLinks(), [], "it is of another result");
});

test("contexts are selected by name, and those with the same server and user count once", async () => {
  const file = join(folder, "contexts");
  const server = JSON.parse(await readFile(select("cluster-0001"), "utf8")).clusters[0].cluster;
  const contexts = ["shop/prod", "bank/prod", "prod-2", "lab"].map((name) => ({
    name,
    context: { cluster: name === "lab" ? "lab" : "prod", user: name === "prod-2" ? "other" : "admin" },
  }));
  const users = ["admin", "other"].map((name) => ({ name, user: { token: "token" } }));
  const clusters = ["prod", "lab"].map((name) => ({
    name,
    cluster: { server: `${server.server}${name === "lab" ? "0" : ""}` },
  }));
  await writeFile(file, JSON.stringify({ contexts, users, clusters, "current-context": "shop/prod" }));
  const names = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { out } = await run(
      `contexts-${args.join("").replaceAll(/\W/g, "")}`,
      file,
      "--only",
      "etcd-health",
      ...args,
      "-o",
      "json",
    );
    return [...parseClusters(out).keys()].toSorted();
  };
  assert.deepEqual(await names(), ["contexts/lab", "contexts/prod-2", "contexts/shop/prod"]);
  assert.deepEqual(await names("--context", "*prod"), ["contexts/bank/prod", "contexts/shop/prod"]);
  for (const contexts of ["prdo-*", "lab,prdo-*", "lab,prdo-2"]) {
    const { code, err, out } = await run("none", file, "--context", contexts);
    assert.deepEqual([code, out], [2, ""], contexts);
    assert.match(
      err,
      /^preflight: no context matches --context "prdo-[*2]" \(nearest: prod-2\): the kubeconfigs have .*lab.*\n$/,
    );
  }
  const { code, out } = await run("broken", `${file},${select("fault-no-context.yaml")}`, "--context", "prdo-*");
  assert.equal(code, 4, "a kubeconfig that can't be used may have it");
  assert.match(out, /^prdo-\* +- +- +failed$/m);
  assert.equal((await run("share", file, "--context", "lab", "--share", "1/2")).code, 4);
});

test("every folder and every file has to name a cluster, also beside others that do", async () => {
  const empty = join(folder, "empty");
  const none = join(folder, "no-context");
  await mkdir(empty);
  await writeFile(none, "{apiVersion: v1, kind: Config, current-context: a}");
  const beside = await run("beside", `${select("cluster-0001")},${empty}`);
  assert.deepEqual([beside.code, beside.out], [1, ""]);
  assert.match(beside.err, /empty has no kubeconfig: name other files or folders\n$/);
  const config = await runPreflight(["fleet", ...TARGET], { KUBECONFIG: none });
  assert.deepEqual([config.code, config.out], [1, ""]);
  assert.match(config.err, /no-context has no context: add one/);
  await run("one", select("cluster-0001"));
  const written = await runPreflight(["fleet", "--from", `${join(folder, "one")},${empty}`]);
  assert.deepEqual([written.code, written.out], [1, ""]);
  assert.match(written.err, /empty has no result/);
});

/** Their clusters run 4.17.20 and one has risks. */
const ARRIVED: readonly (readonly [title: string, args: readonly string[]])[] = [
  ["a version", ["--target-version", "4.17.20"]],
  ["the release that it runs", ["--to", "4.17.20", "--graph", "GRAPH"]],
  ["its minor, which has no later release", ["--to", "4.17", "--graph", "GRAPH"]],
];
for (const [title, args] of sampleEach(ARRIVED, 2)) {
  test(`clusters that run the target already are counted apart: ${title}`, async () => {
    const graph = join(folder, "graph.json");
    const results = join(folder, `arrived-${args[1]}-${args.length}`);
    await writeFile(graph, JSON.stringify({ version: 1, nodes: [], edges: [], conditionalEdges: [] }));
    const flags = args.map((arg) => (arg === "GRAPH" ? graph : arg));
    const two = ["--results", results, "--kubeconfig", select("cluster-0001", "cluster-0004")];
    const { code, out, err } = await runPreflight(["fleet", ...flags, ...two]);
    assert.equal(code, 0, err);
    assert.match(out, /: 2 already updated\n\nRun the target already \(2\)\n {2}cluster-0001, cluster-0004\n$/);
    const shown = await runPreflight(["fleet", "--from", results, "-o", "json"]);
    assert.equal(shown.code, 0);
    assert.deepEqual(
      [...parseClusters(shown.out).values()].map(({ verdict }) => verdict),
      ["updated", "updated"],
    );
  });
}

const REFUSED: readonly (readonly [title: string, args: readonly string[], fault: RegExp])[] = [
  ["no target", [], /no target release was given: name it with --to VERSION/],
  ["a target that is no version", ["--to", "next"], /--to "next" is not a version/],
  ["a number of clusters", ["--to", "4.20", "--parallel", "0"], /--parallel must be a whole number from 1 to 64/],
  ["an unknown check", ["--to", "4.20", "--only", "drain"], /no check has the id "drain"/],
];
for (const [title, args, fault] of sampleEach(REFUSED, 3)) {
  test(`wrong usage is found before a cluster is read: ${title}`, async () => {
    const { code, err } = await runPreflight(["fleet", "--kubeconfig", select("cluster-0001"), ...args]);
    assert.equal(code, 2);
    assert.match(err, fault);
  });
}

test("two targets are wrong usage once, and not a failure of every cluster", async () => {
  const args = ["--to", "4.20", "--target", folder, "--results", join(folder, "none")];
  const { code, err } = await runPreflight(["fleet", ...args, "--kubeconfig", fleet?.kubeconfigs ?? ""]);
  assert.equal(code, 2);
  assert.match(err, /^preflight: --to names the target release: remove --target$/m);
});

test("a target that can't be read fails the command once, and writes no result", async () => {
  const args = ["--target", folder, "--results", join(folder, "none"), "--kubeconfig", fleet?.kubeconfigs ?? ""];
  const { code, err } = await runPreflight(["fleet", ...args]);
  assert.equal(code, 1);
  assert.equal(
    err
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("preflight:")).length,
    1,
    err,
  );
});
