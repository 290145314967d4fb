import assert from "node:assert/strict";
import { test } from "node:test";
import { getExitCode } from "../../src/cli/session/result.ts";
import { decide } from "../../src/format/view/decision.ts";
import { buildDocument } from "../../src/format/document/document.ts";
import { parseClusterResult, type FleetContext } from "../../src/format/fleet/cluster.ts";
import { fleetFormats } from "../../src/format/fleet/index.ts";
import { buildFleet } from "../../src/format/fleet/fleet.ts";
import { formats } from "../../src/format/index.ts";
import { planFormats, playbookFormats } from "../../src/format/plan/index.ts";
import { targetsFormats } from "../../src/format/targets/index.ts";
import type { View } from "../../src/format/view/view.ts";
import { type Check, type Finding, getUnknownRiskName, type Judgement, type Unknown } from "../../src/model/check.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Report } from "../../src/model/report.ts";
import { selectOpenUnseen, UNSEEN_RISKS, type Unseen } from "../../src/model/unseen.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { LeftOutCheck } from "../../src/runner/updates/update.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../support/fixtures.ts";
import { formatAll } from "../support/format/outputs.ts";
import { readReadiness } from "../support/format/readiness-validator.ts";
import { acceptAll } from "../../verify/pages/plan-sample.ts";
import { randomFrom, run } from "../../verify/pages/sample.ts";

/** How many states are tried. Each is judged by the runner itself, so texts and risks are the real ones. */
const STATES = 150;
const NOW = new Date("2026-03-01T10:00:00Z");
const REASONS = ["Forbidden", "RuleNotEvaluated", "NotReported"] as const;
const IDS = ["alpha", "bravo", "charlie", "delta", "echo"];
const TARGETS = ["4.18.9", "4.19.3", "4.20.3"];

type State = { readonly report: Report; readonly accepted: ReadonlySet<string>; readonly checks: readonly Check[] };

function buildJudgement(id: string, random: () => number): Judgement {
  const kind = Math.floor(random() * 6);
  if (kind === 0) return { notApplicable: `${id} has nothing to judge.` };
  if (kind === 1) return { findings: [buildFinding(id)] };
  if (kind === 2) return {};
  const count = 1 + Math.floor(random() * 3);
  const unknowns = Array.from({ length: count }, (_, i): Unknown => ({
    reason: REASONS[i] ?? "NotRead",
    where: `place-of-${id}-${i}`,
    message: "nobody could see it",
  }));
  return kind === 3 ? { unknowns, findings: [buildFinding(id)] } : { unknowns };
}

function buildFinding(name: string): Finding {
  return { risk: "ThingBroken", object: { apiVersion: "v1", kind: "Node", name }, message: "it is broken" };
}

function buildLeftOut(check: Check, random: () => number): LeftOutCheck {
  const kind = Math.floor(random() * 3);
  if (kind === 0) return { check, by: "--skip" };
  const until = kind === 1 ? "2020-01-01" : "2027-01-01";
  return { check, by: "--skip", accepted: { check: check.id, reason: `why ${check.id}`, until } };
}

async function buildState(seed: number): Promise<State> {
  const random = randomFrom(seed);
  const all = IDS.map((id) =>
    checkWith({ id, name: `Name${id}`, evaluate: () => buildJudgement(id, randomFrom(seed * 7 + id.length)) }),
  );
  const isLeft = all.map(() => random() < 0.25);
  const target = TARGETS[Math.floor(random() * TARGETS.length)] ?? "";
  const result = await runCycle({
    selection: {
      checks: all.filter((_, i) => isLeft[i] === false),
      leftOut: all.filter((_, i) => isLeft[i] === true).map((check) => buildLeftOut(check, random)),
    },
    reader: fakeReader(clusterRunning("4.18.8")),
    target: { kind: "read", version: version(target), select: () => release(target) },
    now: NOW,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  if (result.kind === "failed") assert.fail(result.failure.message);
  const names = [...new Set(result.report.risks.map(({ name }) => name))];
  return { report: result.report, accepted: new Set(names.filter(() => random() < 0.4)), checks: all };
}

/** A text that only this one brings: where it is, or which check. */
function getMark({ check = "", risk, unknown }: Unseen): string {
  if (risk === UNSEEN_RISKS.leftOut) return check;
  return risk === UNSEEN_RISKS.minorsBetween ? "4.19" : unknown.where;
}

/** With the name under which it is accepted. A page for people counts the last of many places, and names their checks. */
function shows(text: string, one: Unseen): boolean {
  const isListed = text.includes(getMark(one)) || (/\band \d+ more\b/.test(text) && text.includes(one.check ?? ""));
  return isListed && text.includes(one.risk);
}

function buildPlan(report: Report): Plan {
  const to = { kind: "release", version: report.target, channels: [] } as const;
  const step = { to, recommendation: { kind: "recommended" } } as const;
  const result = { kind: "checked", report, pending: [], repeated: new Map<string, number>() } as const;
  const steps = [{ from: report.source.text, step, result }];
  return { route: { basis: "graph", source: report.source, steps: [step] }, observedAt: NOW, steps };
}

function formatState({ report, accepted }: State): Readonly<Record<string, string>> {
  const document = buildDocument({
    result: { kind: "completed", report },
    run: { ...run, targetVersion: report.target.text },
  });
  const view: View = { report, document, accepted, colour: false, width: 100 };
  const plan = buildPlan(report);
  const targets = [{ kind: "checked", label: report.target.text, report, accepted }] as const;
  const names = {
    recheck: "preflight plan",
    recheckSome: "preflight plan",
    command: "preflight playbook",
    isRoute: true,
  };
  return {
    ...formatAll("check", formats, view),
    ...formatAll("plan", planFormats, { ...view, plan, judged: [acceptAll(accepted)], run }),
    playbook: playbookFormats.markdown({ plan, judged: [[]], ...names }),
    ...formatAll("side by side", targetsFormats, { ...view, targets, run, observedAt: NOW }),
  };
}

const seeds = Array.from({ length: STATES }, (_, i) => i + 1);

test("whatever was not seen and is not accepted is in every format with its name, and no exit code is 0", async () => {
  let openCount = 0;
  for (const seed of seeds) {
    const state = await buildState(seed);
    const open = selectOpenUnseen(state.report, state.accepted);
    openCount += open.length;
    const texts = formatState(state);
    for (const one of open)
      for (const [name, text] of Object.entries(texts))
        assert.ok(
          shows(text, one),
          `seed ${seed}: ${name} doesn't show ${one.risk} ${one.check ?? ""} ${getMark(one)}`,
        );
    const isUnseen = open.length > 0;
    const verdicts = [decide(state.report, state).kind];
    if (isUnseen) assert.notEqual(getExitCode(verdicts, "incomplete"), 0, `seed ${seed}`);
    if (isUnseen) assert.notEqual(decide(state.report, state).kind, "clear");
    const isAllSeen = state.report.unseen.length === 0;
    const { decision } = readReadiness(texts["check readiness"] ?? "");
    assert.ok(
      isAllSeen || decision !== "recommend",
      `seed ${seed}: what was not seen, also if accepted, is no readiness`,
    );
    if (isUnseen) assert.ok(decision === "escalate" || decision === "block", `seed ${seed}`);
  }
  assert.ok(openCount > STATES, "the states have something to show");
});

test("what no outcome calls clear is among what was not seen, and the other way round", async () => {
  for (const seed of seeds) {
    const { report } = await buildState(seed);
    const unknown = report.checks.filter(({ outcome }) => outcome.kind === "unknown").map(({ id }) => id);
    const listed = new Set(report.unseen.flatMap(({ check }) => check ?? []));
    assert.deepEqual([...listed].toSorted(), unknown.toSorted(), `seed ${seed}`);
  }
});

test("a document, and a fleet that reads it, call complete only what was seen", async () => {
  for (const seed of seeds.slice(0, 60)) {
    const { report, checks } = await buildState(seed);
    const document = buildDocument({
      result: { kind: "completed", report },
      run: { ...run, targetVersion: report.target.text },
    });
    const open = selectOpenUnseen(report, new Set());
    assert.equal(document.complete, open.length === 0, `seed ${seed}`);
    const context: FleetContext = {
      now: NOW,
      maxAge: 3_600_000,
      acceptances: [],
      effects: new Map(),
      unknownNames: new Map(checks.map((check) => [check.id, getUnknownRiskName(check)])),
    };
    const cluster = await parseClusterResult("one", JSON.stringify(document), context);
    const hasRisk = report.risks.some(({ unknown }) => !unknown);
    assert.equal(cluster.verdict, hasRisk ? "risk" : open.length > 0 ? "incomplete" : "clear", `seed ${seed}`);
    const matrix = buildFleet({ clusters: [cluster], target: "x", now: NOW });
    if (open.length > 0) assert.notEqual(getExitCode([cluster.verdict], "incomplete"), 0);
    for (const [name, format] of Object.entries(fleetFormats)) {
      const text = format(matrix, { colour: false, width: 200, runnerVersion: "1" });
      for (const { risk } of open) assert.ok(text.includes(risk), `seed ${seed}: ${name} doesn't show ${risk}`);
    }
  }
});
