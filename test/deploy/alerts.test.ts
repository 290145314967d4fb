import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { load } from "js-yaml";
import { checks as all } from "../../src/checks/index.ts";
import { selectOfSubject } from "../../src/cli/checks/check-selection.ts";
import { getUnknownRiskName } from "../../src/model/check.ts";
import { RUNNER_ALERTS } from "../../src/model/cluster-version-risks.ts";
import { UNSEEN_RISKS } from "../../src/model/unseen.ts";
import type { Alert } from "../../tools/alerts/alert.ts";
import { buildPrecheckPatch, buildPrometheusRule } from "../../tools/alerts/prometheus-rule.ts";
import { MAX_ALERTS, TOO_MANY_RISKS } from "../../tools/alerts/risk-alerts.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { noPromtool, runPromtool } from "../support/promtool.ts";
import { DEPLOYMENT, type Expected, type Scenario, WELL, ours, risk, testFile } from "../support/deploy/alert-cases.ts";

/** Those that a runner in the cluster runs. */
const checks = selectOfSubject(all);
const FILE = join(import.meta.dirname, "..", "..", "deploy", "monitoring", "prometheusrule.yaml");
const alerts = buildPrometheusRule(checks).spec.groups.flatMap(({ rules }) => rules);
const risks = [
  ...checks.flatMap((check) => [...check.risks.map(({ name }) => name), getUnknownRiskName(check)]),
  // No runner reports the third.
  UNSEEN_RISKS.leftOut,
  UNSEEN_RISKS.nothingChecked,
];
const [first = "", second = ""] = risks;

function findAlert(name: string): Alert {
  const found = alerts.find(({ alert }) => alert === name);
  assert.ok(found, name);
  return found;
}

const MESSAGE_TEMPLATE =
  /\{\{ with [^}]*\}.*?\| query \}\}\{\{ \. \| first \| label "message" \}\}\{\{ else \}\}(.*)\{\{ end \}\}/;

/** The alert that fires for a series with these labels, and with the risk's message if the runner shows it. */
function fires(
  minute: number,
  name: string,
  labels: Readonly<Record<string, string>> = {},
  message?: string,
): Expected {
  const alert = findAlert(name);
  const filled = Object.entries(alert.annotations).map(([key, text]) => [
    key,
    text
      .replace(MESSAGE_TEMPLATE, (_, otherwise: string) => message ?? otherwise)
      .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? ""),
  ]);
  return {
    minute,
    alert: name,
    fires: [{ labels: { ...alert.labels, ...labels }, annotations: Object.fromEntries(filled) }],
  };
}

const VERSIONS = { source: "5.0.3", target: "5.2.0" };
const silent = (minute: number, alert: string): Expected => ({ minute, alert });
const fresh = WELL.slice(1);

test("every risk has one alert with the risk's name, and the former name as a label", () => {
  const named = alerts.map(({ alert }) => alert);
  assert.equal(new Set(named).size, named.length);
  const ofRunner = named.filter((name) => !risks.includes(name));
  assert.deepEqual(ofRunner, RUNNER_ALERTS);
  assert.equal(named.length, risks.length + ofRunner.length);
  // The risk names that the operator of 4.22 accepts.
  assert.deepEqual(
    named.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
    [],
  );
  for (const name of risks) assert.equal(findAlert(name).labels["alias"], `Preflight${name}`);
});

test("the alert about too many risks fires where those of the risks stop", () => {
  const { expr, annotations } = findAlert("PreflightRisksTooMany");
  assert.equal(expr, TOO_MANY_RISKS);
  assert.ok(annotations.summary.includes(` ${MAX_ALERTS} `));
  for (const name of risks) assert.ok(findAlert(name).expr.endsWith(`unless on () (${TOO_MANY_RISKS})`));
});

test("the text of a risk's alert can neither fill the operator's condition nor look like the controller's own text", () => {
  const lengths = alerts.map(({ annotations }) => annotations.summary.length + annotations.runbook_url.length + 3);
  assert.ok(Math.max(...lengths) * MAX_ALERTS <= 16_000, `${Math.max(...lengths)}`);
  assert.deepEqual(
    alerts.filter(({ annotations }) => /^\S+ -> \S+: |^Preflight=/.test(annotations.summary)),
    [],
  );
  assert.deepEqual(
    alerts.filter(({ annotations }) => !annotations.runbook_url.startsWith("https://")),
    [],
  );
});

test("no alert of the base affects an update, and the overlay patches every risk's alert", () => {
  assert.deepEqual(
    alerts.filter(({ labels }) => "openShiftUpdatePrecheck" in labels || labels["severity"] === "critical"),
    [],
  );
  const { groups } = buildPrometheusRule(checks).spec;
  const patched = buildPrecheckPatch(checks).map(({ op, path, value }) => {
    const [, group, index] = /^\/spec\/groups\/(\d+)\/rules\/(\d+)\/labels\/openShiftUpdatePrecheck$/.exec(path) ?? [];
    assert.deepEqual([op, value], ["add", "true"]);
    return groups[Number(group)]?.rules[Number(index)]?.alert ?? path;
  });
  assert.deepEqual(patched, [
    ...risks.map((name) => name),
    "PreflightRunnerStale",
    "PreflightRunnerFailing",
    "PreflightRisksTooMany",
  ]);
});

type RuleFile = { readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[] };

suite("promtool", { skip: noPromtool }, () => {
  const at = { folder: "", rules: "" };
  before(async () => {
    at.folder = await mkdtemp(join(tmpdir(), "preflight-rules-"));
    at.rules = join(at.folder, "rules.yaml");
    const rule: unknown = load(await readFile(FILE, "utf8"));
    assert.ok(typeof rule === "object" && rule !== null && "spec" in rule);
    await writeFile(at.rules, JSON.stringify(rule.spec));
  });
  after(() => rm(at.folder, { recursive: true, force: true }));

  /** Evaluates the rules whose alerts the scenarios name: of others, promtool compares nothing. */
  async function holds(...scenarios: readonly Scenario[]): Promise<void> {
    const file = join(at.folder, "test.yaml");
    const rules = join(at.folder, "named.yaml");
    const named = new Set(scenarios.flatMap(({ expected }) => expected.map(({ alert }) => alert)));
    const all: RuleFile = JSON.parse(await readFile(at.rules, "utf8"));
    const groups = all.groups.map((group) => ({
      ...group,
      rules: group.rules.filter(({ alert }) => named.has(alert)),
    }));
    await writeFile(rules, JSON.stringify({ groups }));
    await writeFile(file, testFile(rules, scenarios));
    await runPromtool("test", "rules", file);
  }

  test("accepts every rule", async () => {
    assert.match(
      await runPromtool("check", "rules", "--lint-fatal", at.rules),
      new RegExp(`${alerts.length} rules found`),
    );
  });

  test("a risk that applies fires its own alert and no other", async () => {
    const parts = Array.from({ length: Math.ceil(risks.length / MAX_ALERTS) }, (_, i) =>
      risks.slice(i * MAX_ALERTS, (i + 1) * MAX_ALERTS),
    );
    const scenarios = sampleEach(parts, 4).map((part) => ({
      series: [...WELL, ...part.map((name) => risk(name, "1x5"))],
      expected: risks.map((name) => (part.includes(name) ? fires(2, name, VERSIONS) : silent(2, name))),
    }));
    await holds(...scenarios);
  });

  test("a risk's alert survives a restart of the runner, and ends after the risk is fixed", async () => {
    const name = first;
    await holds({
      series: [...WELL, risk(first, "1x5 _x4 1x5 stale")],
      expected: [...[3, 7, 12, 17].map((minute) => fires(minute, name, VERSIONS)), silent(40, name)],
    });
  });

  test("an alert has the risk's message if the runner shows it, without ending when the text changes", async () => {
    const buildMessage = (text: string, values: string, target = "5.2.0"): Scenario["series"][number] =>
      ours(
        "preflight_risk_message",
        values,
        `name="${first}"`,
        'source="5.0.3"',
        `target="${target}"`,
        `message="${text}"`,
      );
    await holds({
      series: [
        ...WELL,
        risk(first, "1x40"),
        buildMessage("Node a breaks.", "1x10 stale"),
        buildMessage("Nodes a and b break.", "_x11 1x20 stale"),
        buildMessage("Of another target.", "1x40", "5.1.4"),
      ],
      expected: [
        fires(5, first, VERSIONS, "Node a breaks."),
        fires(20, first, VERSIONS, "Nodes a and b break."),
        fires(38, first, VERSIONS),
      ],
    });
  });

  test("the risk of another target is reported for that target", async () => {
    const name = first;
    await holds({
      series: [...WELL, risk(first, "1x5 stale"), risk(first, "_x5 1x50", "5.1.4")],
      expected: [fires(3, name, VERSIONS), fires(40, name, { ...VERSIONS, target: "5.1.4" })],
    });
  });

  test("a single alert reports more risks than the operator can hold", async () => {
    const many = risks.slice(0, MAX_ALERTS + 1);
    await holds({
      series: [...WELL, ...many.map((name) => risk(name, "1x20"))],
      expected: [fires(2, "PreflightRisksTooMany"), ...many.map((name) => silent(2, name))],
    });
  });

  test("neither a healthy runner nor the metrics of anything else fire an alert", async () => {
    const foreign: Scenario["series"] = [[`preflight_risk{namespace="elsewhere",name="${second}"}`, "1x60"]];
    const expected = [...risks.map((name) => name), ...alerts.map(({ alert }) => alert)];
    await holds({ series: [...WELL, ...foreign], expected: expected.map((alert) => silent(60, alert)) });
  });

  test("a runner without a result is stale, whatever the cause", async () => {
    const name = "PreflightRunnerStale";
    const stale = [silent(5, name), fires(11, name)];
    const old = ours("preflight_document_age_seconds", "901x60");
    await holds(
      { series: [DEPLOYMENT], expected: stale },
      { series: [...WELL.filter(([series]) => !series.startsWith("preflight_document_age")), old], expected: stale },
      { series: [DEPLOYMENT, ours("preflight_interval_seconds", "300x60")], expected: stale },
      { series: fresh, expected: [silent(30, name)] },
      { series: [], expected: [silent(30, name)] },
    );
  });

  test("a runner whose cycles fail is failing, not stale, and the alert gives the cause", async () => {
    const failed = ours("preflight_cycle_failed", "1x60", 'reason="ClusterUnreachable"');
    const [, , interval, written, complete] = WELL;
    assert.ok(interval && written && complete);
    await holds({
      series: [DEPLOYMENT, interval, written, complete, failed],
      expected: [
        silent(5, "PreflightRunnerFailing"),
        fires(11, "PreflightRunnerFailing", { reason: "ClusterUnreachable" }),
        silent(30, "PreflightRunnerStale"),
      ],
    });
  });

  test("a runner that an update has ended is neither stale nor failing, and its target is told when reached", async () => {
    const [, , interval, written] = WELL;
    assert.ok(interval && written);
    const play = (reason: string, at90: Expected): Scenario => ({
      series: [DEPLOYMENT, interval, written, ours("preflight_ended", "1x90", `reason="${reason}"`)],
      expected: [silent(60, "PreflightRunnerStale"), silent(60, "PreflightRunnerFailing"), at90],
    });
    await holds(
      play("UpdateInProgress", silent(90, "PreflightTargetReached")),
      play("TargetReached", fires(90, "PreflightTargetReached")),
    );
  });

  test("a check without a verdict for an hour, and a document that can't be written, fire alerts", async () => {
    await holds({
      series: [DEPLOYMENT, ours("preflight_complete", "0x90"), ours("preflight_document_written", "0x90")],
      expected: [
        silent(30, "PreflightRunnerIncomplete"),
        fires(61, "PreflightRunnerIncomplete"),
        silent(5, "PreflightDocumentUnwritten"),
        fires(11, "PreflightDocumentUnwritten"),
      ],
    });
  });
});
