import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "../support/recording-redaction.ts";
import { textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createCollector, neverAborted } from "../support/cluster/mock-server.ts";
import { SHARED, noControlPlane } from "../../verify/api-server/control-plane.ts";

const run = promisify(execFile);
const envtest = join(SHARED, "envtest");

describe("on a real control plane", { skip: noControlPlane }, () => {
  const env: Record<string, string | undefined> = { ...process.env };
  const inDir = (name: string): string => join(env["ENVTEST_DIR"] ?? "", name);
  const kubectl = async (...args: readonly string[]): Promise<void> => {
    await run(join(env["KUBEBUILDER_ASSETS"] ?? "", "kubectl"), args, { env });
  };
  const read = async <T>(kubeconfig: string, use: (reader: Reader) => Promise<T>): Promise<T> => {
    const connection = await connect({ kubeconfig, env: {} });
    const reader = createLiveReader(connection, { userAgent: "test" });
    try {
      return await use(reader);
    } finally {
      reader.close();
    }
  };

  before(async () => {
    const { stdout } = await run(join(envtest, "up.sh"), { env });
    for (const [, name = "", value = ""] of stdout.matchAll(/^(?:export )?(\w+)='?([^'\n]*?)'?;?$/gm))
      env[name] = value;
    writeFileSync(inDir("maps.json"), formatList(MAPS));
    writeFileSync(
      inDir("more.json"),
      formatList([WIDGETS, { apiVersion: "v1", kind: "Node", metadata: { name: "n" } }]),
    );
    await kubectl("create", "-f", inDir("maps.json"));
    await kubectl("create", "-f", inDir("more.json"));
    await kubectl("wait", "--for=condition=Established", "crd/widgets.example.org", "--timeout=30s");
    await kubectl("create", "namespace", "pre");
    const { stdout: sa } = await run(join(envtest, "sa-kubeconfig.sh"), ["pre", "flight"], { env });
    writeFileSync(inDir("sa"), sa);
  });

  after(async () => {
    if (env["ENVTEST_DIR"]) await run(join(envtest, "down.sh"), { env });
  });

  test("lists and gets built-in and custom kinds, and a replayed recording returns the same without secrets", async () => {
    const recording: Recording = new Map();
    const live = await read(env["KUBECONFIG"] ?? "", async (reader) =>
      readAll(createRecordingReader(reader, recording, () => RECORDED_READS)),
    );
    const [maps, nodes, crds, widgets, ...gets] = live;
    assert.equal(JSON.stringify(maps).match(/"ConfigMap","m-\d+"/g)?.length, 620);
    assert.deepEqual(nodes, [1, [["v1", "Node", "n"]]]);
    assert.deepEqual(crds, [1, [["apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.org"]]]);
    assert.deepEqual(widgets, [0, []]);
    const absent = (what: string): object => ({ kind: "absent", what });
    assert.deepEqual(gets, ["Node", absent("object"), absent("resource"), absent("resource")]);
    await writeRecording(recording, inDir("recorded"));
    assert.deepEqual(await readAll(await createRecordedReader(inDir("recorded"))), live);
    assert.doesNotMatch(readFileSync(inDir("recorded/cluster.json"), "utf8"), /"p-\d/);
  });

  test("reports the API server's message if a ServiceAccount may not read", async () => {
    const got = await read(inDir("sa"), (reader) =>
      reader.list(parseResource("v1/nodes"), createCollector().begin, neverAborted),
    );
    assert.ok(got.kind === "failed" && got.reason === "Forbidden", JSON.stringify(got));
    assert.match(got.message, /User "system:serviceaccount:pre:flight" cannot list resource "nodes"/);
  });

  test("reports a rejected token", async () => {
    writeFileSync(inDir("bad"), readFileSync(inDir("sa"), "utf8").replace(/token: .*\}/, "token: nonsense}"));
    const got = await read(inDir("bad"), (reader) =>
      reader.get({ resource: parseResource("v1/nodes"), name: "n" }, neverAborted),
    );
    assert.ok(got.kind === "failed" && got.reason === "Unauthorized", JSON.stringify(got));
  });
});

const WIDGETS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.org" },
  spec: {
    group: "example.org",
    scope: "Cluster",
    names: { kind: "Widget", plural: "widgets" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const LISTS = [
  "v1/configmaps",
  "v1/nodes",
  "apiextensions.k8s.io/v1/customresourcedefinitions",
  "example.org/v1/widgets",
];
const GETS = [
  ["v1/nodes", "n"],
  ["v1/nodes", "none"],
  ["example.org/v1/gadgets", "none"],
  ["nowhere.org/v1/gadgets", "none"],
] as const;

/** A short form of the result of each list and get. */
async function readAll(reader: Reader): Promise<readonly unknown[]> {
  const lists = LISTS.map(async (of) => {
    const objects = createCollector();
    const done = await reader.list(parseResource(of), objects.begin, neverAborted);
    const names = objects.objects().map((one) => [one["apiVersion"], one["kind"], textAt(one, "metadata", "name")]);
    return [done.kind === "listed" ? done.objects : done, names];
  });
  const gets = GETS.map(async ([of, name]) => {
    const got = await reader.get({ resource: parseResource(of), name }, neverAborted);
    return got.kind === "found" ? textAt(got.object, "kind") : got;
  });
  return Promise.all([...lists, ...gets]);
}

function formatList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

const MAPS = Array.from({ length: 620 }, (_, i) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: `m-${i}`, namespace: "default" },
  data: { password: `p-${i}`, text: "é".repeat(50) },
}));
