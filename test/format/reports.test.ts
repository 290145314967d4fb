import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseJunit } from "junit2json";
import { load } from "js-yaml";
import { formatCsvRow } from "../../src/format/programs/lines.ts";
import { type FormatName, formats } from "../../src/format/index.ts";
import type { View } from "../../src/format/view/view.ts";
import { FIX_KINDS } from "../../src/model/commands.ts";
import { type Json, listAt, textAt } from "../../src/model/json.ts";
import { check, report } from "../../verify/pages/sample.ts";
import { OMISSIONS } from "../../verify/pages/facts.ts";
import { findLive } from "../support/live-markdown.ts";
import { HTML_VIEWS } from "../../verify/pages/html-samples.ts";
import { buildEvilView, buildFixView, buildView } from "../../verify/pages/view-sample.ts";

const GOLDEN = join(import.meta.dirname, "golden");
const EXTENSIONS = {
  csv: "csv",
  github: "txt",
  html: "html",
  junit: "xml",
  markdown: "md",
  sarif: "sarif",
  yaml: "yaml",
} as const;

function formatAs(name: FormatName, view: View): string {
  return formats[name](view);
}

for (const name of ["csv", "github", "html", "junit", "markdown", "sarif", "yaml"] as const)
  test(`${name} is as the golden file has it`, () => {
    const file = join(GOLDEN, `full.${EXTENSIONS[name]}`);
    const text = formatAs(name, buildView());
    if (process.env["UPDATE"] === "1") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });

const WITHOUT_FIXES = Object.entries(OMISSIONS).flatMap(([name, omissions]) =>
  omissions.some(({ facts }) => facts.includes("fix")) ? [name] : [],
);

for (const kind of FIX_KINDS)
  test(`every format that shows a fix says that it is ${kind}`, () => {
    const view = buildFixView("oc mend pod/b", kind);
    const texts = Object.entries(formats).map(([name, format]) => [name, format(view)] as const);
    const showing = texts.filter(([, text]) => text.includes("oc mend pod/b"));
    // The first screen offers no command that weakens something.
    const without = new Set([...WITHOUT_FIXES, ...(kind === "weakening" ? ["table"] : [])]);
    assert.deepEqual(
      showing.map(([name]) => name),
      Object.keys(formats).filter((name) => !without.has(name)),
    );
    for (const [name, text] of showing) assert.match(text, new RegExp(kind === "weakening" ? "weaken" : kind), name);
  });

test("foreign text stays one value in JUnit's XML", async () => {
  const parsed = await parseJunit(formatAs("junit", buildEvilView()));
  assert.ok(parsed !== undefined && parsed !== null && "testsuite" in parsed);
  const [suite] = parsed.testsuite ?? [];
  assert.equal(suite?.testcase?.length, 1);
  assert.ok(suite?.testcase?.[0]?.failure?.[0]?.message?.includes("</failure><script>"));
});

test("JUnit's counts are those of its test cases, whose names are unique", async () => {
  const parsed = await parseJunit(formatAs("junit", buildView()));
  assert.ok(parsed !== undefined && parsed !== null && "testsuite" in parsed);
  const [suite] = parsed.testsuite ?? [];
  const cases = suite?.testcase ?? [];
  const count = (name: "failure" | "error" | "skipped"): number =>
    cases.filter((one) => one[name] !== undefined).length;
  assert.deepEqual(
    [suite?.tests, suite?.failures, suite?.errors, suite?.skipped],
    [cases.length, count("failure"), count("error"), count("skipped")],
  );
  assert.ok(cases.every(({ classname, name }) => classname !== undefined && name !== undefined));
  assert.equal(new Set(cases.map(({ classname, name }) => `${classname} ${name}`)).size, cases.length);
});

test("foreign text stays one cell, which no spreadsheet runs", () => {
  const rows: readonly (readonly string[])[] = parseCsv(formatAs("csv", buildEvilView()));
  const [header, row] = rows;
  assert.deepEqual([header?.length, row?.length, rows.length], [18, 18, 2]);
  assert.ok(row?.every((cell) => !/^[=+\-@]/.test(cell)));
  assert.ok(row?.some((cell) => cell.startsWith("'=1+1")));
});

test("no cell is a formula, in full width or behind white space either", () => {
  const starts = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t=", "\r=", " =", "\u00a0="];
  for (const start of starts) {
    const [[cell = ""] = []]: readonly (readonly string[])[] = parseCsv(formatCsvRow([`${start}1+1`]));
    assert.match(cell, /^(?:'|U\+000D)/, JSON.stringify(start));
  }
});

test("foreign text begins no other command of GitHub Actions", () => {
  const lines = formatAs("github", buildEvilView()).trimEnd().split("\n");
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^::warning title=A::/);
});

test("foreign text is no markup in markdown", () => {
  assert.deepEqual(findLive(formatAs("markdown", buildEvilView())), []);
});

test("foreign text is no markup in HTML", () => {
  const body = formatAs("html", buildEvilView()).replaceAll(/<(script|style)>.*?<\/\1>/gs, "");
  assert.doesNotMatch(body, /<script|<\/failure|\u001b/);
  assert.ok(body.includes("&lt;/failure&gt;&lt;script&gt;"));
});

test("yaml has the same content as json", () => {
  const view = buildView();
  assert.deepEqual(load(formatAs("yaml", view)), JSON.parse(formatAs("json", view)));
});

test("SARIF names each rule once, and suppresses what is accepted", () => {
  const log: Json = JSON.parse(formatAs("sarif", buildView()));
  const rules = listAt(log, "runs", 0, "tool", "driver", "rules").map((rule) => textAt(rule, "id"));
  assert.deepEqual(rules, [...new Set(rules)]);
  for (const result of listAt(log, "runs", 0, "results")) {
    assert.ok(rules.includes(textAt(result, "ruleId")));
    assert.equal(listAt(result, "suppressions").length, textAt(result, "ruleId") === "DualStackNetworks" ? 1 : 0);
  }
});

const MANY = HTML_VIEWS["many"];
for (const name of ["markdown", "html", "table"] as const)
  test(`${name} has the one command that grants the rights that are missing`, () => {
    assert.ok(MANY !== undefined);
    const command = `preflight rbac --bind-to system:serviceaccount:update:preflight | oc apply -f -`;
    const text = formatAs(name, MANY).replaceAll(/<\/?(?:code|span)>/g, "");
    assert.equal(text.split(command).length, 2);
  });

test("markdown of a clear report says what was checked, and of several updates that it is not decided", () => {
  const clear = formatAs("markdown", HTML_VIEWS["clear"] ?? buildView());
  assert.match(clear, /^# .*\n\n\*\*No risk was found\.\*\*\n[\s\S]*27 checks found nothing on this cluster/);
  const several = formatAs("markdown", buildView(report({ checks: [check("a", { kind: "clear", notices: [] })] })));
  assert.match(several, /\*\*Not decided: only the last release was checked\.\*\*[\s\S]*4\.19 lies between/);
});

for (const name of ["markdown", "html"] as const)
  test(`${name} says which acceptances do not count`, () => {
    const acceptance = { risk: "CgroupModeRemoved", reason: "Later", until: "2026-01-31" };
    const text = formatAs(name, buildView(undefined, { acceptances: [{ acceptance, state: { kind: "lapsed" } }] }));
    assert.match(text, /CgroupModeRemoved was accepted until 2026-01-31 and counts again/);
  });
