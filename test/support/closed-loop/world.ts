import assert from "node:assert/strict";
import { checks } from "../../../src/checks/index.ts";
import { buildDocument } from "../../../src/format/document/document.ts";
import { lift } from "../../../src/lift/lift.ts";
import type { PreflightDocument } from "../../../src/model/document.ts";
import { type JsonObject, formatCanonicalJson } from "../../../src/model/json.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import type { OperatorRisks } from "../../../src/runner/updates/update.ts";
import { ALL_FIELDS, NOW, clusterVersion } from "../../../verify/operator/status-sample.ts";
import { fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { VERSION_PATH, object, release, version } from "../fixtures.ts";
import {
  type FiringAlert,
  type Trouble,
  SOURCE,
  TARGET,
  buildOperatorLists,
  findRiskAlert,
} from "../../../verify/operator/operator-model.ts";

/** How a document's risks come to ClusterVersion: by our controller, or by alerts that the operator makes risks of. */
export type Way = "controller" | "alerts" | "neither";

/** ClusterVersion's status as the next cycle reads it, and the last document. */
export type World = { readonly status: JsonObject; readonly document?: PreflightDocument };

const IDS = ["cluster-operators", "cluster-version", "conditional-updates", "drain-blocked", "overrides"];
const playing = checks.filter(({ id }) => IDS.includes(id));

/** One cycle of the runner, then a sync of the operator, then of our controller. */
export async function playRound(world: World, trouble: Trouble, mode: OperatorRisks, way: Way): Promise<World> {
  const document = await buildNextDocument(world, trouble, mode);
  const alerts = way === "alerts" ? document.risks.flatMap(({ name }) => findAlert(name)) : [];
  const synced = { ...buildStatus(trouble), ...buildOperatorLists(trouble, alerts) };
  return { document, status: way === "controller" ? liftDocument(synced, document) : synced };
}

/** Plays rounds until nothing changes, and gives every document on the way; fails if that takes too long. */
export async function playOut(
  start: World,
  trouble: Trouble,
  mode: OperatorRisks,
  way: Way,
): Promise<{ readonly world: World; readonly rounds: number }> {
  let world = start;
  for (let rounds = 1; rounds <= MOST_ROUNDS; rounds += 1) {
    const next = await playRound(world, trouble, mode, way);
    if (describe(next) === describe(world)) return { world: next, rounds };
    world = next;
  }
  assert.fail(`still changing after ${MOST_ROUNDS} rounds: ${describe(world)}`);
}

/** A cycle, what the operator makes of its alerts, and a cycle that sees that: nothing needs longer. */
const MOST_ROUNDS = 4;

/** The risks of a document with their texts. */
export function listRisks({ document }: World): readonly string[] {
  return (document?.risks ?? []).map(({ name, message }) => `${name}: ${message}`);
}

function describe(world: World): string {
  return formatCanonicalJson({ status: world.status, risks: listRisks(world) });
}

export function buildStart(trouble: Trouble, alerts: readonly FiringAlert[] = []): World {
  return { status: { ...buildStatus(trouble), ...buildOperatorLists(trouble, alerts) } };
}

/** The alert on a risk of the target. */
export function findAlert(risk: string): readonly FiringAlert[] {
  return [findRiskAlert(risk, { source: SOURCE, target: TARGET })];
}

/** The document of the runner's next cycle. */
export async function buildNextDocument(
  { status, document: previous }: World,
  trouble: Trouble,
  operatorRisks: OperatorRisks,
  now = NOW,
): Promise<PreflightDocument> {
  const result = await runCycle({
    selection: { checks: playing, operatorRisks },
    reader: fakeReader(buildCluster(status, trouble)),
    target: { kind: "read", version: version(TARGET), select: () => release(TARGET) },
    now,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  const run = {
    preflightID: `2026-03-01T11:00:00Z-preflight-${TARGET}`,
    runnerVersion: "0.0.0",
    intervalSeconds: 300,
    hasUnknownRisks: true,
  };
  return buildDocument({ result, run, ...(previous ? { previous } : {}) });
}

/** The operator's conditions and history, without its lists. */
export function buildStatus(trouble: Trouble): JsonObject {
  const message = "Cluster operator storage should not be upgraded between minor versions: The volumes are too old.";
  const upgradeable = { type: "Upgradeable", status: "False", reason: "VSphere", message };
  const { status } = clusterVersion({ source: SOURCE, conditions: trouble.operator ? [upgradeable] : [] });
  return JSON.parse(JSON.stringify(status));
}

function buildCluster(
  status: JsonObject,
  trouble: Trouble,
): Readonly<Record<string, JsonObject | readonly JsonObject[]>> {
  const conditions: readonly JsonObject[] = [
    { type: "Available", status: "True" },
    { type: "Degraded", status: "False" },
    ...(trouble.operator
      ? [{ type: "Upgradeable", status: "False", reason: "VSphere", message: "The volumes are too old." }]
      : []),
  ];
  const budget = {
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
    status: {
      observedGeneration: 1,
      expectedPods: 1,
      desiredHealthy: 1,
      currentHealthy: 1,
      disruptionsAllowed: 0,
    },
  };
  const web = object("policy/v1", "PodDisruptionBudget", "web", budget);
  return {
    [VERSION_PATH]: { ...clusterVersion(), status },
    "/apis/config.openshift.io/v1/infrastructures/cluster": object(
      "config.openshift.io/v1",
      "Infrastructure",
      "cluster",
      {
        status: { infrastructureTopology: "HighlyAvailable" },
      },
    ),
    "/apis/config.openshift.io/v1/clusteroperators": [
      object("config.openshift.io/v1", "ClusterOperator", "storage", { status: { conditions } }),
    ],
    "/apis/policy/v1/poddisruptionbudgets": trouble.budget
      ? [{ ...web, metadata: { name: "web", namespace: "demo", generation: 1 } }]
      : [],
    "/api/v1/pods": [],
  };
}

function liftDocument(status: JsonObject, document: PreflightDocument): JsonObject {
  return lift({
    clusterVersion: { ...clusterVersion(), status },
    fields: ALL_FIELDS,
    preflight: {
      target: { kind: "version", version: TARGET },
      runner: { kind: "up", since: new Date("2026-03-01T11:00:00Z") },
      document: { kind: "read", document },
    },
    now: NOW,
  }).status;
}
