import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { playbookFormats } from "../../src/format/plan/index.ts";
import type { PlaybookView } from "../../src/format/plan/plan-view.ts";
import type { JudgedAcceptance } from "../../src/model/unseen.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Report } from "../../src/model/report.ts";
import { fullPlan, planByRule } from "../../verify/pages/plan-sample.ts";
import { fullReport } from "../../verify/pages/table-sample.ts";
import { check, finding, report, risk, version } from "../../verify/pages/sample.ts";
import { findLive } from "../support/live-markdown.ts";

const NAMES = {
  recheck: "preflight plan --to 4.20 --skip platform",
  recheckSome: "preflight plan --to 4.20",
  command: "preflight playbook --to 4.20 --skip platform",
  isRoute: true,
} as const;
const DUAL_STACK: JudgedAcceptance = {
  acceptance: { risk: "DualStackNetworks", reason: "A <later> patch", until: "2026-12-31" },
  state: { kind: "accepted" },
};

function format(plan: Plan, more: Partial<PlaybookView> = {}): string {
  return playbookFormats.markdown({ plan, judged: plan.steps.map(() => []), ...NAMES, ...more });
}

/** The plan of the table's report: something in every section of a step. */
function buildOneStep(of = fullReport()): Plan {
  const to = { kind: "release", version: of.target, channels: [] } as const;
  const step = { to, recommendation: { kind: "recommended" } } as const;
  const result = { kind: "checked", report: of, pending: [], repeated: new Map<string, number>() } as const;
  return {
    route: { basis: "clusterVersion", source: of.source, steps: [step] },
    observedAt: of.observedAt,
    steps: [{ from: of.source.text, step, result }],
  };
}

for (const [name, text] of [
  ["playbook.md", format(fullPlan)],
  ["playbook-by-rule.md", format(planByRule)],
  ["playbook-target.md", format(buildOneStep(), { judged: [[DUAL_STACK]], isRoute: false })],
] as const)
  test(`the playbook is as ${name} has it`, () => {
    const file = join(import.meta.dirname, "golden", name);
    if (process.env["UPDATE"] === "1") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });

test("another time, context or order of checks changes nothing", () => {
  const of = fullReport();
  const later = { ...of, observedAt: new Date("2031-01-01T00:00:00Z"), checks: of.checks.toReversed() };
  const other = { ...later, risks: of.risks.toReversed(), coverage: { kinds: 9, objects: 9, bytes: 9 } };
  assert.equal(format(buildOneStep(other)), format(buildOneStep(of)));
});

test("a given target that passes minors is not the whole way, or may not be, unless it is offered as one", () => {
  const of = (more: Partial<Report>): string =>
    format(buildOneStep(report({ target: version("4.19.3"), ...more })), { isRoute: false });
  assert.doesNotMatch(of({}), /the whole way/);
  assert.match(of({ minorsBetween: { names: ["4.19"] } }), /This is not the whole way:.* each minor needs an update/);
  const unknown = { names: ["4.19"], unknown: "it is down" };
  assert.match(of({ minorsBetween: unknown }), /This may not be the whole way:.* each minor may need an update/);
});

test("a Kubernetes playbook names no command of OpenShift", () => {
  const of = report({ source: version("1.31.4"), target: version("1.32.0"), checks: [], risks: [] });
  const text = format(buildOneStep(of));
  assert.match(text, /\n- \[ \] Update the cluster to 1\.32\.0 as its distribution describes\.\n/);
  assert.doesNotMatch(text, /\boc\b/);
});

test("text of a cluster becomes neither markup nor the end of a code block", () => {
  const evil = "<b> *x* `y` ``` @team [a](http://b)\n# heading";
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: evil };
  const findings = [finding("A", { object, path: evil, message: evil, fix: [`oc get ${evil}`] })];
  const risks = [risk("A", { check: "a", description: evil, remediation: evil })];
  const of = report({ checks: [check("a", { kind: "risk", findings, notices: [evil] })], risks });
  const text = format(buildOneStep(of));
  const outside = text.replaceAll(/^ *(`{3,})sh\n[^]*?^ *\1$/gm, "");
  assert.deepEqual(findLive(outside), []);
  assert.doesNotMatch(outside, /^# heading/m);
  assert.match(text, /\n {4}`{4}sh\n/);
});

test("an update by image is offered as a command only with the digest of an image", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  const formatWith = (image: string): string => {
    const plan = buildOneStep();
    const steps = plan.steps.map((planned) => ({
      ...planned,
      step: {
        to: { kind: "release", version: version("4.20.3"), image, channels: [] },
        recommendation: { kind: "notOffered" },
      } as const,
    }));
    return format({ ...plan, steps });
  };
  assert.match(formatWith(`quay.io:443/a/b@${digest}`), /--to-image=quay\.io:443\/a\/b@sha256:0{64}\n/);
  for (const image of [
    `$(reboot)@${digest}`,
    `a;reboot #@${digest}`,
    `-x@${digest}`,
    `a\u202eb@${digest}`,
    "a@sha256:0",
  ])
    assert.match(formatWith(image), /--to-image=<image of 4\.20\.3 by digest>\n/, image);
});

test("the page of a playbook begins with all of the work, and leads to each", () => {
  const page = playbookFormats.html({ plan: fullPlan, judged: [[], []], ...NAMES });
  const [, table = ""] = /<table class="fits overview">(.*?)<\/table>/s.exec(page) ?? [];
  const rows = [...table.matchAll(/<th scope="row">(.*?)<\/th>.*?href="#(.*?)"/g)].map(([, step, name]) => [
    step,
    name,
  ]);
  assert.deepEqual(rows, [
    ["step 1", "DrainBlocked"],
    ["step 2", "CgroupModeRemoved"],
  ]);
  for (const [, name] of rows) assert.ok(page.includes(` id="${name}"`), name);
});
