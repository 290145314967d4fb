import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run as compare } from "../../src/cli/commands/compare.ts";
import { readDocumentState } from "../../src/cli/commands/controller/controller.ts";
import { createTools } from "../../src/cli/commands/mcp/tools.ts";
import { getStatusExitCode } from "../../src/cli/commands/request/status-facts.ts";
import { formatStatus } from "../../src/cli/commands/request/status-text.ts";
import { formatStatusJson } from "../../src/cli/commands/request/status.ts";
import { run as validate } from "../../src/cli/commands/validate.ts";
import { getExitCode } from "../../src/cli/session/result.ts";
import { parseDocument, readResult } from "../../src/format/document/document-parser.ts";
import { parseClusterResult } from "../../src/format/fleet/cluster.ts";
import { fleetFormats } from "../../src/format/fleet/index.ts";
import { buildFleet } from "../../src/format/fleet/fleet.ts";
import { buildHistoryEntry, buildResultConfigMap } from "../../src/lift/preflight-result.ts";
import { formatError } from "../../src/model/errors.ts";
import { listAt, textsAt } from "../../src/model/json.ts";
import { buildRequestEdit } from "../../src/lift/objects/preflight-request.ts";
import {
  buildSampleDocument,
  clusterVersion,
  liftSample,
  NOW,
  release,
  risk,
} from "../../verify/operator/status-sample.ts";
import { context } from "../../verify/pages/fleet-sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { createTestIo } from "../support/cli/test-io.ts";

const folder = createTemporaryFolder();
const old = join(folder, "old.json");
const UPDATE = {
  preflightID: "2026-03-01T11:00:00Z-preflight-5.1.4",
  sourceVersion: "5.0.3",
  targetVersion: "5.1.4",
} as const;
const RISK = { ...risk("A"), targetVersion: "5.1.4" };
const CLEAR = buildSampleDocument([], UPDATE);
const RISKY = buildSampleDocument([RISK], UPDATE);
await writeFile(old, JSON.stringify(CLEAR));

/** What a reader made of a document: its exit code, and all that it said. */
type Reading = { readonly code: number; readonly text: string };

const createIo = (out: string[]) => ({ ...createTestIo(out), now: () => NOW });

async function orFailure(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read();
  } catch (thrown) {
    return { code: 1, text: formatError(thrown) };
  }
}

/** What the controller makes of the file while its runner has been up for a moment. */
async function liftFile(file: string) {
  const target = { kind: "version", version: "5.1.4" } as const;
  const runner = { kind: "up", since: NOW } as const;
  const document = await readDocumentState(file);
  return liftSample({
    clusterVersion: clusterVersion({ available: [release("5.1.4")] }),
    preflight: { target, runner, document },
  });
}

/** Each reader with the document as a file. A FailedError is exit code 1, as the program ends with it. */
const READERS: Readonly<Record<string, (file: string, text: string) => Promise<Reading>>> = {
  validate: async (file) => {
    const out: string[] = [];
    return { code: await validate({ file }, createIo(out)), text: out.join("") };
  },
  fleet: async (_, written) => {
    const cluster = await parseClusterResult("one", written, { ...context, acceptances: [] });
    const matrix = buildFleet({ clusters: [cluster], target: undefined, now: NOW });
    const options = { colour: false, width: 80, runnerVersion: "1" };
    const text = fleetFormats.json(matrix, options);
    return { code: getExitCode([cluster.verdict], "incomplete"), text };
  },
  compare: (file) => {
    const out: string[] = [];
    const output = { stdout: "json", files: [] } as const;
    const values = { old, new: file, accept: [], output, "fail-on": "incomplete" } as const;
    return orFailure(async () => ({ code: await compare(values, createIo(out)), text: out.join("") }));
  },
  mcp: (file) =>
    orFailure(async () => {
      const tools = createTools({
        runCommand: () => assert.fail(),
        flags: [],
        checks: [],
        folders: [],
        hasContext: false,
        now: () => NOW,
      });
      const tool = tools.find(({ name }) => name === "compare") ?? assert.fail();
      const value = await tool.run({ old, new: file }, new AbortController().signal);
      const isWorse = value["isWorse"] === true;
      const isUndecided = value["isLessKnown"] === true || listAt(value, "doubts").length > 0;
      return { code: isWorse ? 3 : isUndecided ? 4 : 0, text: JSON.stringify(value) };
    }),
  controller: async (file) => {
    const { conditions, retained } = await liftFile(file);
    const completed = conditions.find(({ type }) => type === "PreflightCompleted") ?? assert.fail();
    const codes = new Map([
      ["NoRisks", 0],
      ["RisksFound", 3],
      ["Incomplete", (retained?.risks.length ?? 0) > 0 ? 3 : 4],
      ["DocumentInFuture", 4],
    ]);
    return { code: codes.get(completed.reason) ?? 1, text: completed.message };
  },
  status: async (file, text) => {
    const lifted = await liftFile(file);
    const created = buildRequestEdit(undefined, { target: { kind: "version", version: "5.1.4" } });
    const input = {
      controllerPresence: "yes",
      operator: { kind: "absent" },
      now: NOW,
      clusterVersion: clusterVersion({ available: [release("5.1.4")] }),
      request: created.kind === "create" ? created.object : assert.fail(),
      result: buildResultConfigMap(lifted, undefined),
      document: await parseDocument(text),
    } as const;
    const problems = textsAt(JSON.parse(formatStatusJson(input)), "document", "problems");
    return { code: getStatusExitCode(input), text: `${formatStatus(input)}${problems.join("\n")}` };
  },
};

const { complete: _, ...UNSTATED } = CLEAR;
const ENHANCEMENT = {
  format: "preflight-v1-json",
  preflightID: UPDATE.preflightID,
  targetVersion: UPDATE.targetVersion,
  executionStatus: "completed",
} as const;
const FORM_RISK = { name: "A", message: "A is wrong.", url: "https://example.com/A" };
const UNKNOWN = [{ id: "sample", outcome: "unknown", reason: "Forbidden", message: "nodes: forbidden" }];
const PARTIAL = { ...risk("SampleUnknown", { blind: true }), targetVersion: "5.1.4" };
const LATER = { observedAt: "2026-03-01T12:05:01Z", validUntil: "2026-03-01T12:20:01Z" };
const COMPLETENESS = /The result does not say whether every check could complete\./;
const FUTURE = /(?:this clock says|ahead of the controller's clock).*Check the clocks/;

type Codes = readonly [
  validate: number,
  fleet: number,
  compare: number,
  mcp: number,
  controller: number,
  status: number,
];
type Row = readonly [what: string, document: unknown, codes: Codes, says?: RegExp];
const CLEAN: Codes = [0, 0, 0, 0, 0, 0];
const RISKS: Codes = [0, 3, 3, 3, 3, 3];
const INCOMPLETE: Codes = [0, 4, 4, 4, 4, 4];
const IN_FUTURE: Codes = [4, 4, 4, 4, 4, 4];
const REFUSED: Codes = [1, 4, 1, 1, 1, 1];

const ROWS: readonly Row[] = [
  ["a clear result", CLEAR, CLEAN],
  [
    "a result five minutes ahead",
    { ...CLEAR, observedAt: "2026-03-01T12:05:00Z", validUntil: "2026-03-01T12:20:00Z" },
    CLEAN,
  ],
  ["a risk", RISKY, RISKS],
  ["an incomplete check", { ...CLEAR, complete: false, checks: UNKNOWN }, INCOMPLETE],
  ["a result that says it is not complete, and no more", { ...CLEAR, complete: false }, INCOMPLETE],
  ["no complete", UNSTATED, INCOMPLETE, COMPLETENESS],
  ["the enhancement's form", { ...ENHANCEMENT, risks: [] }, INCOMPLETE, COMPLETENESS],
  ["the enhancement's form with a risk", { ...ENHANCEMENT, risks: [FORM_RISK] }, RISKS],
  ["a result of the future", { ...CLEAR, ...LATER }, IN_FUTURE, FUTURE],
  [
    "a result of 2099",
    { ...CLEAR, observedAt: "2099-01-01T00:00:00Z", validUntil: "2099-01-02T00:00:00Z" },
    IN_FUTURE,
    FUTURE,
  ],
  [
    "the enhancement's form of the future",
    { ...ENHANCEMENT, preflightID: "2099-01-01T00:00:00Z-preflight-5.1.4", risks: [] },
    IN_FUTURE,
    FUTURE,
  ],
  ["no outcome", { ...CLEAR, checks: [] }, REFUSED, /checks: must not be empty in a completed document/],
  ["no outcome, and incomplete", { ...CLEAR, complete: false, checks: [] }, REFUSED, /checks: must not be empty/],
  ["complete without checks", { ...CLEAR, checks: undefined }, REFUSED, /complete: must not be true without checks/],
  [
    "complete beside an unknown",
    { ...CLEAR, checks: UNKNOWN },
    REFUSED,
    /complete: must not be true, because the outcome of sample is unknown/,
  ],
  [
    "complete beside a risk of an incomplete check",
    { ...RISKY, risks: [PARTIAL] },
    REFUSED,
    /complete: must not be true, because SampleUnknown reports an incomplete check/,
  ],
  [
    "a risk's outcome without a risk",
    { ...RISKY, risks: [] },
    REFUSED,
    /risks: must not be empty, because the outcome of sample is risk/,
  ],
  [
    "a check's risk that is not listed",
    { ...RISKY, checks: [{ id: "sample", outcome: "risk", risks: ["A", "B"] }] },
    REFUSED,
    /checks\[0\]\.risks: B is not in risks/,
  ],
  ["another format", { ...CLEAR, format: "preflight-v2-json" }, REFUSED, /format: must be .?"preflight-v1-json/],
  ["another kind of object", { apiVersion: "v1", kind: "Secret", data: {} }, REFUSED, /format: is missing/],
  ["no object", [], REFUSED, /document: must be object/],
];

for (const [what, document, codes, says] of ROWS)
  test(`every reader makes the same of ${what}`, () => readEverywhere(JSON.stringify(document), codes, says));

test("every reader makes the same of a document that was cut off", async () => {
  const text = JSON.stringify(CLEAR);
  for (const length of [1, 100, text.length - 1])
    await readEverywhere(text.slice(0, length), REFUSED, /document: is not JSON/);
  await readEverywhere("", REFUSED, /document: is empty/);
});

async function readEverywhere(text: string, codes: Codes, says: RegExp | undefined): Promise<void> {
  const file = join(folder, "document.json");
  await writeFile(file, text);
  for (const [i, [name, read]] of Object.entries(READERS).entries()) {
    const reading = await read(file, text);
    assert.equal(reading.code, codes[i], `${name}: ${reading.text}`);
    if (says !== undefined) assert.match(reading.text.replaceAll('\\"', '"'), says, name);
  }
}

test("what check -o json prints is held to the same rules, but not to the limits of a document", async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ ...RISK, name: `R${i + 100}`, message: "m".repeat(1_001) }));
  const whole = { ...RISKY, risks: many, coverage: {} };
  assert.equal((await readResult(JSON.stringify(whole))).kind, "valid");
  assert.equal((await readResult(JSON.stringify({ ...whole, coverage: undefined }))).kind, "invalid");
  assert.equal((await readResult(JSON.stringify({ ...whole, checks: UNKNOWN }))).kind, "invalid");
});

test("what no document says is complete is not in the history either", () => {
  const entry = buildHistoryEntry(UNSTATED, []);
  assert.equal(entry?.complete, false);
});
