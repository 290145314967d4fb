import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createRandom } from "../../verify/schema/random/random.ts";
import { connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import { connectEtcd } from "../../verify/api-server/etcd-store.ts";
import { askEvictions, readObjects } from "../support/evictions/api-server.ts";
import { findUntrue } from "../support/evictions/properties.ts";
import { buildRandomState } from "../support/evictions/random-state.ts";
import { allowUnhealthy, completeReplicas, makeHealthy } from "../support/evictions/scenarios.ts";
import type { DrainState } from "../support/evictions/state.ts";
import { runDrainBlocked, selectStatements, type Statements } from "../support/evictions/statements.ts";
import type { TestServer } from "../support/test-server.ts";

/** PREFLIGHT_EVICTIONS=3000 runs the long comparison of docs/evictions.md, PREFLIGHT_SEED another one. */
const STATES = Number(process.env["PREFLIGHT_EVICTIONS"] ?? 60);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const WORKERS = 4;
const NOW = new Date("2026-03-01T12:00:00Z");

type Tally = {
  evictions: number;
  budgets: number;
  readonly statements: Map<string, number>;
  readonly faults: string[];
};

describe(`${STATES} random states of pods and budgets on a real API server`, { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  let server: TestServer | undefined;
  let close = (): void => undefined;
  before(async () => {
    cluster = await startKubernetes();
    const api = await connectAdminApi(cluster);
    close = api.close;
    server = { api, etcd: connectEtcd(cluster) };
  });
  after(async () => {
    close();
    await cluster?.down();
  });

  test("what drain-blocked says of each budget agrees with the answers to evictions", async (t) => {
    const tally: Tally = { evictions: 0, budgets: 0, statements: new Map(), faults: [] };
    const random = createRandom(SEED);
    const seeds = Array.from({ length: STATES }, () => random.below(2 ** 31));
    const work = async (_: unknown, worker: number): Promise<void> => {
      const namespace = `state-${worker}`;
      const metadata = { name: namespace };
      await server?.api.call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
      for (let i = worker; i < seeds.length; i += WORKERS)
        if (server) await compare(server, namespace, seeds[i] ?? 0, tally);
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    t.diagnostic(`${STATES} states, ${tally.budgets} budgets, ${tally.evictions} dry-run evictions, seed ${SEED}`);
    for (const [text, count] of [...tally.statements].toSorted()) t.diagnostic(`${count} ${text}`);
    assert.deepEqual(tally.faults.slice(0, 20), []);
    assert.ok(tally.budgets >= STATES);
  });
});

async function compare(server: TestServer, namespace: string, seed: number, tally: Tally): Promise<void> {
  const state = buildRandomState(createRandom(seed), namespace, NOW);
  let previous = state;
  const ask = async (next: DrainState) => {
    const answers = await askEvictions(server, next, previous);
    previous = next;
    tally.evictions += answers.size;
    return answers;
  };
  tally.budgets += state.budgets.length;
  const now = await ask(state);
  const objects = await readObjects(server.api, namespace);
  assert.equal(objects.pods.length, state.pods.length);
  const judgement = runDrainBlocked(objects.budgets, objects.pods, NOW);
  const healthy = await ask(makeHealthy(state));
  for (const budget of state.budgets) {
    const statements = selectStatements(judgement, namespace, budget.name);
    const complete = await ask(completeReplicas(state, budget.spec));
    const helps = statements.notices.some((notice) => notice.includes("AlwaysAllow"));
    const allowing = helps ? await ask(allowUnhealthy(state, budget.name)) : now;
    const untrue = findUntrue({ state, budget, statements, now, healthy, complete, allowing, time: NOW });
    count(tally, statements);
    for (const text of untrue)
      tally.faults.push(`${text}: ${JSON.stringify({ seed, budget, statements, pods: state.pods })}`);
  }
  await ask({ ...state, pods: [], budgets: [] });
}

function count({ statements }: Tally, { findings, notices, unknowns }: Statements): void {
  const texts = [
    ...Object.entries(findings).map(([risk, message]) =>
      risk === "DrainBlockedByDisruptionBudget" ? `${risk}: ${message}` : risk,
    ),
    ...notices.map((notice) => `notice: ${notice.replace(/^.*?: /, "")}`),
    ...unknowns.map((reason) => `unknown: ${reason}`),
  ];
  for (const text of texts.length === 0 ? ["nothing"] : texts) statements.set(text, (statements.get(text) ?? 0) + 1);
}
