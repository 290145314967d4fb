import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check, Context } from "../../src/model/check.ts";
import type { StepResult } from "../../src/model/plan.ts";
import { each } from "../../src/model/read.ts";
import type { Reader } from "../../src/model/reader.ts";
import type { Release } from "../../src/model/release.ts";
import { runSteps, type StepRelease } from "../../src/runner/plan-cycles.ts";
import type { CycleSelection } from "../../src/runner/updates/update.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../support/fixtures.ts";

const buildTarget =
  (text: string, more: Partial<Release> = {}) =>
  async (): Promise<StepRelease> => ({
    kind: "read",
    version: version(text),
    select: () => release(text, more),
  });
const ABSENT = async (): Promise<StepRelease> => ({ kind: "absent", message: "no release of 4.19 is at hand" });

async function run(
  checks: readonly Check[],
  targets: readonly (() => Promise<StepRelease>)[],
  more: Partial<CycleSelection> = {},
  reader: Reader = fakeReader(clusterRunning("4.18.8")),
) {
  const result = await runSteps(
    {
      selection: { checks, ...more },
      reader,
      now: new Date("2026-01-02T03:04:05Z"),
      signal: new AbortController().signal,
      limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
    },
    targets,
  );
  if (result.kind === "failed") assert.fail(result.failure.message);
  return result.results;
}

const requireChecked = (result: StepResult | undefined) => {
  if (result?.kind !== "checked") assert.fail(JSON.stringify(result));
  return result;
};

const buildFinding = (name: string) => ({
  risk: "ThingBroken",
  object: { apiVersion: "v1", kind: "Node", name },
  message: "it is broken",
});

test("each step starts from the release before it: its version and its capabilities", async () => {
  const seen: Context[] = [];
  const check = checkWith({
    id: "look",
    evaluate: (_, context) => {
      seen.push(context);
      return {};
    },
  });
  const capabilities = { known: ["A", "B"], enabled: ["A"], implicit: ["A"] };
  const facts: unknown[] = [];
  const select: Extract<StepRelease, { kind: "read" }>["select"] = (given) => {
    facts.push(given.capabilities);
    return release("4.20.4");
  };
  const last = async (): Promise<StepRelease> => ({ kind: "read", version: version("4.20.4"), select });
  await run([check], [buildTarget("4.19.12", { capabilities }), last]);
  assert.deepEqual(
    seen.map(({ source, target }) => `${source.text} -> ${target.text}`),
    ["4.18.8 -> 4.19.12", "4.19.12 -> 4.20.4"],
  );
  assert.deepEqual(facts, [{ known: ["A", "B"], enabled: ["A"] }]);
});

test("a check of what an update changes is pending in later steps, unless it does not apply", async () => {
  const evaluate = () => ({ findings: [buildFinding("a")] });
  const checks = [
    checkWith({ id: "operators", seenAfterUpdate: "They are updated too.", evaluate }),
    checkWith({ id: "other", seenAfterUpdate: "It changes.", applies: { kind: "crosses", minor: "4.19" } }),
    checkWith({ id: "objects" }),
  ];
  const [first, second] = (await run(checks, [buildTarget("4.19.12"), buildTarget("4.20.4")])).map(requireChecked);
  const getOutcomes = (step: typeof first) => step?.report.checks.map(({ id, outcome }) => `${id} ${outcome.kind}`);
  assert.deepEqual(getOutcomes(first), ["objects clear", "operators risk", "other clear"]);
  assert.deepEqual(first?.pending, []);
  assert.deepEqual(getOutcomes(second), ["objects clear", "other notApplicable"]);
  assert.deepEqual(second?.pending, [{ id: "operators", reason: "They are updated too." }]);
  assert.deepEqual(second?.report.risks, []);
});

test("a check that a release brings is pending in later steps as the given ones are, and one that was left out is not", async () => {
  const seenAfterUpdate = "It changes.";
  const brought = checkWith({ id: "brought", seenAfterUpdate });
  const leftOut = [{ check: checkWith({ id: "skipped", seenAfterUpdate }), by: "--skip" }];
  const given = [checkWith({ id: "given", seenAfterUpdate })];
  const targets = [buildTarget("4.19.12"), buildTarget("4.20.4")];
  const ids: string[] = [];
  const findChecks = async (update: { readonly given: readonly Check[] }) => {
    ids.push(...update.given.map(({ id }) => id));
    return { checks: [brought], leftOut: [] };
  };
  const found = (await run(given, targets, { findChecks, leftOut })).map(requireChecked);
  assert.deepEqual(ids, ["given", "given"]);
  assert.deepEqual(
    found.map(({ report, pending }) => [report.checks.map(({ id }) => id), pending]),
    [
      [["brought", "given", "skipped"], []],
      [["skipped"], ["brought", "given"].map((id) => ({ id, reason: seenAfterUpdate }))],
    ],
  );
});

test("a check that knows a part ahead keeps its findings on a later step, and is pending too", async () => {
  const running: unknown[] = [];
  const check = checkWith({
    id: "gates",
    seenAfterUpdate: "Each release has its own.",
    special: { isKnownAhead: true },
    evaluate: (_, context) => {
      running.push(context.special.running?.text);
      return { findings: [buildFinding(context.source.text)] };
    },
  });
  const [, second] = (await run([check], [buildTarget("4.19.12"), buildTarget("4.20.4")])).map(requireChecked);
  assert.deepEqual(running, [undefined, "4.18.8"]);
  assert.deepEqual(second?.pending, [{ id: "gates", reason: "Each release has its own." }]);
  assert.deepEqual(
    second?.report.risks.map(({ name }) => name),
    ["ThingBroken"],
  );
  assert.deepEqual(second?.repeated.size, 0);
});

test("a risk is repeated if an earlier step has all of its findings, and new if it lacks one", async () => {
  const namesByTarget: Readonly<Record<string, readonly string[]>> = {
    "4.19.12": ["a", "b"],
    "4.20.4": ["a"],
    "4.21.2": ["a", "c"],
  };
  const check = checkWith({
    id: "objects",
    evaluate: (_, { target }) => ({ findings: (namesByTarget[target.text] ?? []).map(buildFinding) }),
  });
  const results = await run(
    [check],
    Object.keys(namesByTarget).map((text) => buildTarget(text)),
  );
  const repeated = results.map((result) => [...requireChecked(result).repeated]);
  assert.deepEqual(repeated, [[], [["ThingBroken", 1]], []]);
});

test("eight steps read the cluster once, and the ninth starts where they ended", async () => {
  const reader = fakeReader(clusterRunning("4.8.8"));
  const lists: string[] = [];
  const counting: typeof reader = {
    ...reader,
    list: (resource, ...more) => {
      lists.push(resource.resource);
      return reader.list(resource, ...more);
    },
  };
  const nodes = { nodes: each("v1/nodes", () => undefined) };
  const texts = Array.from({ length: 9 }, (_, i) => `4.${9 + i}.1`);
  const results = await run(
    [checkWith({ id: "nodes", reads: () => nodes })],
    texts.map((text) => buildTarget(text)),
    {},
    counting,
  );
  assert.deepEqual(
    lists.filter((one) => one === "nodes"),
    ["nodes", "nodes"],
  );
  assert.deepEqual(
    results.map((result) => requireChecked(result).report.source.text),
    ["4.8.8", ...texts.slice(0, -1)],
  );
});

test("a release that is not at hand is passed over, and the next one is checked from the last that is", async () => {
  const [first, second] = await run([checkWith({ id: "objects" })], [ABSENT, buildTarget("4.20.4")]);
  assert.deepEqual(first, { kind: "notChecked", message: "no release of 4.19 is at hand" });
  const { source, target } = requireChecked(second).report;
  assert.deepEqual([source.text, target.text], ["4.18.8", "4.20.4"]);
});

test("a step whose release can't be read fails the plan", async () => {
  const failure = { reason: "PayloadUnreadable", message: "target folder x can't be read" } as const;
  const result = await runSteps(
    {
      selection: { checks: [checkWith({ id: "objects" })] },
      reader: fakeReader(clusterRunning("4.18.8")),
      now: new Date(0),
      signal: new AbortController().signal,
      limits: { concurrency: 1, checkTimeout: 5_000, cycleTimeout: 10_000 },
    },
    [buildTarget("4.19.12"), async () => ({ kind: "failed", failure })],
  );
  assert.equal(result.kind, "failed");
  assert.deepEqual(result.kind === "failed" && result.failure, failure);
});
