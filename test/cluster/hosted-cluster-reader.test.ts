import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHostedClusterReader } from "../../src/cluster/hosted/hosted-cluster-reader.ts";
import { type JsonObject, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { type Resource, parseResource } from "../../src/model/resource.ts";
import { type FakeResponse, fakeReader } from "../../verify/api-server/fake-reader.ts";
import { buildHostedCluster, buildNodePool } from "../support/integration/hypershift.ts";

const GROUP = "hypershift.openshift.io/v1beta1";
const CLUSTERS = `/apis/${GROUP}/hostedclusters`;
const POOLS = `/apis/${GROUP}/nodepools`;
const NAME = { namespace: "clusters", name: "guest" };
const { signal } = new AbortController();

const inOther = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, "metadata"), namespace: "others" },
});
const GUEST = buildHostedCluster("guest", "4.20.3", {
  spec: {
    configuration: { featureGate: { featureSet: "TechPreviewNoUpgrade" } },
    updateService: "https://updates.example",
  },
});
const ANSWERS: Readonly<Record<string, FakeResponse>> = {
  [CLUSTERS]: [GUEST, buildHostedCluster("other", "4.19.8"), inOther(buildHostedCluster("guest", "4.18.1"))],
  [POOLS]: [
    buildNodePool("guest", "guest-a", "4.20.3"),
    buildNodePool("other", "other-a", "4.19.8"),
    inOther(buildNodePool("guest", "guest-b", "4.18.1")),
  ],
  "/api/v1/nodes": [{ apiVersion: "v1", kind: "Node", metadata: { name: "worker-0" } }],
};

async function list(answers: typeof ANSWERS, resource: Resource, part?: "metadata"): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  const reader = createHostedClusterReader(fakeReader(answers), NAME);
  const begin = () => {
    objects.length = 0;
    return (object: JsonObject) => void objects.push(object);
  };
  await reader.list(resource, begin, signal, part);
  return objects;
}

const getGuest = (answers: typeof ANSWERS, kind: string, name: string) =>
  createHostedClusterReader(fakeReader(answers), NAME).get({ resource: parseResource(kind), name }, signal);

describe("a management cluster, read as one of its hosted clusters", () => {
  test("has no HostedClusters and NodePools of others, and all else", async () => {
    const names = async (kind: string, part?: "metadata") =>
      (await list(ANSWERS, parseResource(kind), part)).map((object) => textAt(object, "metadata", "name"));
    assert.deepEqual(await names(`${GROUP}/hostedclusters`), ["guest"]);
    assert.deepEqual(await names(`${GROUP}/nodepools`), ["guest-a"]);
    assert.deepEqual(await names("v1/nodes"), ["worker-0"]);
    const nameless = { ...buildNodePool("guest", "nameless", "4.20.3"), spec: {} };
    const doubtful = { ...ANSWERS, [POOLS]: [nameless, inOther(nameless)] };
    assert.equal((await list(doubtful, parseResource(`${GROUP}/nodepools`))).length, 1, "one that may be its own");
    const [metadata] = await list(ANSWERS, parseResource(`${GROUP}/nodepools`), "metadata");
    assert.deepEqual(Object.keys(metadata ?? {}).toSorted(), ["apiVersion", "kind", "metadata"]);
  });

  test("has the guest's release, channel, conditions, features and topology", async () => {
    const version = await getGuest(ANSWERS, "config.openshift.io/v1/clusterversions", "version");
    assert.ok(version.kind === "found");
    const { object } = version;
    assert.deepEqual(
      [
        textAt(object, "status", "history", 0, "version"),
        textAt(object, "status", "desired", "architecture"),
        textAt(object, "spec", "channel"),
        textAt(object, "spec", "upstream"),
        textAt(object, "spec", "clusterID"),
      ],
      ["4.20.3", "Multi", "stable", "https://updates.example", "22222222-3333-4444-8555-666666666666"],
    );
    const types = objectAt(object, "status")["conditions"];
    assert.deepEqual(Array.isArray(types) ? types.map((one) => textAt(one, "type")) : types, [
      "Upgradeable",
      "RetrievedUpdates",
    ]);
    const gate = await getGuest(ANSWERS, "config.openshift.io/v1/featuregates", "cluster");
    assert.ok(gate.kind === "found");
    assert.equal(textAt(gate.object, "spec", "featureSet"), "TechPreviewNoUpgrade");
    const infrastructure = await getGuest(ANSWERS, "config.openshift.io/v1/infrastructures", "cluster");
    assert.ok(infrastructure.kind === "found");
    assert.deepEqual(
      [
        textAt(infrastructure.object, "status", "controlPlaneTopology"),
        textAt(infrastructure.object, "status", "platformStatus", "type"),
        textsAt(infrastructure.object, "status", "none"),
      ],
      ["External", "AWS", []],
    );
  });

  test("has not the management cluster's own operator", async () => {
    const operator = { "/apis/apps/v1/deployments/cluster-version-operator": { kind: "Deployment" } };
    const result = await getGuest({ ...ANSWERS, ...operator }, "apps/v1/deployments", "cluster-version-operator");
    assert.deepEqual(result, { kind: "absent", what: "object" });
  });

  test("says why the guest's release is not known, and never that it has none", async () => {
    const read = async (answer: FakeResponse) => {
      const result = await getGuest({ [CLUSTERS]: answer }, "config.openshift.io/v1/clusterversions", "version");
      return result.kind === "failed" ? `${result.reason}: ${result.message}` : result.kind;
    };
    assert.equal(await read({ kind: "failed", reason: "Forbidden", message: "403" }), "Forbidden: 403");
    assert.match(await read({ kind: "absent", what: "resource" }), /^NotUnderstood: .* is not a management cluster$/);
    assert.equal(await read([]), "NotUnderstood: HostedCluster clusters/guest does not exist");
  });
});
