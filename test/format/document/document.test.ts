import assert from "node:assert/strict";
import { test } from "node:test";
import { type DocumentInput, type RunFacts, buildDocument } from "../../../src/format/document/document.ts";
import { formatJsonText } from "../../../src/model/visible-text.ts";
import { parseDocument } from "../../../src/format/document/document-parser.ts";
import type { PreflightDocument } from "../../../src/model/document.ts";
import type { CycleResult, Report, ReportRisk } from "../../../src/model/report.ts";
import {
  createUnknown,
  check,
  DIGEST,
  finding,
  report,
  reportOf,
  risk,
  run,
  version,
} from "../../../verify/pages/sample.ts";

const LATER = new Date("2026-03-01T10:05:00Z");
const MUCH_LATER = new Date("2026-03-01T10:10:00Z");

const CLEAR = check("sample", { kind: "clear", notices: [] });

/** The document after a round trip through the parser. */
async function buildAndParse(input: DocumentInput): Promise<PreflightDocument> {
  const read = await parseDocument(formatJsonText(buildDocument(input)));
  if (read.kind === "invalid") assert.fail(read.problems.join("\n"));
  return read.document;
}

function buildCompleted(of: Report, previous?: PreflightDocument, facts: RunFacts = run): Promise<PreflightDocument> {
  return buildAndParse({ result: { kind: "completed", report: of }, run: facts, ...(previous ? { previous } : {}) });
}

function createFailure(more: Partial<Extract<CycleResult, { kind: "failed" }>> = {}): CycleResult {
  const failure = { reason: "ClusterUnreachable", message: "The API server does not answer. Try again." } as const;
  return { kind: "failed", failure, observedAt: LATER, ...more };
}

function appliesTimes(document: PreflightDocument): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(document.risks.map(({ name, conditions }) => [name, conditions?.[0].lastTransitionTime]));
}

test("the document of a completed cycle has every field of the contract", async () => {
  const outcome = {
    kind: "unknown",
    unknowns: [createUnknown("pods"), createUnknown("nodes")],
    findings: [finding("Zeta")],
    notices: ["Second", "First", "Second"],
  } as const;
  const checks = [check("b-idle", { kind: "notApplicable", reason: "Not this update." }), check("a-blind", outcome)];
  const risks = [risk("Zeta", { check: "a-blind" }), risk("AlphaUnknown", { check: "a-blind" })];
  const document = await buildCompleted(report({ checks, risks, image: "quay.example/r:1" }));
  const common = { targetVersion: "4.20.3", matchingRules: [{ type: "Always" }] };
  const applies = { type: "Applies", status: "True", lastTransitionTime: "2026-03-01T10:00:00Z" };
  assert.deepEqual(document, {
    format: "preflight-v1-json",
    preflightID: "2026-03-01T09:59:00Z-preflight-4.20.3",
    targetVersion: "4.20.3",
    executionStatus: "completed",
    risks: [
      {
        name: "AlphaUnknown",
        message: "Node cluster is hit by AlphaUnknown. Change it before updating.",
        url: "https://docs.example/AlphaUnknown",
        ...common,
        conditions: [
          {
            ...applies,
            reason: "PreflightPartial",
            message: "A check of the target release could not be completed.",
          },
        ],
      },
      {
        name: "Zeta",
        message: "Node cluster is hit by Zeta. Change it before updating.",
        url: "https://docs.example/Zeta",
        ...common,
        conditions: [
          {
            ...applies,
            reason: "PreflightValidation",
            message: "A check of the target release found this on the cluster.",
          },
        ],
      },
    ],
    sourceVersion: "4.18.8",
    targetImage: "quay.example/r:1",
    targetDigest: DIGEST,
    complete: false,
    observedAt: "2026-03-01T10:00:00Z",
    validUntil: "2026-03-01T10:15:00Z",
    checks: [
      {
        id: "a-blind",
        outcome: "unknown",
        reason: "Forbidden",
        message: "nodes: reading nodes was forbidden; pods: reading pods was forbidden",
        risks: ["AlphaUnknown", "Zeta"],
        notices: ["First", "Second"],
      },
      { id: "b-idle", outcome: "notApplicable", message: "Not this update." },
    ],
    runner: { version: "0.1.0" },
  });
});

test("a document without risks has an empty list and is complete", async () => {
  const of = report({ target: version("4.19.3"), checks: [check("a", { kind: "clear", notices: [] })] });
  const document = await buildCompleted(of);
  assert.deepEqual(document.risks, []);
  assert.equal(document.complete, true);
  assert.deepEqual(document.checks, [{ id: "a", outcome: "clear" }]);
});

test("the order within a report does not matter", () => {
  const checks = ["b", "a"].map((id) => check(id, { kind: "clear", notices: ["y", "x"] }));
  const risks = [risk("B"), risk("A")];
  const text = (of: Report) => formatJsonText(buildDocument({ result: { kind: "completed", report: of }, run }));
  const turned = report({ checks: checks.toReversed(), risks: risks.toReversed() });
  assert.equal(text(report({ checks, risks })), text(turned));
});

test("a document's text is indented by two and ends with one line break", () => {
  const text = formatJsonText(buildDocument({ result: { kind: "completed", report: report() }, run }));
  assert.match(text, /^\{\n {2}"format": "preflight-v1-json",\n/);
  assert.match(text, /[^\n]\n$/);
});

test("a persistent risk keeps its start time, also over a restart and an outage", async () => {
  const first = await buildCompleted(reportOf([risk("A")]));
  const restart = { ...run, preflightID: "2026-03-01T10:04:00Z-preflight-4.20.3" };
  const running = await buildAndParse({ result: "running", run: restart, previous: first });
  const outage = await buildAndParse({ result: createFailure(), run: restart, previous: running });
  const again = await buildCompleted(reportOf([risk("A"), risk("B")], { observedAt: MUCH_LATER }), outage, restart);
  assert.deepEqual(appliesTimes(again), { A: "2026-03-01T10:00:00Z", B: "2026-03-01T10:10:00Z" });
});

test("a risk that went and came back gets a new start time", async () => {
  const first = await buildCompleted(reportOf([risk("A")]));
  const gone = await buildCompleted(report({ checks: [CLEAR], observedAt: LATER }), first);
  const back = await buildCompleted(reportOf([risk("A")], { observedAt: MUCH_LATER }), gone);
  assert.deepEqual(appliesTimes(back), { A: "2026-03-01T10:10:00Z" });
});

test("a risk of another source or target gets a new start time", async () => {
  const first = await buildCompleted(reportOf([risk("A")]));
  const source = await buildCompleted(reportOf([risk("A")], { source: version("4.18.9"), observedAt: LATER }), first);
  const target = await buildCompleted(reportOf([risk("A")], { target: version("4.20.4"), observedAt: LATER }), first);
  assert.deepEqual(
    [appliesTimes(source), appliesTimes(target)],
    [{ A: "2026-03-01T10:05:00Z" }, { A: "2026-03-01T10:05:00Z" }],
  );
});

test("after the clock is set back, no time is in the future", async () => {
  const first = await buildCompleted(reportOf([risk("A")], { observedAt: LATER }));
  assert.deepEqual(appliesTimes(await buildCompleted(reportOf([risk("A")]), first)), { A: "2026-03-01T10:00:00Z" });
});

test("failed and running documents keep the last completed cycle's risks, versions and times, and report no check as clear", async () => {
  const first = await buildCompleted(reportOf([risk("A"), risk("BUnknown")]));
  for (const result of [createFailure(), "running"] as const) {
    const document = await buildAndParse({ result, run, previous: first });
    const { risks, sourceVersion, targetVersion, targetDigest, observedAt, validUntil } = first;
    const kept = { risks, sourceVersion, targetVersion, targetDigest, observedAt, validUntil };
    assert.deepEqual({ ...document, ...kept }, document);
    assert.equal(document.complete, false);
    assert.equal(document.checks, undefined);
  }
});

test("a failure is reported with its reason, shortened", async () => {
  const failure = { reason: "PayloadUnreadable", message: "word ".repeat(400) } as const;
  const document = await buildAndParse({ result: createFailure({ failure }), run });
  assert.equal(document.executionStatus, "failed");
  assert.equal(document.failure?.reason, "PayloadUnreadable");
  assert.match(document.failure?.message ?? "", /^word .*word…$/);
});

test("without a completed cycle for this source and target there are no risks and no times", async () => {
  const first = await buildCompleted(reportOf([risk("A")]));
  const others: readonly DocumentInput[] = [
    { result: "running", run },
    { result: "running", run: { ...run, targetVersion: "4.20.4" }, previous: first },
    { result: createFailure({ source: version("4.19.0") }), run, previous: first },
    { result: createFailure({ target: version("4.21.0") }), run, previous: first },
  ];
  for (const input of others) {
    const document = await buildAndParse(input);
    assert.deepEqual(document.risks, []);
    assert.equal(document.observedAt, undefined);
    assert.equal(document.validUntil, undefined);
  }
});

test("a failure without a known target keeps the risks, unless another image was requested", async () => {
  const { targetVersion: _, ...unknown } = run;
  const first = await buildCompleted(reportOf([risk("A")]));
  const kept = await buildAndParse({ result: createFailure(), run: unknown, previous: first });
  assert.deepEqual([kept.targetVersion, kept.risks], ["4.20.3", first.risks]);
  const other = await buildAndParse({
    result: createFailure(),
    run: { ...unknown, image: "quay.example/other:1" },
    previous: first,
  });
  assert.deepEqual([other.targetVersion, other.risks], [undefined, []]);
});

test("risks for incomplete checks can be turned off, in carried-over documents too", async () => {
  const off = { ...run, hasUnknownRisks: false };
  const risks = [risk("A"), risk("BUnknown")];
  const names = ({ risks: told }: PreflightDocument) => told.map(({ name }) => name);
  const document = await buildCompleted(reportOf(risks), undefined, off);
  assert.deepEqual([names(document), document.checks?.[0]?.risks, document.complete], [["A"], ["A"], false]);
  const first = await buildCompleted(reportOf(risks));
  assert.deepEqual(names(await buildAndParse({ result: createFailure(), run: off, previous: first })), ["A"]);
});

test("two checks with the same risk name give one risk", async () => {
  const document = await buildCompleted(reportOf([risk("A", { message: "first" }), risk("A", { message: "second" })]));
  assert.deepEqual(
    document.risks.map(({ message }) => message),
    ["first"],
  );
});

test("values that would make the document invalid are left out or escaped", async () => {
  const odd = { ...run, targetVersion: "four", image: "no pull spec", digest: "md5:1" };
  const document = await buildAndParse({ result: createFailure(), run: odd });
  assert.deepEqual(
    [document.targetVersion, document.targetImage, document.targetDigest],
    [undefined, undefined, undefined],
  );
  const message = "a\u0000b\u001b[31mc\ud800d\r\ne";
  const [told] = (await buildCompleted(reportOf([risk("A", { message, remediation: "" })]))).risks;
  assert.equal(told?.message, "aU+0000bU+001B[31mcU+D800d\ne");
});

test("the number and the length of notices are limited", async () => {
  const notices = Array.from({ length: 30 }, (_, i) => `${String(i).padStart(2, "0")} ${"long ".repeat(300)}`);
  const document = await buildCompleted(report({ checks: [check("a", { kind: "clear", notices })] }));
  const told = document.checks?.[0]?.notices ?? [];
  assert.equal(told.length, 20);
  assert.equal(told.at(-1), '11 more notices: "preflight check -o json" lists all of them.');
  assert.ok(told.every((notice) => notice.length <= 1_000));
});

test("the document of a single cycle has no validUntil", async () => {
  const document = await buildCompleted(report({ checks: [CLEAR] }), undefined, { ...run, intervalSeconds: 0 });
  assert.deepEqual([document.observedAt, document.validUntil], ["2026-03-01T10:00:00Z", undefined]);
});

test("an update that has begun, or has led to the target, leaves no risk of the cycles before", async () => {
  const first = await buildCompleted(reportOf([risk("A")]));
  for (const reason of ["UpdateInProgress", "TargetReached"] as const) {
    const failure = { reason, message: "An update." };
    const ended = await buildAndParse({ result: createFailure({ failure }), run, previous: first });
    assert.deepEqual([ended.executionStatus, ended.risks, ended.failure], ["failed", [], failure]);
    assert.deepEqual([ended.observedAt, ended.validUntil, ended.complete], [undefined, undefined, false]);
    const next = await buildAndParse({ result: createFailure(), run, previous: ended });
    assert.deepEqual(next.risks, []);
  }
});

test("neither the report nor the previous document is modified", async () => {
  const risks: readonly ReportRisk[] = Object.freeze([Object.freeze(risk("B")), Object.freeze(risk("A"))]);
  const frozen = Object.freeze(reportOf(risks));
  const first = await buildCompleted(frozen);
  Object.freeze(first.risks);
  assert.deepEqual(await buildCompleted(frozen, Object.freeze(first)), first);
});
