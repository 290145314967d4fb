import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { buildDocument } from "../../src/format/document.ts";
import { type FormatName, formats } from "../../src/format/index.ts";
import type { View } from "../../src/format/view.ts";
import { type Json, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { check, finding, report, risk, run } from "./sample.ts";
import { fullReport } from "./table-sample.ts";

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

function buildView(of = fullReport(), more: Partial<View> = {}): View {
  const document = buildDocument({ result: { kind: "completed", report: of }, run });
  const acceptance = { risk: "DualStackNetworks", reason: "A <later> patch", until: "2026-12-31" };
  return {
    report: of,
    document,
    accepted: new Set(["DualStackNetworks"]),
    acceptances: [{ acceptance, state: { kind: "accepted" } }],
    cluster: { kind: "recorded", folder: "demo" },
    colour: false,
    width: 80,
    ...more,
  };
}

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

/** Text of a cluster that would do harm in one of the formats. */
const EVIL = `=1+1 ,"quoted" 'single' </failure><script>@team \`code\` [link](http://example.com) ::error::x\n::warning::y ]]> \u001b[2J`;

function buildEvilView(): View {
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: EVIL };
  const findings = [finding("A", { object, path: EVIL, message: EVIL, see: [EVIL], fix: [EVIL] })];
  const risks = [risk("A", { check: "a", title: EVIL, description: EVIL, remediation: EVIL })];
  return buildView(report({ checks: [check("a", { kind: "risk", findings, notices: [EVIL] })], risks }));
}

/** Python's parsers stand for those of the consumers. */
function parseWithPython(code: string, text: string): Json {
  return JSON.parse(
    execFileSync("python3", ["-c", `import sys,json,csv,io\n${code}`], { input: text, encoding: "utf8" }),
  );
}

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();
const skip = hasPython ? false : "python3 is not installed";

test("foreign text stays one value in JUnit's XML", { skip }, () => {
  const code = `
import xml.etree.ElementTree as E
t=E.fromstring(sys.stdin.buffer.read())
print(json.dumps([[c.get("classname"), [f.get("message") for f in c.findall("failure")]] for c in t.iter("testcase")]))`;
  const [first] = [parseWithPython(code, formatAs("junit", buildEvilView()))].flat();
  assert.ok(textsAt(first ?? [], 1)[0]?.includes("</failure><script>"));
});

test("foreign text stays one cell, which no spreadsheet runs", { skip }, () => {
  const code = "print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.read(), newline='')))))";
  const rows = parseWithPython(code, formatAs("csv", buildEvilView()));
  assert.ok(Array.isArray(rows));
  const [header, row] = rows.map((cells) => textsAt(cells));
  assert.deepEqual([header?.length, row?.length, rows.length], [15, 15, 2]);
  assert.ok(row?.every((cell) => !/^[=+\-@]/.test(cell)));
  assert.ok(row?.some((cell) => cell.startsWith("'=1+1")));
});

test("foreign text begins no other command of GitHub Actions", () => {
  const lines = formatAs("github", buildEvilView()).trimEnd().split("\n");
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^::warning title=A::/);
});

test("foreign text is no markup in markdown", () => {
  const text = formatAs("markdown", buildEvilView()).replaceAll(/```sh[\s\S]*?```/g, "");
  assert.doesNotMatch(text, /<script>|@team|(?<!\\)\[link\]/);
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
