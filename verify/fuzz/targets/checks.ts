import assert from "node:assert/strict";
import { checks } from "../../../src/checks/index.ts";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import { buildDocument } from "../../../src/format/document/document.ts";
import { parseDocument } from "../../../src/format/document/document-parser.ts";
import { formats } from "../../../src/format/index.ts";
import type { Check } from "../../../src/model/check.ts";
import type { Payload } from "../../../src/release/payload/payload.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { type CheckCase, readCase } from "../../../src/cases/case-files.ts";
import { caseFiles } from "../../shared/check-folders.ts";
import { readCasePayload } from "../../../src/cases/runner.ts";
import { requireVisible } from "../visible.ts";
import { writeScratch } from "../scratch.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const SIGNAL = new AbortController().signal;
const NOW = new Date("2026-11-20T00:00:00Z");
const RUN = {
  preflightID: "2026-11-20T00:00:00Z-preflight-4.20.3",
  runnerVersion: "0.1.0",
  intervalSeconds: 0,
  hasUnknownRisks: true,
};
const MAX_SEED_LENGTH = 12_000;
const CASES_OF_CHECK = 3;

const { json, sarif, table, html, junit, markdown, csv, github } = formats;
const SHOWN = { json, sarif, table, html, junit, markdown, csv, github };
const cases = new Map(checks.flatMap((check) => selectCases(check)).map((one) => [`${one.check.id}/${one.name}`, one]));
const payloads = new Map<string, Promise<Payload>>();

/** Whatever the objects of a cluster hold, every check judges them, the document of the result is valid, and nothing hidden is shown. */
export const target: FuzzTarget = {
  seeds: [...cases].map(([id, one]) => joinTexts(id, JSON.stringify(one.cluster))),
  maxBytes: 16_384,
  run: async (input) => {
    const [id = "", cluster = ""] = splitTexts(input);
    const one = cases.get(id);
    if (one === undefined) return;
    const thrown: unknown[] = [];
    const reader = await createRecordedReader(writeScratch("cluster.json", cluster));
    const payload = await getPayload(one);
    const result = await runCycle({
      selection: { checks: [watchCheck(one.check, thrown)] },
      reader,
      target: { kind: "read", version: payload.version, select: (facts) => selectRelease(payload, facts) },
      now: NOW,
      signal: SIGNAL,
      limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
    });
    if (thrown.length > 0) throw thrown[0];
    const document = buildDocument({ result, run: RUN });
    const text = JSON.stringify(document);
    assert.deepEqual(await parseDocument(text), { kind: "valid", document: JSON.parse(text) });
    if (result.kind === "failed") return;
    const view = { report: result.report, document, accepted: new Set<string>(), colour: false, width: 80 };
    for (const format of [json, sarif]) JSON.parse(format(view));
    for (const [name, format] of Object.entries(SHOWN)) requireVisible(format(view), name);
  },
};

function selectCases(check: Check): readonly CheckCase[] {
  const fit = caseFiles(check)
    .map(readCase)
    .filter(({ cluster }) => JSON.stringify(cluster).length < MAX_SEED_LENGTH);
  return [...fit.filter(({ name }) => name.startsWith("risk-")), ...fit].slice(0, CASES_OF_CHECK);
}

/** The cycle turns what a check throws into an unknown; here it is a fault. */
function watchCheck(check: Check, thrown: unknown[]): Check {
  const watch = <A extends unknown[], R>(act: (...args: A) => R) => {
    return (...args: A): R => {
      try {
        return act(...args);
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    };
  };
  const evaluate = watch((...args: Parameters<Check["evaluate"]>) => check.evaluate(...args));
  if (check.follow === undefined) return { ...check, evaluate };
  return { ...check, evaluate, follow: watch((...args: FollowArguments) => check.follow?.(...args) ?? {}) };
}

type FollowArguments = Parameters<NonNullable<Check["follow"]>>;

function getPayload(one: CheckCase): Promise<Payload> {
  const payload = payloads.get(one.file) ?? readCasePayload(one);
  payloads.set(one.file, payload);
  return payload;
}
