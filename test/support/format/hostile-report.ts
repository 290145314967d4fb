import assert from "node:assert/strict";
import { judgeAcceptances } from "../../../src/format/view/acceptances.ts";
import { buildDocument } from "../../../src/format/document/document.ts";
import { formats } from "../../../src/format/index.ts";
import { planFormats, playbookFormats } from "../../../src/format/plan/index.ts";
import { targetsFormats } from "../../../src/format/targets/index.ts";
import type { View } from "../../../src/format/view/view.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Report } from "../../../src/model/report.ts";
import type { Recommendation } from "../../../src/model/route.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../fixtures.ts";
import { HOSTILE } from "../../../verify/shared/hostile-text.ts";
import { NOW } from "../../../verify/pages/fleet-sample.ts";
import { formatAll, type Outputs } from "./outputs.ts";
import { acceptAll } from "../../../verify/pages/plan-sample.ts";
import { run } from "../../../verify/pages/sample.ts";

const RISK = {
  name: "ThingBroken",
  effect: "broken",
  title: "A broken thing",
  url: "https://example.com/broken",
  describe: (objects: string) => `${objects} will break.`,
  remediation: "Repair it.",
} as const;

/** Everything that a format is given, with `text` in place of every text of others. */
export type HostileInput = { readonly view: View; readonly plan: Plan };

/** A report as the runner makes it of what checks found. */
async function buildReport(text: string): Promise<Report> {
  const object = { apiVersion: text, kind: text, namespace: text, name: text };
  const finding = { risk: RISK.name, object, path: text, message: text, detail: { detail: text } };
  const unknown = { reason: "Forbidden", where: text, message: text, at: { object, path: text } } as const;
  const result = await runCycle({
    selection: {
      checks: [
        checkWith({ id: "risk", risks: [RISK], evaluate: () => ({ findings: [finding], notices: [text] }) }),
        checkWith({ id: "unknown", name: "Unseen", evaluate: () => ({ unknowns: [unknown], notices: [text] }) }),
        checkWith({ id: "idle", evaluate: () => ({ notApplicable: text }) }),
      ],
      leftOut: [{ check: checkWith({ id: "left" }), by: "--skip", accepted: { check: "left", reason: text } }],
    },
    reader: fakeReader(clusterRunning("4.18.8")),
    target: {
      kind: "read",
      version: version("4.20.3"),
      select: () => release("4.20.3", { image: text, imageVerification: { status: "Verified", message: text } }),
    },
    now: NOW,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  if (result.kind === "failed") assert.fail(result.failure.message);
  return { ...result.report, clusterId: "hostile" };
}

function buildRecommendation(text: string): Recommendation {
  const risk = { name: text, message: text, url: text, matchingRules: [] };
  return { kind: "conditional", exposure: "notEvaluated", risks: [risk] };
}

function buildPlan(report: Report, text: string): Plan {
  const to = { kind: "release", version: report.target, image: text, channels: [] } as const;
  const step = { to, recommendation: buildRecommendation(text) } as const;
  const pending = [{ id: "x", reason: text }];
  return {
    route: { basis: "graph", source: report.source, steps: [step, step] },
    observedAt: NOW,
    steps: [
      { from: "4.18.8", step, result: { kind: "checked", report, pending, repeated: new Map() } },
      { from: "4.20.3", step, result: { kind: "notChecked", message: text } },
    ],
  };
}

export async function buildHostileInput(text = HOSTILE): Promise<HostileInput> {
  const report = await buildReport(text);
  const view: View = {
    report,
    document: buildDocument({ result: { kind: "completed", report }, run }),
    cluster: { kind: "live", context: text, server: text },
    accepted: new Set(),
    acceptances: judgeAcceptances([{ risk: RISK.name, reason: text, objects: [text] }], report),
    offer: { recommendation: buildRecommendation(text), channel: "stable-4.20" },
    backgrounds: new Map([[RISK.name, { concerns: "all", releases: [], certainty: "sure" }]]),
    colour: false,
    width: 100,
  };
  return { view, plan: buildPlan(report, text) };
}

/** What `check` prints, in every format that has texts of others. */
export function formatChecks({ view }: HostileInput): Outputs {
  return formatAll("check", formats, view);
}

/** What `plan`, `playbook` and a check of several targets print. */
export function formatPlans({ view, plan }: HostileInput, text = HOSTILE): Outputs {
  const { report, accepted, cluster, offer, acceptances = [] } = view;
  const common = { ...(cluster === undefined ? {} : { cluster }), colour: false, width: 100 };
  const targets = [
    { kind: "checked", label: text, report, accepted, ...(offer === undefined ? {} : { offer }) },
    { kind: "notChecked", label: text, message: text },
  ] as const;
  const recheck = `preflight plan '${text}'`;
  const names = { recheck, recheckSome: recheck, command: `preflight playbook '${text}'`, isRoute: true };
  const planView = { ...common, plan, run, judged: [acceptAll(accepted), acceptAll(accepted)] };
  return {
    ...formatAll("plan", planFormats, planView),
    ...formatAll("playbook", playbookFormats, { plan, judged: [acceptances, []], ...names }),
    ...formatAll("side by side", targetsFormats, { ...common, targets, run, observedAt: NOW }),
  };
}
