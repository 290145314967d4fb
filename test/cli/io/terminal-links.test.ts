import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLinks } from "../../../src/cli/session/result.ts";
import { escapeAllButStyles } from "../../../src/cli/process/terminal-text.ts";
import type { Report } from "../../../src/model/report.ts";
import { check, finding, report, risk } from "../../../verify/pages/sample.ts";
import { formatTable } from "../../../verify/pages/table-sample.ts";

const TERMINALS: readonly (readonly [Readonly<Record<string, string>>, boolean])[] = [
  [{ TERM: "xterm-256color" }, false],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, true],
  [{ TERM: "xterm-kitty" }, true],
  [{ TERM: "xterm-256color", VTE_VERSION: "7006" }, true],
  [{ TERM: "xterm-256color", VTE_VERSION: "5000" }, false],
  [{ TERM: "xterm-256color", WT_SESSION: "a" }, true],
  [{ TERM: "xterm-kitty", NO_COLOR: "1" }, false],
  [{ TERM: "xterm-kitty", CI: "true" }, false],
  [{ TERM: "dumb", TERM_PROGRAM: "iTerm.app" }, false],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "iTerm.app" }, false],
  [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, false],
  [{ TERM: "xterm-kitty", FORCE_HYPERLINK: "0" }, false],
  [{ TERM: "xterm", FORCE_HYPERLINK: "1" }, true],
];
for (const [env, expected] of TERMINALS)
  test(`a terminal with ${JSON.stringify(env)} gets ${expected ? "" : "no "}links`, () => {
    assert.equal(hasLinks({ env, isOutTerminal: true }), expected);
  });

test("a pipe gets no links", () => {
  assert.equal(hasLinks({ env: { TERM: "xterm-kitty" }, isOutTerminal: false }), false);
});

const LINK = /\u001b\]8;;(.*?)\u001b\\(.*?)\u001b\]8;;\u001b\\/g;

test("the name of a risk is a link, and in the wide table its address too", () => {
  const of = report({
    checks: [check("a", { kind: "risk", findings: [finding("A")], notices: [] })],
    risks: [risk("A", { url: "https://docs.example/a" })],
  });
  const listLinks = (isWide: boolean): readonly (readonly (string | undefined)[])[] => {
    const text = formatTable(of, { accepted: new Set(), colour: false, links: true, isWide, width: 80 });
    assert.equal(escapeAllButStyles(text), text);
    return [...text.matchAll(LINK)].map(([, address, label]) => [address, label]);
  };
  const name = ["https://docs.example/a", "A"];
  assert.deepEqual(listLinks(false), [name]);
  assert.deepEqual(listLinks(true), [name, ["https://docs.example/a", "https://docs.example/a"]]);
});

/** Sequences that pass as our own, and others. */
const HOSTILE = [
  "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\",
  "\u001b[31mred\u001b[0m",
  "\u001b]0;title\u0007\u009b2J",
].join(" ");

function buildReport(text: string, url: string): Report {
  const object = { apiVersion: text, kind: text, namespace: text, name: text };
  const findings = [
    finding(text, { object, path: text, message: text, see: [text], fix: [text], detail: { a: text } }),
  ];
  const unknowns = [{ reason: "Forbidden" as const, where: text, message: text }];
  const risks = [
    risk(text, { title: text, description: text, remediation: text, url, published: [text], unknown: false }),
    risk("BUnknown", { description: text, remediation: text, url }),
  ];
  return report({
    clusterId: text,
    crdFolder: text,
    image: text,
    imageVerification: { status: "Unknown", message: text },
    checks: [check("a", { kind: "unknown", unknowns, findings, notices: [text] })],
    risks,
  });
}

for (const isWide of [false, true])
  test(`no text of a cluster adds an escape sequence${isWide ? " to the wide table" : ""}`, () => {
    const format = (text: string, url: string): string =>
      escapeAllButStyles(
        formatTable(buildReport(text, url), {
          accepted: new Set(),
          backgrounds: new Map(),
          cluster: { kind: "live", context: text, server: text },
          colour: true,
          isWide,
          links: true,
          width: 4000,
        }),
      );
    const listEscapes = (output: string): readonly string[] => output.match(/[\u001b\u0007\u009b].{4}/g) ?? [];
    const harmless = format("text", "http://docs.example");
    assert.deepEqual(listEscapes(format(HOSTILE, `https://docs.example/${HOSTILE}`)), listEscapes(harmless));
    assert.ok(listEscapes(harmless).length > 0, "colours are on");
  });
