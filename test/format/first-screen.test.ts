import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeAllButStyles } from "../../src/cli/process/terminal-text.ts";
import { type Effect, EFFECTS as EFFECTS_OF_RISKS } from "../../src/model/check.ts";
import type { ReportRisk } from "../../src/model/report.ts";
import { check, createUnknown, finding, report, reportOf, risk } from "../../verify/pages/sample.ts";
import { formatTable, fullReport } from "../../verify/pages/table-sample.ts";

const PLAIN = { accepted: new Set<string>(), colour: false, width: 100 } as const;
const EFFECTS: readonly Effect[] = ["refused", "stuck", "broken"];

function buildRisks(count: number): readonly ReportRisk[] {
  return Array.from({ length: count }, (_, i) =>
    risk(`SomethingIsWrongNumber${i}`, {
      effect: EFFECTS[i % EFFECTS.length] ?? "broken",
      description: `PodDisruptionBudget shop/checkout-${i} can't spare a pod even if all are healthy. The update to 4.20.3 hangs on their nodes.`,
      remediation: `Add a replica to checkout-${i}, or set spec.maxUnavailable to 1.`,
    }),
  );
}

function countLines(text: string): number {
  return text.trimEnd().split("\n").length;
}

test("eight risks and what could not be checked fit 60 lines, and ten fit 70", () => {
  const unknown = risk("SampleUnknown", { remediation: "Grant the rights." });
  const lines = [8, 10].map((count) => countLines(formatTable(reportOf([...buildRisks(count), unknown]), PLAIN)));
  assert.ok((lines[0] ?? Infinity) <= 60 && (lines[1] ?? Infinity) <= 70, lines.join());
});

test("nothing is told twice", () => {
  const text = formatTable(reportOf(buildRisks(5)), PLAIN).replaceAll(/\s+/g, " ");
  for (const { description, remediation } of buildRisks(5))
    assert.deepEqual(
      [description, remediation].map((one) => text.split(one).length - 1),
      [1, 1],
    );
});

test("the decision stands at the top and at the end, with the first risk in the order of work", () => {
  const lines = formatTable(reportOf(buildRisks(3)), PLAIN)
    .trimEnd()
    .split("\n");
  assert.equal(lines[0], "Don't update yet. 4.18.8 -> 4.20.3: 3 risks, only the last release checked");
  assert.equal(lines[1], "Why: 1 refuses the update, 1 gets the update stuck and 1 breaks something.");
  assert.equal(lines.at(-1), "Don't update yet. Next: SomethingIsWrongNumber0. All details: -o wide.");
});

test("accepted risks are no work: they are told in a line with the reason", () => {
  const text = formatTable(reportOf([risk("A"), risk("B")]), { ...PLAIN, accepted: new Set(["A", "B"]) });
  assert.match(text, /\nAccepted\n\n {2}- A \(1 object\)\n {2}- B \(1 object\)\n/);
  assert.doesNotMatch(text, /Don't update yet|Effect/);
});

const FIX = "oc patch node.config.openshift.io/cluster -p '{}'";
const REMEDIES: readonly [fix: readonly string[] | undefined, word: string, next: RegExp][] = [
  [undefined, "hand", /\n {2}Do {2}Change it before updating\.\n/],
  [[FIX], "1 command", /\n {2}Fix \(safe\) {2}oc patch node/],
  [[FIX, "oc get pods"], "2 commands", /\n {2}Fix \(safe\), 1 of 2 {2}oc patch node/],
  [["oc edit node/x"], "1 edit", /\n {2}Fix \(safe\) {2}oc edit /],
  [["oc label node/x y=<value>"], "1 command to fill in", /\n {2}Fix \(safe\) {2}oc label /],
];
for (const [fix, word, next] of REMEDIES)
  test(`the overview says that a risk is mended by ${word}, and the next step follows`, () => {
    const findings = [finding("A", fix === undefined ? {} : { fix, fixKind: "safe" })];
    const text = formatTable(
      report({ checks: [check("a", { kind: "risk", findings, notices: [] })], risks: [risk("A")] }),
      PLAIN,
    );
    assert.match(text, new RegExp(`\nbreaks   A      cluster   minutes   ${word}\n`));
    assert.match(text, next);
  });

test("a command that weakens a protection is no next step", () => {
  const findings = [finding("A", { fix: [FIX], fixKind: "weakening" })];
  const of = report({ checks: [check("a", { kind: "risk", findings, notices: [] })], risks: [risk("A")] });
  assert.match(formatTable(of, PLAIN), /minutes {3}hand\n[^]*\n {2}Do {2}Change it before updating\.\n/);
  assert.match(formatTable(of, { ...PLAIN, isWide: true }), /\n +Fix \(weakens\) {2}oc patch node/);
});

test("a text is cut between sentences, and says so", () => {
  const description = `${"A first sentence that is long enough to fill a line or more of a terminal of today. ".repeat(3)}The end.`;
  const text = formatTable(reportOf([risk("A", { description })]), PLAIN);
  assert.match(text, /today\.\.\.\n {2}Do/);
  assert.doesNotMatch(text, /The end/);
  assert.match(formatTable(reportOf([risk("A", { description })]), { ...PLAIN, isWide: true }), /The end/);
});

test("columns fit the width: objects are cut first, then each risk has two lines", () => {
  const names = Array.from({ length: 9 }, (_, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    namespace: "shop",
    name: `pod-${i}`,
  }));
  const findings = names.map((object) => finding("SomethingIsWrong", { object }));
  const of = report({
    checks: [check("a", { kind: "risk", findings, notices: [] })],
    risks: [risk("SomethingIsWrong", { leadTime: "days" })],
  });
  const show = (width: number): string => formatTable(of, { ...PLAIN, width }).split("\n\n")[1] ?? "";
  assert.match(show(200), /\nbreaks {3}SomethingIsWrong {3}9: shop\/pod-0, .*shop\/pod-8 {3}days {4}hand$/);
  assert.match(show(80), /\nbreaks {3}SomethingIsWrong {3}9: shop\/pod-0, shop.*\.\.\. {3}days {4}hand$/);
  assert.match(show(50), /^breaks {3}SomethingIsWrong\n {4}days, hand, 9: shop\/pod-0, .*\.\.\.$/);
  for (const width of [50, 80, 200])
    assert.ok(
      show(width)
        .split("\n")
        .every((line) => line.length <= width),
    );
});

test("each effect has a colour, which says nothing that words don't", () => {
  const text = formatTable(reportOf(buildRisks(3)), { ...PLAIN, colour: true });
  for (const [word, code] of [
    ["refused", 31],
    ["stuck", 35],
    ["breaks", 33],
  ] as const)
    assert.ok(text.includes(`\u001b[${code}m${word}`), word);
  // oxlint-disable-next-line no-control-regex
  assert.equal(text.replaceAll(/\u001b\[[\d;]+m/g, ""), formatTable(reportOf(buildRisks(3)), PLAIN));
});

test("every colour reaches the terminal", () => {
  const effects = EFFECTS_OF_RISKS.map((effect, i) => risk(`Risk${i}`, { effect }));
  for (const accepted of [new Set<string>(), new Set(["Risk0", "Risk1", "Risk2", "Risk3"])])
    for (const isWide of [false, true]) {
      const text = formatTable(reportOf(effects), { ...PLAIN, accepted, isWide, colour: true });
      assert.equal(escapeAllButStyles(text), text);
    }
});

test("notices are counted where there is work to do, and told where there is none", () => {
  const notices = ["Something is worth knowing."];
  const clear = check("a", { kind: "clear", notices });
  assert.match(formatTable(report({ checks: [clear] }), PLAIN), /\nNotices\n\n {2}a: Something/);
  const busy = report({
    checks: [clear, check("b", { kind: "risk", findings: [finding("A")], notices: [] })],
    risks: [risk("A")],
  });
  assert.match(formatTable(busy, PLAIN), /\n1 notice \(-o wide\)\. Read /);
  assert.match(formatTable(busy, { ...PLAIN, isWide: true }), /Something is worth knowing/);
});

test("an undecided result ends with what to do next", () => {
  const checks = [check("a", { kind: "unknown", notices: [], findings: [], unknowns: [createUnknown("pods")] })];
  const text = formatTable(report({ checks }), PLAIN);
  assert.match(text, /^Not decided\. /);
  assert.match(text, /\nNot decided: some checks could not be completed\. Complete them, and check again\.\n$/);
  assert.doesNotMatch(formatTable(fullReport(), PLAIN), /Complete them/);
});
