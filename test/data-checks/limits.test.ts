import { strict as assert } from "node:assert";
import { test } from "node:test";
import { loadChecks } from "../../src/data-checks/load.ts";
import { createOriginPool, createPoolShare } from "../../src/data-checks/run/limits.ts";
import type { Check } from "../../src/model/check.ts";
import type { Json } from "../../src/model/json.ts";
import { parseCase } from "../../src/cases/parser.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { buildCaseTarget, openCase, runCase } from "../../src/cases/runner.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { writeCheck } from "../support/data-checks/judge-check.ts";

const RISK = `risks:
- name: Broken
  effect: broken
  title: It breaks
  url: https://example.com
  message: "It breaks: \${objects}. \${details.size()} of them: look."
  remediation: Mend it.
  findings: [{forEach: nodes.items, message: It is there.}]`;

async function loadCheck(spec: string): Promise<Check> {
  const { checks, faults } = await loadChecks(
    [{ name: "a.yaml", text: writeCheck(spec) }],
    { kind: "site" },
    new Set(),
  );
  assert.deepEqual(faults, []);
  return checks[0] ?? assert.fail();
}

/** Checks of one origin. */
async function loadAll(specs: readonly string[]): Promise<readonly Check[]> {
  const texts = specs.map((spec, i) => ({
    name: `${i}.yaml`,
    text: writeCheck(spec).replace("name: sample", `name: sample-${i}`),
  }));
  const { checks, faults } = await loadChecks(texts, { kind: "site" }, new Set());
  assert.deepEqual(faults, []);
  return checks;
}

async function judgeNodes(check: Check, nodes: readonly Json[]): Promise<Result> {
  const text = parseCase("source: 4.18.5\ntarget: 4.19.2\n");
  const cluster = { ...text.cluster, "/api/v1/nodes": { items: nodes } };
  return runCase({ name: "a", file: "a.yaml", check, ...text, cluster }, []);
}

function buildNode(i: number, labels: Json = {}): Json {
  return { apiVersion: "v1", kind: "Node", metadata: { name: `n${String(i).padStart(5, "0")}`, labels } };
}

test("a risk names a thousand findings, and counts the others", async () => {
  const check = await loadCheck(`reads: {nodes: {list: v1/nodes}}\n${RISK}`);
  const { outcome, risks } = await judgeNodes(
    check,
    Array.from({ length: 1_007 }, (_, i) => buildNode(i)),
  );
  assert.equal(outcome.kind, "risk");
  assert.equal(outcome.kind === "risk" && outcome.findings.length, 1_000);
  assert.match(
    risks[0]?.message ?? "",
    /^From the administrator's check a.yaml: It breaks: Node n00000, Node n00001, Node n00002 and 1004 more\. 1000 of them: /,
  );
});

test("checks that keep too much are unknown, and say so once", async () => {
  const check = await loadCheck(`reads: {nodes: {list: v1/nodes}}
notices: [{when: 'nodes.items.exists(n, n.metadata.?labels.?a.orValue("") == "b")', message: There is one.}]`);
  const labels = { a: "x".repeat(1 << 20) };
  const { outcome } = await judgeNodes(
    check,
    Array.from({ length: 20 }, (_, i) => buildNode(i, labels)),
  );
  assert.equal(outcome.kind, "unknown");
  assert.deepEqual(outcome.kind === "unknown" && outcome.unknowns.map(({ reason }) => reason), ["TooManyObjects"]);
});

const MODEST = `reads: {nodes: {list: v1/nodes}}
notices: [{when: 'nodes.items.exists(n, n.metadata.name == "none")', message: There it is.}]`;

/** Keeps a long text of every object. */
const GREEDY = `reads: {nodes: {list: v1/nodes}}
notices: [{when: 'nodes.items.exists(n, n.metadata.?labels.?a.orValue("") == "b")', message: There is one.}]`;

test("a check beside others that keep too much keeps its verdict", async () => {
  const checks = await loadAll([GREEDY, GREEDY, GREEDY, GREEDY, MODEST]);
  const labels = { a: "x".repeat(1 << 20) };
  const items = Array.from({ length: 10 }, (_, i) => buildNode(i, labels));
  const text = parseCase("source: 4.18.5\ntarget: 4.19.2\n");
  const open = await openCase({
    name: "a",
    file: "a.yaml",
    ...text,
    cluster: { ...text.cluster, "/api/v1/nodes": { items } },
  });
  const result = await runCycle({
    selection: { checks },
    reader: open.reader,
    target: buildCaseTarget(open),
    now: open.one.now,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  });
  const reports = result.kind === "failed" ? assert.fail() : result.report.checks;
  const told = reports.map(({ outcome }) =>
    outcome.kind === "unknown" ? outcome.unknowns.map(({ reason }) => reason).join() : outcome.kind,
  );
  assert.deepEqual(told, [...Array.from({ length: 4 }, () => "TooManyObjects"), "clear"]);
});

test("checks of an origin keep at most twice what one may", () => {
  const pool = createOriginPool({ cost: 100, kept: 1_000 });
  const ids = Array.from({ length: 100 }, (_, i) => `check-${i}`);
  for (const id of ids) pool.begin(id);
  const keptBy = ids.map((id) => {
    let kept = 0;
    while (pool.take(id, 1)) kept++;
    return kept;
  });
  assert.deepEqual([keptBy[0], ...new Set(keptBy.slice(1))], [1_000, 10]);
});

test("what the checks of an origin spend is theirs together, and begins anew with a cycle", () => {
  const pool = createOriginPool({ cost: 100, kept: 10 });
  pool.begin("a");
  pool.begin("b");
  pool.spend(70);
  assert.deepEqual([pool.costLeft(), pool.take("a", 8), pool.take("a", 8)], [30, true, false]);
  pool.begin("a");
  assert.deepEqual([pool.costLeft(), pool.take("a", 8)], [100, true]);
});

test("an operator that takes its whole share leaves the others theirs, and all have an end", () => {
  const all = createOriginPool({ cost: 100, kept: 25 });
  const [greedy, modest, third] = [1, 2, 3].map(() => createPoolShare(all, { cost: 40, kept: 10 }));
  assert.ok(greedy && modest && third);
  greedy.begin("a");
  modest.begin("b");
  greedy.spend(40);
  assert.deepEqual([greedy.costLeft(), modest.costLeft()], [0, 40]);
  assert.deepEqual([greedy.take("a", 8), greedy.take("a", 8), modest.take("b", 10)], [true, false, true]);
  modest.spend(40);
  assert.deepEqual([third.costLeft(), third.take("c", 9)], [20, false]);
  // A new cycle.
  greedy.begin("a");
  assert.deepEqual([greedy.costLeft(), greedy.take("a", 10)], [40, true]);
});

/** They take all they can: of memory and of steps, and then more slowly. */
const BOMBS = sampleEach(
  [
    "lists.range(3000).map(a, lists.range(3000).map(b, lists.range(3000))).size() == 0",
    "lists.range(1000000).all(x, lists.range(100).all(y, x + y >= 0))",
    "lists.range(100000).exists(i, ('a' + string(i)).matches('a{1000}' + string(i)))",
    "lists.range(100000).map(i, lists.range(100).map(j, {string(j): i})).size() == 0",
  ],
  3,
).map((when) => `notices: [{when: ${JSON.stringify(when)}, message: It is so.}]`);

test("a check that takes too much falls alone, by its name", async () => {
  const checks = await loadAll([...BOMBS, MODEST]);
  for (const check of checks) check.reads();
  const told: string[] = [];
  for (const check of checks) {
    const { outcome } = await judgeNodes(check, [buildNode(1)]);
    told.push(
      outcome.kind === "unknown"
        ? outcome.unknowns.map(({ reason, where }) => `${reason}: ${where}`).join()
        : outcome.kind,
    );
  }
  assert.deepEqual(told, [...BOMBS.map((_, i) => `CostLimit: check site-sample-${i}`), "clear"]);
});

test("commands that take too much are not offered, and the finding stands", async () => {
  const heavy = "${lists.range(1000).map(a, lists.range(900).map(b, a * b)).size()}";
  const check = await loadCheck(`reads: {nodes: {list: v1/nodes}}
${RISK}
  see: [{run: "oc get node ${heavy}"}]`);
  const { outcome, risks } = await judgeNodes(
    check,
    Array.from({ length: 500 }, (_, i) => buildNode(i)),
  );
  assert.equal(outcome.kind, "risk");
  assert.equal(outcome.kind === "risk" && outcome.findings.length, 500);
  assert.ok(JSON.stringify(risks).split("oc get node").length < 100);
});

test("a check that reports without end says once that it does", async () => {
  const rules = Array.from(
    { length: 16 },
    (_, i) => `{forEach: nodes.items, when: 'minor(object.metadata.?labels.?a.orValue("")) == ${i}', message: It is.}`,
  );
  const check = await loadCheck(`reads: {nodes: {list: v1/nodes}}\nnotices: [${rules.join()}]`);
  const { outcome } = await judgeNodes(
    check,
    Array.from({ length: 8_000 }, (_, i) => buildNode(i, { a: "x".repeat(300) })),
  );
  const unknowns = outcome.kind === "unknown" ? outcome.unknowns : [];
  const limits = unknowns.filter(({ reason }) => reason === "CostLimit");
  const [first] = unknowns;
  assert.deepEqual(limits, [first]);
  assert.match(first?.message ?? "", /^spec\.notices\[\d+\] has no value: it takes too much memory to evaluate$/);
});
