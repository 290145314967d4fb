import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { buildGraphJson } from "../../../../verify/fuzz/graph-sample.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const AVAILABLE = [
  { version: "4.17.30", image: "registry.example.com/release@sha256:1", channels: ["stable-4.17"] },
  { version: "4.18.2", image: "registry.example.com/release@sha256:2", channels: ["stable-4.18"] },
];
const CONDITIONAL = {
  release: { version: "4.18.6", image: "registry.example.com/release@sha256:3" },
  risks: [{ name: "ExampleRisk", message: "Pods may restart.", url: "https://example.com/risk" }],
  conditions: [{ type: "Recommended", status: "False" }],
};
/** Few checks, and only such as need no manifests. */
const ONLY = ["--only", "drain-blocked,kubelet-skew,etcd-health"];

const folder = createTemporaryFolder();
let service: Server | undefined;
let address = "";
const requests: string[] = [];

before(async () => {
  const cluster = JSON.parse(await readFile("demo/cluster.json", "utf8"));
  const version = cluster[CLUSTER_VERSION];
  version.status.availableUpdates = AVAILABLE;
  version.status.conditionalUpdates = [CONDITIONAL];
  await mkdir(join(folder, "cluster"));
  service = createServer((request, response) => {
    requests.push(request.url ?? "");
    const channel = new URL(request.url ?? "", "http://localhost").searchParams.get("channel");
    const graph = channel === "stable-4.19" ? GRAPH_4_19 : GRAPH_4_17;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(graph));
  });
  await new Promise<void>((resolve) => void service?.listen(0, "127.0.0.1", resolve));
  const bound = service.address();
  address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/graph`;
  version.spec.upstream = address;
  await writeFile(join(folder, "cluster", "cluster.json"), JSON.stringify(cluster));
  for (const text of ["4.18.2", "4.18.6", "4.19.4"]) await writeRelease(text);
});
after(async () => {
  service?.close();
});

const GRAPH_4_17 = buildGraphJson([["4.17.20", "4.17.30"]]);
const GRAPH_4_19 = buildGraphJson([["4.18.2", "4.19.4"]], [["4.18.2", "4.19.5"]], { "4.19.4": "stable-4.19" });

const writeRelease = (text: string): Promise<void> => writeDemoRelease(join(folder, text), text);

const run = (command: string, ...args: readonly string[]) =>
  runPreflight([command, "--recorded", join(folder, "cluster"), ...ONLY, ...args]);

const release = (...texts: readonly string[]) => texts.flatMap((text) => ["--release", join(folder, text)]);

test("a check over a minor exits with 4 even if nothing was found", async () => {
  const args = ["--target-version", "4.19.4", "--only", "etcd-health"];
  const accept = ["--accept", "PreflightChecksLeftOut"];
  const { code, out } = await runPreflight(["check", "--recorded", join(folder, "cluster"), ...args, ...accept]);
  assert.equal(code, 4, out);
  assert.match(out, /the releases on the way: 4\.18 lies between 4\.17\.20 and 4\.19\.4: this is\s+several updates/);
  const { code: narrowed } = await run("check", ...args.slice(0, 2), "--only", "etcd-health", "--fail-on", "risk");
  assert.equal(narrowed, 3);
});

const REFUSED: readonly (readonly [title: string, args: readonly string[], fault: RegExp])[] = [
  ["an unknown form", ["--to", "next"], /--to "next" is not a version: use a form such as 4\.20\.8, 4\.20 or latest/],
  [
    "a release that nobody offers",
    ["--to", "4.18.99"],
    /no updates lead from 4\.17\.20 to 4\.18\.99 .* recommends 4\.18\.2 and 4\.17\.30, and offers 4\.18\.6 with conditions/,
  ],
  ["a version of Kubernetes", ["--to", "v1.36"], /use --target-version v1\.36/],
  ["a target given twice", ["--to", "4.18.2", "--target", "demo/release"], /remove --target\n/],
  ["an address of another kind", ["--to", "4.19", "--graph", "ftp://localhost/graph"], /neither a file nor an http/],
];
for (const [title, args, fault] of REFUSED) {
  test(`check refuses ${title} with exit code 2`, async () => {
    const { code, out, err } = await run("check", ...args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, fault);
  });
}

test("a graph that can't be read or understood is a failure that names it", async () => {
  const closed = "http://127.0.0.1:1/graph";
  const unreachable = await run("check", "--to", "4.19", "--graph", closed);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.err, /^preflight: reading the update graph from http:\/\/127\.0\.0\.1:1\/graph: /);
  const file = join(folder, "graph.html");
  await writeFile(file, "<html>");
  const invalid = await run("check", "--to", "4.19", "--graph", file);
  assert.equal(invalid.code, 1);
  assert.match(invalid.err, /graph\.html is not an update graph: it is not a JSON object; name/);
});

test("plan follows the graph and checks each step with its own release", async () => {
  const { out, code } = await run(
    "plan",
    "--to",
    "4.19",
    "--graph",
    address,
    ...release("4.18.2", "4.19.4"),
    "-o",
    "wide",
  );
  assert.equal(code, 3, out);
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.19\.4: 2 updates, 1 risk, not complete\n/);
  assert.match(
    out,
    / {2}1 {2}4\.17\.20 -> 4\.18\.2, recommended, channel stable-4\.18\n {2}2 {2}4\.18\.2 -> 4\.19\.4, recommended, channel\s+stable-4\.19/,
  );
  assert.match(
    out,
    /Step 1: .*\n\n {2}To do before step 1:\n\nThe update gets stuck\n\n {2}DrainBlockedByDisruptionBudget\n/,
  );
  assert.match(
    out,
    /Step 2: .*\n\n {2}0 checks found no other risk for this step\.\n\n {2}Already to do before step 1, and for 4\.19\.4 too:\s+DrainBlockedByDisruptionBudget\./,
  );
  assert.match(out, /Seen once step 1 is done\n\n {2}etcd-health: .*\n {2}kubelet-skew: /);
});

test("plan with folders reads no graph, and follows the rule that no update skips a minor", async () => {
  requests.length = 0;
  const { out, code } = await run("plan", "--to", "4.19", ...release("4.18.2", "4.19.4"), "-o", "json");
  const json = JSON.parse(out);
  assert.equal(code, 3);
  assert.deepEqual(requests, []);
  assert.deepEqual([json.basis, json.complete], ["rule", false], "checks were left out");
  const targets = json.steps.map((step: { readonly targetVersion: string }) => step.targetVersion);
  assert.deepEqual(targets, ["4.18.2", "4.19.4"]);
});

test("plan is not complete without a release of the minor between", async () => {
  const accept = ["--accept", "DrainBlockedByDisruptionBudget,PreflightChecksLeftOut"];
  const whole = await run("plan", "--to", "4.20", ...release("4.18.2", "4.19.4"), ...accept, "-o", "wide");
  assert.equal(whole.code, 4);
  assert.match(
    whole.out,
    /Step 3: 4\.19\.4 -> 4\.20\n\n {2}This update was not checked: no release of 4\.20 is at hand/,
  );
  const narrowed = await run("plan", "--to", "4.19", ...release("4.18.2", "4.19.4"), ...accept);
  assert.equal(narrowed.code, 0, narrowed.out);
});

test("plan of one update that ClusterVersion lists needs no graph", async () => {
  requests.length = 0;
  const { out } = await run("plan", "--to", "4.18.6", ...release("4.18.6"), "-o", "wide");
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 1 update, 1 risk/);
  assert.match(
    out,
    /Route, as ClusterVersion offers it:\n\n {2}1 {2}4\.17\.20 -> 4\.18\.6, with conditions \(ExampleRisk\)\n/,
  );
  assert.deepEqual(requests, []);
});

test("a folder's release comes before the one of its minor that ClusterVersion lists", async () => {
  const { out } = await run("plan", "--to", "4.18", ...release("4.18.6"));
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 1 update/);
  const listed = await run("plan", "--to", "4.18", ...release("4.18.2", "4.18.6"));
  assert.match(listed.out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.2: 1 update/);
});

test("two folders of one release, or a folder without a version, are refused", async () => {
  const twice = await run("plan", "--to", "4.19", ...release("4.18.2", "4.18.2"));
  assert.deepEqual([twice.code, twice.out], [2, ""]);
  assert.match(twice.err, /both have 4\.18\.2\n$/);
  const none = await run("plan", "--to", "4.19", "--release", join(folder, "cluster"));
  assert.equal(none.code, 1);
});

test("plan of Kubernetes follows the minors, and needs no folders", async () => {
  const notServed = { error: "404 not found", what: "resource" };
  const cluster = {
    [CLUSTER_VERSION]: notServed,
    "/apis/config.openshift.io/v1/featuregates/cluster": notServed,
    "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator": notServed,
    "/version": { major: "1", minor: "31", gitVersion: "v1.31.4-gke.1036000" },
    "/apis": { kind: "APIGroupList", groups: [{ versions: [{ groupVersion: "flowcontrol.apiserver.k8s.io/v1" }] }] },
    "/metrics": {
      lines: [
        "# TYPE apiserver_request_total counter",
        'apiserver_requested_deprecated_apis{group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"} 1',
      ],
    },
  };
  const path = join(folder, "kubernetes");
  await mkdir(path);
  await writeFile(join(path, "cluster.json"), JSON.stringify(cluster));
  const { code, out, err } = await runPreflight([
    "plan",
    "--recorded",
    path,
    "--to",
    "v1.33",
    "--only",
    "removed-apis",
    "-o",
    "json",
  ]);
  assert.equal(err, "");
  const { basis, steps, targetVersion } = JSON.parse(out);
  assert.deepEqual([code, basis, targetVersion], [3, "rule", "1.33"]);
  const getRisks = ({ result }: { readonly result: { readonly risks: readonly { readonly name: string }[] } }) =>
    result.risks.map(({ name }) => name);
  assert.deepEqual(steps.map(getRisks), [
    ["PreflightChecksLeftOut", "RemovedKubernetesAPIInUse"],
    ["PreflightChecksLeftOut"],
  ]);
});

test("plan of OpenShift's versions on Kubernetes is refused in one line", async () => {
  const { code, out, err } = await runPreflight(["plan", "--recorded", join(folder, "kubernetes"), "--to", "4.20"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /has no ClusterVersion, so it is Kubernetes without OpenShift: use --to v1\.36\n$/);
});
