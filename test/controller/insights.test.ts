import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildInsight } from "../../src/controller/insight/insight.ts";
import { buildInsights, MAX_NODE_INSIGHTS } from "../../src/controller/insight/insights.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { findInsightContradictions } from "../support/controller/insight-contradictions.ts";
import {
  buildStage,
  findStage,
  NEW,
  OLD,
  type StageObjects,
  TARGET,
  type UpdateStage,
} from "../support/controller/update-stage.ts";
import { listTold, TOLD } from "../support/controller/told-insights.ts";

const NOW = "2026-03-01T10:30:00Z";
const LATER = "2026-03-01T10:40:00Z";
function tell(
  { clusterVersion, operators, pools, nodes, configs }: StageObjects,
  previous: ReadonlyMap<string, JsonObject> = new Map(),
  now = NOW,
): ReadonlyMap<string, JsonObject> {
  const findVersion = (config: string): string | undefined =>
    textAt(
      configs.find((one) => textAt(one, "metadata", "name") === config),
      "metadata",
      "annotations",
      "machineconfiguration.openshift.io/release-image-version",
    );
  const insight = buildInsight(clusterVersion);
  return buildInsights(
    { clusterVersion, insight, operators, pools, nodes, findVersion },
    (key) => previous.get(key),
    now,
  );
}

describe("the insights about an update", () => {
  for (const [name, told] of Object.entries(TOLD)) {
    test(`tell of ${name}`, () => {
      const objects = buildStage(findStage(name));
      const insights = tell(objects);
      assert.deepEqual(listTold(insights), told);
      const written: JsonObject = JSON.parse(JSON.stringify(buildInsight(objects.clusterVersion)));
      assert.deepEqual(findInsightContradictions(written, insights), []);
    });
  }

  test("stay as they are for as long as nothing changes, and keep since when", () => {
    const stage: UpdateStage = { update: "running", operators: OLD, controlPlane: ["left"], workers: ["left"] };
    const first = tell(buildStage(stage));
    const second = tell(buildStage(stage), first, LATER);
    assert.deepEqual(second, first);
    const third = tell(buildStage({ ...stage, operators: { ...OLD, dns: [TARGET, "down"] } }), first, LATER);
    const changed = [...third].filter(([key, one]) => JSON.stringify(one) !== JSON.stringify(first.get(key)));
    assert.deepEqual(
      changed.map(([key]) => key),
      ["usc.cpi.co-dns", "usc.cpi.health-co-dns-unavailable"],
    );
    const operator = third.get("usc.cpi.co-dns");
    assert.equal(textAt(operator, "acquiredAt"), LATER);
    // It was not updating before, either; only why has changed.
    const times = listAt(operator, "clusterOperator", "conditions").map((one) => textAt(one, "lastTransitionTime"));
    assert.deepEqual(times, [NOW, LATER]);
    assert.equal(textAt(third.get("usc.cpi.health-co-dns-unavailable"), "health", "startedAt"), LATER);
  });

  test("name the nodes of a pool of their own, and none that no pool updates", () => {
    const objects = buildStage({ update: "never", operators: {}, controlPlane: [], workers: ["left", "left"] });
    const [first, second] = objects.nodes;
    const label = (node: JsonObject | undefined, labels: JsonObject): JsonObject => ({
      ...node,
      metadata: { ...objectAt(node, "metadata"), labels },
    });
    const infra = { metadata: { name: "infra" }, spec: { nodeSelector: { matchLabels: { infra: "" } } } };
    const insights = tell({
      ...objects,
      pools: [...objects.pools, infra],
      nodes: [label(first, { "node-role.kubernetes.io/worker": "", infra: "" }), label(second, { other: "" })],
    });
    const nodes = [...insights.values()].filter((one) => textAt(one, "type") === "Node");
    assert.deepEqual(
      nodes.map((one) => [textAt(one, "uid"), textAt(one, "node", "poolResource", "name")]),
      [["node-worker-0", "infra"]],
    );
  });

  test("leave out updated nodes first where there are too many, and count them all", () => {
    const workers = Array.from({ length: MAX_NODE_INSIGHTS + 50 }, (_, i) =>
      i > MAX_NODE_INSIGHTS ? "left" : "updated",
    );
    const insights = tell(buildStage({ update: "complete", operators: NEW, controlPlane: [], workers }));
    const nodes = [...insights.values()].filter((one) => textAt(one, "type") === "Node");
    assert.equal(nodes.length, MAX_NODE_INSIGHTS);
    const pending = nodes.filter((one) => textAt(one, "node", "conditions", 0, "reason") === "Pending");
    assert.equal(pending.length, 49);
    const pool = objectAt(insights.get("usc.ni.mcp-worker"), "machineConfigPool");
    assert.deepEqual(listAt(pool, "summaries")[0], { type: "Total", count: MAX_NODE_INSIGHTS + 50 });
    const bytes = [...insights.values()].reduce((sum, one) => sum + JSON.stringify(one).length, 0);
    assert.ok(bytes < 700_000, `${bytes} bytes`);
  });
});
