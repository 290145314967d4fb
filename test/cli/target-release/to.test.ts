import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { buildKubeconfig } from "../../../verify/api-server/kubeconfig.ts";
import { buildImage, buildLayer, pushImage } from "../../support/image-builder.ts";
import { startFaultServer } from "../../../verify/reliability/fault-server.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import {
  createTestAuthority,
  createTestFolder,
  noRegistry,
  type Registry,
  startRegistry,
} from "../../support/registry.ts";
import { buildGraphJson } from "../../../verify/fuzz/graph-sample.ts";
import { readDemoRelease } from "../../support/cli/demo-release.ts";

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const RISK = { name: "ExampleRisk", message: "Pods may restart.", url: "https://example.com/risk" };

/** Pushes the demo's release as a version, and returns its pull spec at the registry that is mirrored. */
async function pushRelease({ push }: Registry, text: string): Promise<string> {
  const files = Object.entries(await readDemoRelease(text)).map(([name, content]) => [
    `release-manifests/${name}`,
    content,
  ]);
  const image = buildImage([await buildLayer(Object.fromEntries(files))]);
  await pushImage(push, "release", text, image);
  return `registry.example.com/release@${image.manifest.digest}`;
}

/** An update service that answers with the graph of the requested channel. */
async function startService(t: TestContext, graphs: Readonly<Record<string, object>>) {
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    requests.push(url);
    const graph = graphs[url.searchParams.get("channel") ?? ""] ?? { nodes: [], edges: [], conditionalEdges: [] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(graph));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/graph`;
  return { address, requests };
}

/** The demo's cluster with these updates in ClusterVersion, and with an update service. */
async function writeCluster(folder: string, upstream: string, images: Readonly<Record<string, string>>): Promise<void> {
  const cluster = JSON.parse(await readFile("demo/cluster.json", "utf8"));
  const version = cluster[CLUSTER_VERSION];
  version.spec.upstream = upstream;
  version.status.availableUpdates = [{ version: "4.18.2", image: images["4.18.2"], channels: ["stable-4.18"] }];
  version.status.conditionalUpdates = [
    {
      release: { version: "4.18.6", image: images["4.18.6"] },
      risks: [RISK],
      conditions: [{ type: "Recommended", status: "False" }],
    },
    { release: { version: "4.18.7", image: images["4.18.2"] }, risks: [RISK], conditions: [] },
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "cluster.json"), JSON.stringify(cluster));
}

/** A graph that offers one update to the demo's cluster, with a condition that only an operator can evaluate. */
function buildConditionalGraph(target: string, images: Readonly<Record<string, string>>): object {
  const graph = buildGraphJson([["4.17.20", "4.17.30"]], [], { [target]: "stable-4.18" }, images);
  const { nodes } = buildGraphJson([[target, "4.18.30"]], [], { [target]: "stable-4.18" }, images);
  const rules = [{ type: "PromQL", promql: { promql: "max(demo)" } }];
  const risks = [{ ...RISK, name: "NamedRisk", matchingRules: rules }];
  const all = [...(Array.isArray(graph["nodes"]) ? graph["nodes"] : []), ...(Array.isArray(nodes) ? nodes : [])];
  return { ...graph, nodes: all, conditionalEdges: [{ edges: [{ from: "4.17.20", to: target }], risks }] };
}

/** The exit code, the outcome, and the risk that the offer names. */
async function judgeConditions(args: readonly string[], env: Readonly<Record<string, string>>) {
  const given = ["check", "--only", "conditional-updates", "-o", "json", ...args];
  const { code, out, err } = await runPreflight(given, env);
  assert.notEqual(out, "", err);
  const { checks, offer } = JSON.parse(out);
  const { outcome } = checks.find(({ id }: { readonly id: string }) => id === "conditional-updates");
  return [code, outcome, offer.publishedRisks[0].name];
}

type Result = { readonly checks: readonly { readonly id: string; readonly findings: readonly unknown[] }[] };

function findSkew({ checks }: Result): Result["checks"][number] {
  const skew = checks.find(({ id }) => id === "crd-skew");
  assert.ok(skew);
  return skew;
}

test("a version leads to its release image, through ClusterVersion or the graph", { skip: noRegistry }, async (t) => {
  const authority = createTestAuthority(t);
  const registry = await startRegistry(t, { authority });
  const images: Record<string, string> = {};
  for (const text of ["4.18.2", "4.18.6", "4.19.4"]) images[text] = await pushRelease(registry, text);
  const graph = buildGraphJson([["4.18.2", "4.19.4"]], [["4.18.2", "4.19.5"]], { "4.19.4": "stable-4.19" }, images);
  const { address, requests } = await startService(t, { "stable-4.19": graph });
  const folder = createTestFolder(t);
  await writeCluster(folder, address, images);
  const flags = ["--registry-ca", authority.ca.certFile, "--mirror", `registry.example.com=${registry.host}`];
  const env = { XDG_CACHE_HOME: createTestFolder(t) };
  const run = (command: string, ...args: readonly string[]) =>
    runPreflight([command, "--recorded", folder, "--only", "crd-skew,etcd-health", ...flags, ...args], env);

  await t.test("ClusterVersion lists it: as a version, the newest of its minor, or the latest", async () => {
    const outs: string[] = [];
    for (const to of ["4.18.2", "4.18", "latest"]) {
      const { out, err } = await run("check", "--to", to);
      assert.equal(err, "");
      outs.push(out);
    }
    assert.match(outs[0] ?? "", /4\.17\.20 -> 4\.18\.2: /);
    assert.match(outs[0] ?? "", /\n\nThe update service recommends 4\.18\.2\.\n/);
    assert.deepEqual(new Set(outs).size, 1);
    assert.deepEqual(requests, []);
  });

  await t.test("ClusterVersion lists it with conditions", async () => {
    const { out } = await run("check", "--to", "4.18.6");
    assert.match(out, /offers 4\.18\.6 with conditions: ExampleRisk\. The\s+cluster-version operator found/);
  });

  await t.test("the graphs of the channels on the way have it", async () => {
    const { out, code } = await run("check", "--to", "4.19", "-o", "json");
    const json = JSON.parse(out);
    assert.deepEqual(
      [json.targetVersion, json.targetImage, json.complete, json.minorsBetween],
      ["4.19.4", images["4.19.4"], false, ["4.18"]],
    );
    assert.deepEqual(json.offer, { recommendation: "notOffered", updates: 2, channel: "stable-4.19" });
    assert.notEqual(findSkew(json).findings.length, 0);
    assert.equal(code, 3);
    const channels = requests.map((url) => url.searchParams.get("channel") ?? "");
    assert.deepEqual(channels.toSorted(), ["stable-4.17", "stable-4.18", "stable-4.19"]);
    assert.equal(requests[0]?.searchParams.get("arch"), "amd64");
  });

  await t.test("a graph that is named counts, whatever ClusterVersion lists", async () => {
    const file = join(folder, "graph.json");
    await writeFile(file, JSON.stringify(buildConditionalGraph("4.18.2", images)));
    const args = ["--recorded", folder, "--to", "4.18.2", "--graph", file, ...flags];
    assert.deepEqual(await judgeConditions(args, env), [4, "unknown", "NamedRisk"]);
  });

  await t.test("conditions in a channel that the cluster is not in are judged", async () => {
    const other = createTestFolder(t);
    const channel = await startService(t, { "stable-4.18": buildConditionalGraph("4.18.6", images) });
    await writeCluster(other, channel.address, {});
    const args = ["--recorded", other, "--to", "4.18", ...flags];
    assert.deepEqual(await judgeConditions(args, env), [4, "unknown", "NamedRisk"]);
    const { code, out } = await runPreflight(["plan", "--only", "conditional-updates", ...args], env);
    assert.equal(code, 4, out);
    assert.match(out, /risk NamedRisk of 4\.18\.6/);
  });

  await t.test("an image of another version than the service says is refused", async () => {
    const { code, out, err } = await run("check", "--to", "4.18.7");
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /names registry\.example\.com\/release@sha256:\w+ as 4\.18\.7, but it is 4\.18\.2\n$/);
  });

  await t.test("a recording for it holds what leads to it", async () => {
    const server = await startFaultServer(join(folder, "cluster.json"), {
      isStruck: () => false,
      fault: () => {},
      times: 0,
    });
    t.after(() => server.close());
    const kubeconfig = join(folder, "kubeconfig.json");
    await writeFile(kubeconfig, JSON.stringify(buildKubeconfig({ cluster: { server: server.url } })));
    const given = ["--to", "4.18.2", "--only", "crd-skew", ...flags];
    const recorded = join(folder, "recorded");
    const { code, err } = await runPreflight(
      ["record", "--kubeconfig", kubeconfig, "--dest-dir", recorded, ...given],
      env,
    );
    assert.deepEqual([code, /^Recorded \d+ reads? in /.test(err)], [0, true], err);
    const again = await runPreflight(["check", "--recorded", recorded, ...given, "-o", "json"], env);
    const { out } = await runPreflight(["check", "--recorded", folder, ...given, "-o", "json"], env);
    const one = JSON.parse(again.out);
    const other = JSON.parse(out);
    assert.deepEqual(findSkew(one).findings, findSkew(other).findings);
    assert.deepEqual([one.targetImage, one.offer], [images["4.18.2"], other.offer]);
    assert.notEqual(findSkew(one).findings.length, 0);
  });

  await t.test("a plan reads the image of each step", async () => {
    const { out } = await run("plan", "--to", "4.19", "-o", "json");
    const { basis, complete, steps } = JSON.parse(out);
    assert.deepEqual([basis, complete], ["graph", false]);
    const results = steps.map(
      ({ result }: { readonly result: { readonly targetImage: string } }) => result.targetImage,
    );
    assert.deepEqual(results, [images["4.18.2"], images["4.19.4"]]);
  });

  await t.test("a plan asks for the signature of each step's image", async () => {
    const flagsOf = (to: string) => ["plan", "--recorded", folder, ...flags, "--to", to];
    for (const to of ["4.19.4", "4.19.5"]) {
      const { code, out } = await runPreflight([...flagsOf(to), "--only", "release-signature", "-o", "json"], env);
      const names = JSON.parse(out).steps.map(
        ({ result }: { readonly result: { readonly risks: readonly { readonly name: string }[] } }) =>
          result.risks.map(({ name }) => name).filter((name) => name.startsWith("ReleaseSignature")),
      );
      assert.deepEqual(names, [["ReleaseSignatureUnknown"], ["ReleaseSignatureUnknown"]], to);
      assert.equal(code, 4);
    }
  });

  await t.test("a step whose image can't be read is checked without manifests, and the plan goes on", async () => {
    const { out, code } = await run("plan", "--to", "4.19.5", "-o", "wide");
    assert.equal(code, 3);
    assert.match(out, /2 {2}4\.18\.2 -> 4\.19\.5, with conditions \(ExampleRisk\)/);
    assert.match(out, /Step 2: [^]*crd-skew[^]*the update service names an image for 4\.19\.5 that can't be read/);
  });
});
