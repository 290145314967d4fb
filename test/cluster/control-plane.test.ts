import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "../support/recording-redaction.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createCollector, neverAborted } from "../support/cluster/mock-server.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import { buildKubeconfig } from "../../verify/api-server/kubeconfig.ts";
import { readObject } from "../../verify/api-server/objects.ts";
import { createAccount } from "../../verify/api-server/service-account.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

/** The administrator by a certificate, where other tests have a token. */
function buildAdminConfig({ env }: ControlPlane): JsonObject {
  const file = (name: string): string => join(env["ENVTEST_DIR"] ?? "", "pki", name);
  return buildKubeconfig({
    cluster: { server: env["APISERVER_URL"] ?? "", "certificate-authority": file("ca.crt") },
    user: { "client-certificate": file("admin.crt"), "client-key": file("admin.key") },
  });
}

describe("on a real control plane", { skip: noControlPlane }, () => {
  const folder = createTemporaryFolder();
  const at = (name: string): string => join(folder, name);
  let cluster: ControlPlane | undefined;
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
    cluster = await startKubernetes();
    await applyObjects(cluster, [...MAPS, WIDGETS, { apiVersion: "v1", kind: "Node", metadata: { name: "n" } }]);
    await eventually(async () => void (await readObject(cluster ?? assert.fail(), "/apis/example.org/v1/widgets")));
    writeFileSync(at("admin"), JSON.stringify(buildAdminConfig(cluster)));
    writeFileSync(at("sa"), await createAccount(cluster, "pre", "flight"));
  });

  after(() => cluster?.down());

  test("lists and gets built-in and custom kinds, and a replayed recording returns the same without secrets", async () => {
    const recording: Recording = new Map();
    const live = await read(at("admin"), async (reader) =>
      readAll(createRecordingReader(reader, recording, () => RECORDED_READS)),
    );
    const [maps, nodes, crds, widgets, ...gets] = live;
    assert.equal(JSON.stringify(maps).match(/"ConfigMap","m-\d+"/g)?.length, 620);
    assert.deepEqual(nodes, [1, [["v1", "Node", "n"]]]);
    assert.deepEqual(crds, [1, [["apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.org"]]]);
    assert.deepEqual(widgets, [0, []]);
    const absent = (what: string): object => ({ kind: "absent", what });
    assert.deepEqual(gets, ["Node", absent("object"), absent("resource"), absent("resource")]);
    await writeRecording(recording, at("recorded"));
    assert.deepEqual(await readAll(await createRecordedReader(at("recorded"))), live);
    assert.doesNotMatch(readFileSync(at("recorded/cluster.json"), "utf8"), /"p-\d/);
  });

  test("reports the API server's message if a ServiceAccount may not read", async () => {
    const got = await read(at("sa"), (reader) =>
      reader.list(parseResource("v1/nodes"), createCollector().begin, neverAborted),
    );
    assert.ok(got.kind === "failed" && got.reason === "Forbidden", JSON.stringify(got));
    assert.match(got.message, /User "system:serviceaccount:pre:flight" cannot list resource "nodes"/);
  });

  test("reports a rejected token", async () => {
    writeFileSync(at("bad"), readFileSync(at("sa"), "utf8").replace(/"token":"[^"]*"/, '"token":"nonsense"'));
    const got = await read(at("bad"), (reader) =>
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

const MAPS = Array.from({ length: 620 }, (_, i) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: `m-${i}`, namespace: "default" },
  data: { password: `p-${i}`, text: "é".repeat(50) },
}));
