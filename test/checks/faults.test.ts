import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { getExitCode } from "../../src/cli/session/result.ts";
import { decide } from "../../src/format/view/decision.ts";
import { buildDocument } from "../../src/format/document/document.ts";
import { textAt } from "../../src/model/json.ts";
import type { Check } from "../../src/model/check.ts";
import { type CheckCase, type CaseFile, readCase } from "../../src/cases/case-files.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { type OpenCase, judgeOpenCase, openCase, readCasePayload } from "../../src/cases/runner.ts";
import { ANSWER_FAULTS } from "../../verify/reliability/answer-faults.ts";
import { FAULTS } from "../../verify/reliability/faults.ts";
import { checkDemo, readDemo } from "../support/demo.ts";
import { openFaultyCluster } from "../support/faulty-cluster.ts";

/** PREFLIGHT_CASES=all adds the faults that take long, those that a seeded cluster is tried with, all cases of a check, and every fault at every path instead of each sixteenth, another one at each. */
const isLong = hasAllCases;
const STEP = 16;
const SLOW = /without an end|6 MiB|killed|no response/;
const LONG = new Set([...FAULTS.filter(({ name }) => SLOW.test(name)), ...ANSWER_FAULTS]);
const faults = FAULTS.filter((fault) => fault.isEndless !== true && (isLong || !LONG.has(fault)));

function selectCases(): readonly CaseFile[] {
  return checks.flatMap((check) => {
    const cases = caseFiles(check).filter(({ name }) => name.startsWith("risk-"));
    return isLong ? cases : cases.slice(0, 1);
  });
}

const getNames = ({ risks }: Pick<Result, "risks">): readonly string[] => risks.map(({ name }) => name);

/** Undefined if the cycle failed, which hides nothing either. */
async function judge(open: OpenCase, check: Check): Promise<Result | undefined> {
  try {
    return await judgeOpenCase(open, check, checks);
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.startsWith(open.one.file)) return undefined;
    throw thrown;
  }
}

/** The reads that the recorded API server answers, so that a fault is not better than the truth. */
function selectAnswered(paths: ReadonlySet<string>, { cluster }: CheckCase): readonly string[] {
  return [...paths].filter((path) => textAt(cluster[path], "error") === undefined);
}

describe("a fault of a read never hides what a check found", () => {
  for (const [k, one] of selectCases().entries())
    test(`${one.check.id}, ${one.name}`, async (t) => {
      const found = readCase(one);
      const cluster = await openFaultyCluster(t, found.cluster);
      // Not from the server: what a busy machine answers late must not be what is expected.
      const expected = getNames(await judgeOpenCase(await openCase(found), one.check, checks));
      assert.ok(expected.length > 0, "nothing is found without a fault");
      const open = { one: found, reader: cluster.reader, payload: await readCasePayload(found) };
      assert.deepEqual(getNames(await judgeOpenCase(open, one.check, checks)), expected);
      const [paths, lists] = [cluster.paths, cluster.lists].map((read) => selectAnswered(read, found));
      for (const [i, struck] of [...(paths ?? []).map((path) => [path]), lists ?? []].entries())
        for (const fault of faults.filter((_, j) => isLong || (i + j + k) % STEP === 0)) {
          cluster.strike(fault, (path) => struck.includes(path));
          const result = await judge(open, one.check);
          if (result === undefined) continue;
          const names = new Set(getNames(result));
          const isHidden = expected.some((name) => !names.has(name)) && result.outcome.kind !== "unknown";
          assert.ok(!isHidden, `${fault.name} at ${struck.join(", ")}: ${result.outcome.kind}`);
        }
    });
});

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const STRUCK: readonly (readonly [string, (path: string, lists: ReadonlySet<string>) => boolean])[] = [
  ["every list", (path, lists) => lists.has(path)],
  ["everything but ClusterVersion", (path) => path !== CLUSTER_VERSION],
];

for (const [k, [what, isStruck]] of STRUCK.entries())
  test(`a fault of ${what} makes no document clear, and hides no risk without an unknown beside it`, async (t) => {
    const cluster = await openFaultyCluster(t, readDemo());
    const run = { preflightID: "a", runnerVersion: "0", intervalSeconds: 60, hasUnknownRisks: true };
    const full = await checkDemo(cluster.reader);
    const risks = buildDocument({ result: full, run }).risks.filter(({ name }) => !name.endsWith("Unknown"));
    assert.ok(full.kind === "completed" && risks.length > 3);
    const lists = new Set(cluster.lists);
    for (const fault of faults.filter((_, j) => isLong || j % 5 === k)) {
      cluster.strike(fault, (path) => isStruck(path, lists));
      const result = await checkDemo(cluster.reader);
      if (result.kind === "failed") assert.fail(`${fault.name}: ${result.failure.message}`);
      const document = buildDocument({ result, run });
      const isLess = risks.some(({ name }) => !document.risks.some((risk) => risk.name === name));
      const hasUnknown = document.complete === false && document.risks.some(({ name }) => name.endsWith("Unknown"));
      assert.ok(!isLess || hasUnknown, fault.name);
      assert.notEqual(getExitCode([decide(result.report, { accepted: new Set() }).kind], "incomplete"), 0, fault.name);
    }
  });
