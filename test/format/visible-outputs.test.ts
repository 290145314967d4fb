import assert from "node:assert/strict";
import { test } from "node:test";
import { createJsonLogger } from "../../src/cli/io/monitoring-server.ts";
import { createRunnerMetrics } from "../../src/cli/commands/run/runner-metrics.ts";
import { judgeAcceptances } from "../../src/format/view/acceptances.ts";
import { buildDocument } from "../../src/format/document/document.ts";
import { findOwn } from "../../src/model/json.ts";
import { formatJsonText } from "../../src/model/visible-text.ts";
import { parseDocument } from "../../src/format/document/document-parser.ts";
import { assertVisible, assertVisibleValue, HOSTILE } from "../../verify/shared/hostile-text.ts";
import { NOW } from "../../verify/pages/fleet-sample.ts";
import { buildHostileInput, formatChecks, formatPlans } from "../support/format/hostile-report.ts";
import type { Outputs } from "../support/format/outputs.ts";
import { PARSERS } from "../support/format/parsers.ts";
import {
  formatComparisons,
  formatCrdsReports,
  formatFleets,
  formatStatuses,
} from "../support/format/hostile-results.ts";
import { run } from "../../verify/pages/sample.ts";
import { present } from "../support/present.ts";

const input = await buildHostileInput();
const { report, document } = input.view;

async function formatLogs(): Promise<Outputs> {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  createJsonLogger(write, () => NOW).warn(HOSTILE, { why: HOSTILE, problems: [HOSTILE] });
  const metrics = createRunnerMetrics({ clock: () => 0, interval: 1, showsMessages: true });
  metrics.onCycle({ kind: "completed", report }, 1);
  const failure = { reason: "ClusterUnreachable", message: HOSTILE } as const;
  const failed = buildDocument({ result: { kind: "failed", failure, observedAt: NOW }, run });
  return { "log json": lines.join(""), metrics: await metrics.text(), "failure json": formatJsonText(failed) };
}

const outputs: Outputs = {
  ...formatChecks(input),
  ...formatPlans(input),
  ...formatComparisons(),
  ...(await formatFleets()),
  ...formatCrdsReports(),
  ...formatStatuses(),
  ...(await formatLogs()),
};

for (const [name, text] of Object.entries(outputs))
  test(`${name} has nothing hidden, neither as it is written nor once it is parsed`, async () => {
    assert.match(text, /U\+202E/, "the text is there");
    assertVisible(text, name);
    const parse = findOwn<(text: string) => unknown>(PARSERS, name.split(" ").at(-1) ?? "");
    assertVisibleValue(await parse?.(text), name);
  });

test("an entry accepts an object by the name that is shown, and by the one that the cluster has", () => {
  for (const text of [HOSTILE, input.view.acceptances?.[0]?.acceptance.objects?.[0] ?? ""]) {
    const objects = [`${text} ${text}/${text}`];
    const [judged] = judgeAcceptances([{ risk: "ThingBroken", reason: "known", objects }], report);
    assert.equal(judged?.state.kind, "accepted");
  }
});

test("a document with hidden characters is read without them", async () => {
  const hidden = formatJsonText(document).replaceAll("U+202E", "\u202e");
  assert.ok(hidden.includes("\u202e"));
  assert.deepEqual(present(await parseDocument(hidden)), present({ kind: "valid", document }));
});

test("the limits of a document count what is hidden in the length that it has as text", async () => {
  const [risk] = document.risks;
  assert.ok(risk);
  const parseMessage = (message: string) =>
    parseDocument(JSON.stringify({ ...document, checks: undefined, risks: [{ ...risk, message }] }));
  assert.equal((await parseMessage("a".repeat(1000))).kind, "valid");
  assert.equal((await parseMessage(`\u202e${"a".repeat(994)}`)).kind, "valid");
  assert.equal((await parseMessage(`\u202e${"a".repeat(995)}`)).kind, "invalid");
});
