import assert from "node:assert/strict";
import { test } from "node:test";
import conditionalUpdates from "../../src/checks/conditional-updates/check.ts";
import {
  evaluateRules,
  listExpressions,
  type RuleVerdict,
} from "../../src/checks/conditional-updates/published-risks.ts";
import type { Check } from "../../src/model/check.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { PublishedRisk } from "../../src/model/route.ts";
import type { QueryAnswer } from "../../src/model/reader.ts";
import { type CycleInput, runCycles } from "../../src/runner/cycle.ts";
import type { CycleTarget } from "../../src/runner/updates/update.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version, VERSION_PATH } from "../support/fixtures.ts";

const promql = (expression: string): JsonObject => ({ type: "PromQL", promql: { promql: expression } });
const ALWAYS = { type: "Always" };
const UNREACHABLE = { kind: "failed", reason: "Unreachable", message: "nobody answers" } as const;

const ANSWERS: Readonly<Record<string, QueryAnswer>> = {
  one: { kind: "vector", values: [1] },
  zero: { kind: "vector", values: [0] },
  none: { kind: "vector", values: [] },
  two: { kind: "vector", values: [1, 1] },
  nan: { kind: "vector", values: [NaN] },
  half: { kind: "vector", values: [0.5] },
  wrong: { kind: "noVector", message: "parse error" },
  gone: UNREACHABLE,
  unasked: { kind: "notAllowed" },
};

test("the first rule that can be evaluated decides", () => {
  const evaluate = (...rules: readonly Json[]): RuleVerdict => evaluateRules(rules, (one) => ANSWERS[one]);
  const everyone = { kind: "applies", to: "everyone" };
  const here = { kind: "applies", to: "thisCluster" };
  const none = { kind: "doesNotApply" };
  assert.deepEqual(evaluate(ALWAYS), everyone);
  assert.deepEqual(evaluate(promql("one"), ALWAYS), here);
  assert.deepEqual(evaluate(promql("zero"), ALWAYS), none);
  for (const failing of ["none", "two", "nan", "half", "wrong", ""]) {
    assert.deepEqual(evaluate(promql(failing), ALWAYS), everyone, failing);
    assert.deepEqual(evaluate(promql(failing), promql("zero")), none, failing);
    assert.equal(evaluate(promql(failing)).kind, "unknown", failing);
  }
  assert.deepEqual(evaluate({ type: "Later" }, promql("one")), here);
  // The operator, which can ask, may come to another verdict than the rules behind.
  for (const open of ["gone", "unasked", "left out"]) assert.equal(evaluate(promql(open), ALWAYS).kind, "unknown");
  assert.equal(evaluate().kind, "unknown");
});

test("says why each rule could not be evaluated", () => {
  const why = (...rules: readonly Json[]): string => {
    const verdict = evaluateRules(rules, (one) => ANSWERS[one]);
    return verdict.kind === "unknown" ? verdict.why : verdict.kind;
  };
  const monitoring = "the cluster's monitoring";
  const table: readonly (readonly [rule: Json, why: string])[] = [
    [promql("none"), `${monitoring} has no data for its rule`],
    [promql("two"), `${monitoring} has 2 series for its rule instead of one`],
    [promql("half"), `${monitoring} gives its rule the value 0.5, neither 0 nor 1`],
    [promql("wrong"), `${monitoring} can't evaluate its rule (parse error)`],
    [promql("gone"), `${monitoring} could not be asked (nobody answers)`],
    [promql("unasked"), `${monitoring} was not asked (--promql)`],
    [promql("left out"), "too many other rules were to be evaluated"],
    [promql(""), "its rule has no expression"],
    [{ type: "Later" }, 'its rule is of the type "Later", which preflight does not know'],
    [{}, 'its rule is of the type "", which preflight does not know'],
  ];
  for (const [rule, expected] of table) assert.equal(why(rule), expected);
  assert.equal(why(), "it has no rule");
  assert.equal(
    why(promql("none"), promql("")),
    `${monitoring} has no data for its rule and its rule has no expression`,
  );
});

test("only the expressions before a rule that always decides are needed", () => {
  assert.deepEqual(listExpressions([promql("a"), { type: "Later" }, promql("b"), ALWAYS, promql("c")]), ["a", "b"]);
  assert.deepEqual(listExpressions([ALWAYS, promql("c")]), []);
  assert.deepEqual(listExpressions([{ type: "PromQL" }, promql("")]), []);
});

function buildRisk(name: string, ...matchingRules: readonly Json[]): PublishedRisk {
  return { name, message: `${name} stops pods.`, url: `https://example.com/${name}`, matchingRules };
}

type Play = { readonly input: Omit<CycleInput, "target">; readonly asked: readonly string[] };

/** A cluster that runs 4.18.4, whose monitoring answers as ANSWERS has it. */
function buildPlay(status: JsonObject = {}, others: readonly Check[] = []): Play {
  const asked: string[] = [];
  const cluster = clusterRunning("4.18.4");
  const running = cluster[VERSION_PATH];
  const reader = fakeReader({
    ...cluster,
    [VERSION_PATH]: { ...running, status: { ...status, ...Object(running?.["status"]) } },
  });
  const query = async (expression: string): Promise<QueryAnswer> => {
    asked.push(expression);
    return ANSWERS[expression] ?? { kind: "vector", values: [1] };
  };
  const input = {
    selection: { checks: [conditionalUpdates, ...others] },
    reader: { ...reader, query },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  };
  return { input, asked };
}

/** The outcomes of the check for updates to these versions, which have these risks. */
async function judge(
  { input }: Play,
  risks: readonly PublishedRisk[],
  more: Pick<Extract<CycleTarget, { kind: "read" }>, "assumeFacts"> = {},
  targets: readonly string[] = ["4.19.9"],
) {
  const results = await runCycles({
    ...input,
    targets: targets.map((text) => ({
      kind: "read",
      version: version(text),
      select: () => release(text),
      recommendation: { kind: "conditional", risks, exposure: "notEvaluated" },
      ...more,
    })),
  });
  return results.map((result) => {
    assert.ok(result.kind === "completed");
    const outcome = result.report.checks.find(({ id }) => id === conditionalUpdates.id)?.outcome;
    assert.ok(outcome);
    return outcome;
  });
}

test("the monitoring is asked once for each rule, for all updates together", async () => {
  const play = buildPlay();
  const risks = [buildRisk("Here", promql("one")), buildRisk("Same", promql("one")), buildRisk("Not", promql("zero"))];
  const outcomes = await judge(play, risks, {}, ["4.19.9", "4.18.9"]);
  assert.deepEqual(play.asked, ["one", "zero"]);
  for (const outcome of outcomes) {
    assert.ok(outcome.kind === "risk");
    assert.deepEqual(
      outcome.findings.map(({ message }) => message),
      ["Here", "Same"].map(
        (name) =>
          `The cluster's monitoring evaluates ${name} as applying: "${name} stops pods" (https://example.com/${name}).`,
      ),
    );
    assert.match(
      outcome.notices.join(),
      /the risk Not for \S+, but the cluster's monitoring evaluates it as not applying/,
    );
  }
});

test("what the operator has evaluated, and what another check decides, is not asked", async () => {
  const evaluated = { ...buildRisk("Evaluated", promql("zero")) };
  const conditions = [{ type: "Applies", status: "True" }];
  const updates = [{ release: { version: "4.19.8" }, risks: [{ ...evaluated, conditions }] }];
  const other = checkWith({ id: "decides", special: { covers: () => [{ name: "Decided", risk: "ThingBroken" }] } });
  // Whether its notice comes is known only after everything is read.
  const narrowing = checkWith({
    id: "narrows",
    special: { covers: () => [{ name: "Narrowed" }] },
    evaluate: () => ({ special: { noticedRisks: [] } }),
  });
  const play = buildPlay({ conditionalUpdates: updates }, [other, narrowing]);
  const risks = [evaluated, buildRisk("Decided", promql("half")), buildRisk("Narrowed", promql("one"))];
  const [outcome] = await judge(play, risks);
  assert.deepEqual(play.asked, ["one"]);
  assert.ok(outcome?.kind === "risk");
  assert.deepEqual(
    outcome.findings.map(({ detail }) => detail?.["name"]),
    ["Evaluated"],
  );
});

test("a later update of a plan asks nothing", async () => {
  const play = buildPlay();
  await judge(play, [buildRisk("Later", promql("one"))], {
    assumeFacts: (facts) => ({ ...facts, version: version("4.18.9") }),
  });
  assert.deepEqual(play.asked, []);
});

test("the number of queries is bounded, and what is left out is unknown by name", async () => {
  const play = buildPlay();
  const risks = Array.from({ length: 60 }, (_, i) => buildRisk(`Risk${i}`, promql(`q${i}`)));
  const [outcome] = await judge(play, risks);
  assert.equal(play.asked.length, 50);
  assert.ok(outcome?.kind === "unknown");
  assert.deepEqual([outcome.findings.length, outcome.unknowns.length], [50, 10]);
  assert.match(outcome.unknowns[0]?.message ?? "", /too many other rules were to be evaluated: "Risk5\d stops pods"/);
});

test("a monitoring that can't be reached is asked once", async () => {
  const play = buildPlay();
  const risks = ["gone", "one", "zero"].map((one) => buildRisk(`Of${one}`, promql(one)));
  const [outcome] = await judge(play, risks);
  assert.deepEqual(play.asked, ["gone"]);
  assert.ok(outcome?.kind === "unknown");
  assert.deepEqual(
    outcome.unknowns.map(({ where }) => where),
    risks.map(({ name }) => `risk ${name} of 4.19.9`),
  );
});
