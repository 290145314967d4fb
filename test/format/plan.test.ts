import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { formatPlanJson, planFormats } from "../../src/format/plan/index.ts";
import { isPlanComplete, type Plan } from "../../src/model/plan.ts";
import { check, createUnknown, report, risk, run, version } from "../../verify/pages/sample.ts";
import { acceptAll, fullPlan, planByRule } from "../../verify/pages/plan-sample.ts";

const PLAIN = { judged: [], colour: false, width: 80 } as const;
const SCHEMA = join(import.meta.dirname, "..", "..", "schemas", "preflight-plan-v1.schema.json");
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

test("a plan names its route, then what each step needs, and what shows later", () => {
  const lines = planFormats.wide({ plan: fullPlan, ...PLAIN }).split("\n");
  const isRiskText = (line: string): boolean => /^ {4}/.test(line);
  assert.deepEqual(
    lines.filter((line) => line !== "" && !isRiskText(line)),
    [
      "Don't update yet. 4.18.8 -> 4.20.4: 2 updates, 2 risks",
      "Route, as the update graph offers it:",
      "  1  4.18.8 -> 4.19.12, recommended, channel stable-4.19",
      "  2  4.19.12 -> 4.20.4, with conditions (ExampleRisk)",
      "Control plane only: the nodes of the pools infra and worker can skip the minor",
      "between and restart once. Pause them before step 1:",
      `  oc patch machineconfigpool/infra --type merge -p '{"spec":{"paused":true}}'`,
      `  oc patch machineconfigpool/worker --type merge -p '{"spec":{"paused":true}}'`,
      "Resume them once step 2 is done:",
      `  oc patch machineconfigpool/infra --type merge -p '{"spec":{"paused":false}}'`,
      `  oc patch machineconfigpool/worker --type merge -p '{"spec":{"paused":false}}'`,
      "Step 1: 4.18.8 -> 4.19.12",
      "  To do before step 1:",
      "Something breaks",
      "  DrainBlocked",
      "  Select the channel that has the release:",
      "  oc adm upgrade channel stable-4.19",
      "Notices",
      "  drain: A budget has no pods.",
      "Step 2: 4.19.12 -> 4.20.4",
      "Conditions of the update service",
      "  ExampleRisk: Pods may restart. https://docs.example/risk",
      "  To do before step 2; it can wait until step 1 is done:",
      "Something breaks",
      "  CgroupModeRemoved",
      "  Already to do before step 1, and for 4.20.4 too: DrainBlocked.",
      "Seen once step 1 is done",
      "  etcd-health: The members of etcd are updated too.",
      '  Then run "preflight check --to 4.20.4".',
    ],
  );
});

test("a terminal has a line for each step, one for each risk, and the order of pausing once", () => {
  const [head = "", , route, steps = "", risks = "", ...others] = planFormats
    .table({ plan: fullPlan, ...PLAIN, width: 130 })
    .split("\n\n")
    .toSpliced(1, 0, "");
  assert.equal(head, "Don't update yet. 4.18.8 -> 4.20.4: 2 updates, 2 risks");
  assert.equal(route, "Route, as the update graph offers it:");
  assert.deepEqual(steps.split("\n").slice(1), [
    "1      4.18.8 -> 4.19.12   recommended       1 risk mended, channel stable-4.19",
    "2      4.19.12 -> 4.20.4   with conditions   1 risk mended, what step 1 needs, a verdict on ExampleRisk, 1 check after step 1",
  ]);
  assert.deepEqual(risks.split("\n").slice(1), [
    "step 1   breaks   DrainBlocked        cluster   minutes   hand",
    "step 2   breaks   CgroupModeRemoved   cluster   minutes   hand",
  ]);
  const rest = others.join("\n");
  assert.equal(rest.split('"paused":true').length, 3);
  assert.equal(rest.split('"paused":false').length, 3);
  assert.match(
    rest,
    /Don't update yet\. Next: DrainBlocked, before step 1\. Each step in detail, with 1 notice: -o wide\.\n$/,
  );
});

test("the line of a step says what it lacks", () => {
  const lineOf = (plan: Plan, step: number): string =>
    new RegExp(`^${step} .*$`, "m").exec(planFormats.table({ plan, ...PLAIN, width: 120 }))?.[0] ?? "";
  assert.match(lineOf(planByRule, 1), / a release to check: no release of 4\.19 is at hand$/);
  const [first] = fullPlan.steps;
  assert.ok(first);
  const show = (of: ReturnType<typeof report>): string => {
    const result = { kind: "checked", report: of, pending: [], repeated: new Map() } as const;
    return lineOf({ ...fullPlan, steps: [{ ...first, channel: undefined, result }] }, 1);
  };
  const unknown = { kind: "unknown", unknowns: [createUnknown("nodes")], findings: [], notices: [] } as const;
  assert.match(show(report({ checks: [check("sample", unknown)], risks: [] })), / 1 check completed/);
  assert.match(
    show(report({ target: version("4.18.9"), checks: [check("sample", { kind: "clear", notices: [] })], risks: [] })),
    / nothing$/,
  );
});

test("the check of a step that has to wait names the folder of its release", () => {
  const folders = new Map([["4.20.4", "my releases/4.20.4"]]);
  const text = planFormats.wide({ plan: fullPlan, ...PLAIN, width: 200, checkFlags: "--skip nodes", folders });
  assert.match(text, /Then run "preflight check --target 'my releases\/4\.20\.4' --skip nodes"\./);
});

test("the check of a step that has to wait repeats what decided on the plan", () => {
  const text = planFormats.wide({ plan: fullPlan, ...PLAIN, checkFlags: "--skip nodes" });
  assert.match(text, /Then run "preflight check --to 4\.20\.4 --skip nodes"\./);
});

test("the head of a plan says how many of its risks are accepted in every step that has them", () => {
  const show = (...accepted: readonly string[][]): string =>
    planFormats.wide({ plan: fullPlan, ...PLAIN, judged: accepted.map(acceptAll) }).split("\n")[0] ?? "";
  assert.match(show(["DrainBlocked"], ["DrainBlocked"]), /: 2 updates, 2 risks, 1 of them accepted$/);
  assert.match(show(["DrainBlocked"], []), /: 2 updates, 2 risks$/);
});

test("a plan by rule says so, and that a step was not checked", () => {
  const text = planFormats.wide({ plan: planByRule, ...PLAIN });
  assert.match(
    text,
    /^Don't start step 2 yet\. 4\.18\.8 -> 4\.20\.4: 2 updates, 1 risk, 1 update could not be checked\n/,
  );
  assert.match(
    text,
    /Route by the rule that no update skips a minor; no update graph was read:\n\n {2}1 {2}4\.18\.8 -> 4\.19\n/,
  );
  assert.match(
    text,
    /Step 1: 4\.18\.8 -> 4\.19\n\n {2}This update was not checked: no release of 4\.19 is at hand\.\n/,
  );
  assert.match(text, /Checked from 4\.18\.8, since no release of 4\.19 is at hand\./);
  // What the first step would have found is not known, so nothing is said to be able to wait.
  assert.match(text, /\n {2}To do before step 2:\n/);
});

test("a plan names the cluster, which the first step that was checked has read", () => {
  const steps = planByRule.steps.map((step) =>
    step.result.kind === "checked"
      ? { ...step, result: { ...step.result, report: { ...step.result.report, clusterId: "abc" } } }
      : step,
  );
  const text = planFormats.wide({ plan: { ...planByRule, steps }, ...PLAIN });
  assert.match(text, /^[^\n]+\nCluster abc\n/);
});

const parse = (plan: Plan) => JSON.parse(formatPlanJson({ plan, judged: [acceptAll(["DrainBlocked"])], run }));

for (const [title, plan] of [
  ["with everything", fullPlan],
  ["by rule", planByRule],
] as const) {
  test(`the JSON of a plan ${title} fits its schema`, () => {
    assert.ok(validate(parse(plan)), JSON.stringify(validate.errors));
  });
}

test("the JSON of a plan has the result of each step as check prints it", () => {
  const json = parse(fullPlan);
  assert.deepEqual(
    [json.sourceVersion, json.targetVersion, json.basis, json.complete, json.accepted],
    ["4.18.8", "4.20.4", "graph", true, ["DrainBlocked"]],
  );
  const [first, second] = json.steps;
  assert.deepEqual([first.step, first.recommendation, first.channel], [1, "recommended", "stable-4.19"]);
  assert.equal(first.targetImage, "registry.example.com/release@sha256:4.19.12");
  assert.deepEqual([second.exposure, second.publishedRisks.length], ["notEvaluated", 1]);
  assert.deepEqual(second.repeated, [{ risk: "DrainBlocked", step: 1 }]);
  assert.deepEqual(
    second.result.risks.map(({ name }: { readonly name: string }) => name),
    ["CgroupModeRemoved", "DrainBlocked"],
  );
  assert.equal(second.result.preflightID, "2026-03-01T10:00:00Z-preflight-4.20.4");
});

test("a notice that differs by the target's version alone is given once", () => {
  const build = (target: string, ...more: readonly string[]) => {
    const notices = [`${target} changes a default.`, ...more];
    const of = report({ target: version(target), checks: [check("sample", { kind: "clear", notices })] });
    return { kind: "checked", report: of, pending: [], repeated: new Map() } as const;
  };
  const results = [build("4.19.12"), build("4.20.4", "4.20.4 adds a kind.")];
  const steps = fullPlan.steps.map((step, i) => ({ ...step, result: results[i] ?? step.result }));
  const text = planFormats.wide({ plan: { ...fullPlan, steps }, ...PLAIN });
  assert.equal(text.split("changes a default").length, 2);
  assert.match(text, /Step 2: [^]*sample: 4\.20\.4 adds a kind\./);
});

test("a plan with a step that was not checked is not complete", () => {
  assert.equal(isPlanComplete(fullPlan), true);
  assert.equal(isPlanComplete(planByRule), false);
  const json = parse(planByRule);
  assert.equal(json.complete, false);
  assert.deepEqual(json.steps[0], {
    step: 1,
    sourceVersion: "4.18.8",
    targetVersion: "4.19",
    recommendation: "unknown",
    state: "notChecked",
    reason: "no release of 4.19 is at hand",
  });
});

test("the schema refuses a step that was checked but has no result", () => {
  const json = parse(fullPlan);
  const { result: _, ...first } = json.steps[0];
  assert.equal(validate({ ...json, steps: [first] }), false);
});

test("what could not be checked is named in the first step that lacks it, and only referred to in later ones", () => {
  const blind = (target: string, ...where: readonly string[]) =>
    report({
      target: version(target),
      checks: [
        check("sample", {
          kind: "unknown",
          unknowns: where.map((one) => createUnknown(one)),
          findings: [],
          notices: [],
        }),
      ],
      risks: [risk("SampleUnknown", { check: "sample" })],
    });
  const getText = (second: ReturnType<typeof blind>): string => {
    const [first, next] = fullPlan.steps;
    assert.ok(first && next);
    const results = [blind("4.19.12", "nodes"), second].map((of) => {
      return { kind: "checked", report: of, pending: [], repeated: new Map() } as const;
    });
    const steps = [first, next].map((step, i) => ({ ...step, result: results[i] ?? step.result }));
    return planFormats.wide({ plan: { ...fullPlan, steps }, ...PLAIN });
  };
  const repeated = getText(blind("4.20.4", "nodes"));
  assert.equal(repeated.split("reading nodes was forbidden").length, 2);
  assert.match(repeated, /Could not be checked in an earlier step either: sample\./);
  const more = getText(blind("4.20.4", "nodes", "pods"));
  assert.equal(more.split("reading nodes was forbidden").length, 2);
  assert.match(more, /Step 2: [^]*reading pods was forbidden/);
  assert.doesNotMatch(more, /earlier step either/);
});
