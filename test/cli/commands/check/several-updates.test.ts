import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import type { JsonObject } from "../../../../src/model/json.ts";
import { buildGraphJson } from "../../../../verify/fuzz/graph-sample.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const TARGET = "4.19.4";
const ONLY = ["--only", "etcd-health"];
const folder = createTemporaryFolder();

/** The demo's cluster, which runs 4.17.20, with other fields of ClusterVersion's status. */
async function writeCluster(name: string, status: JsonObject): Promise<void> {
  const cluster = JSON.parse(await readFile("demo/cluster.json", "utf8"));
  const version = cluster[CLUSTER_VERSION];
  const retrieved = { type: "RetrievedUpdates", status: "True" };
  const lists = { availableUpdates: [], conditionalUpdates: [], conditions: [retrieved] };
  Object.assign(version.status, lists, status);
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, "cluster.json"), JSON.stringify(cluster));
}

const RELEASE = { version: TARGET, image: "registry.example.com/release@sha256:1" };
const RISK = { name: "ExampleRisk", message: "Pods may restart.", url: "https://example.com/risk" };

before(async () => {
  await writeCluster("none", {});
  await writeCluster("available", { availableUpdates: [RELEASE] });
  await writeCluster("conditional", { conditionalUpdates: [{ release: RELEASE, risks: [RISK], conditions: [] }] });
  const failed = { type: "RetrievedUpdates", status: "False", reason: "NoChannel" };
  await writeCluster("unretrieved", { conditions: [failed] });
  await writeDemoRelease(join(folder, "release"), TARGET);
  await writeFile(join(folder, "graph.json"), JSON.stringify(buildGraphJson([["4.17.20", TARGET]])));
  await writeFile(
    join(folder, "long-graph.json"),
    JSON.stringify(
      buildGraphJson([
        ["4.17.20", "4.18.2"],
        ["4.18.2", TARGET],
      ]),
    ),
  );
});

const IS =
  /4\.18 lies between 4\.17\.20 and 4\.19\.4: this is several updates, .* does not offer it to this cluster as one/;
const MAY_BE =
  /this may be several updates, .* is not known: the .* could not retrieve the updates \(RetrievedUpdates=False, NoChannel\)\./;

const ROWS: readonly (readonly [
  title: string,
  cluster: string,
  graph: string | undefined,
  told: RegExp | undefined,
])[] = [
  ["nobody offers", "none", undefined, IS],
  ["ClusterVersion lists", "available", undefined, undefined],
  ["ClusterVersion lists with conditions", "conditional", undefined, undefined],
  ["the graph has", "none", "graph.json", undefined],
  ["the graph has only in two steps", "none", "long-graph.json", IS],
  ["nobody knows to be offered", "unretrieved", undefined, MAY_BE],
];

for (const [title, cluster, graph, told] of ROWS)
  test(`check names minors between or not for an update that ${title}`, async () => {
    const more = graph === undefined ? [] : ["--graph", join(folder, graph)];
    const accept = ["--accept", "PreflightChecksLeftOut", "-o", "json"];
    const args = [
      "check",
      "--recorded",
      join(folder, cluster),
      "--target-version",
      TARGET,
      ...ONLY,
      ...more,
      ...accept,
    ];
    const { code, out, err } = await runPreflight(args);
    assert.notEqual(out, "", err);
    const { minorsBetween, unseen }: Result = JSON.parse(out);
    const messages = unseen.filter(({ reason }) => reason === "MinorsBetween").map(({ message }) => message);
    assert.deepEqual(minorsBetween, told === undefined ? undefined : ["4.18"]);
    assert.equal(messages.length, told === undefined ? 0 : 1);
    if (told !== undefined) assert.match(messages[0] ?? "", told);
    assert.equal(code, told === undefined ? 0 : 4);
  });

type Result = {
  readonly minorsBetween?: readonly string[];
  readonly unseen: readonly { readonly reason: string; readonly message: string }[];
};

test("a runner judges an update over a minor as one, whoever offers it", async () => {
  for (const cluster of ["none", "unretrieved"]) {
    const source = ["--recorded", join(folder, cluster), "--target", join(folder, "release")];
    const { code, out, err } = await runPreflight([
      "--format=preflight-v1-json",
      ...source,
      ...ONLY,
      "--interval",
      "0",
    ]);
    assert.equal(code, 0, err);
    const { risks }: { readonly risks: readonly { readonly name: string }[] } = JSON.parse(out);
    assert.deepEqual(
      risks.map(({ name }) => name),
      ["PreflightChecksLeftOut"],
    );
  }
});
