import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CaseFile, readCase } from "../../src/cases/case-files.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { Reader, ReadFailure, ReadFailureReason } from "../../src/model/reader.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { createFailingReader, type FailingReads } from "../support/failing-reader.ts";
import { groupByRight } from "../support/audit-rights.ts";

/** Of each check's cases with a risk, of its others, and of the reads of each; all of them with PREFLIGHT_CASES=all. */
const STEP = 8;
const STEP_OF_OTHERS = 16;
const STEP_OF_READS = 2;
/** Beside Forbidden, those that the product tells apart. */
const REASONS: readonly ReadFailureReason[] = ["Unreachable", "NotRecorded"];

/** Undefined if the cycle failed, which hides nothing either. */
async function judge(open: OpenCase, { check }: CaseFile, reader: Reader): Promise<Result | undefined> {
  try {
    return await judgeOpenCase({ ...open, reader }, check, checks);
  } catch (thrown) {
    if (thrown instanceof FailedError) return undefined;
    throw thrown;
  }
}

const listFindings = ({ outcome }: Result): readonly string[] =>
  "findings" in outcome ? outcome.findings.map(({ risk, object, path }) => JSON.stringify([risk, object, path])) : [];

/** What a check that is judged last leaves to others, it reports itself where these could not look: it is in what it reads. */
async function listLeftToOthers(open: OpenCase, file: CaseFile): Promise<readonly string[]> {
  if (file.check.special?.judgedLast !== true || open.one.otherChecks.length === 0) return [];
  const alone = await judge({ ...open, one: { ...open.one, otherChecks: [] } }, file, open.reader);
  return alone === undefined ? [] : listFindings(alone);
}

/** Whoever reads less may find less, if an unknown says so. Nobody finds anything else. Undefined if it is so. */
function describeDifference(
  found: Result,
  result: Result | undefined,
  leftToOthers: readonly string[],
): string | undefined {
  if (result === undefined) return undefined;
  const before = listFindings(found);
  const all = listFindings(result);
  const after = all.filter((finding) => before.includes(finding) || !leftToOthers.includes(finding));
  const more = after.filter((finding) => !before.includes(finding));
  if (more.length > 0) return `found with less alone: ${more.join()}`;
  if (result.outcome.kind === "unknown") return undefined;
  if (result.outcome.kind !== found.outcome.kind && after.length === all.length)
    return `${result.outcome.kind} instead of ${found.outcome.kind}`;
  const less = before.filter((finding) => !after.includes(finding));
  return less.length > 0 ? `${result.outcome.kind} without ${less.join()}` : undefined;
}

function sampleCases(files: readonly CaseFile[]): readonly CaseFile[] {
  const kinds = Object.groupBy(files, ({ name }) => {
    // Each, since nothing else shows what becomes of a hosted cluster that can't be told from others.
    if (name.includes("hosted")) return "hosted";
    return name.startsWith("risk") ? "risk" : "other";
  });
  const { hosted = [], risk = [], other = [] } = kinds;
  return [...hosted, ...sampleEach(risk, STEP), ...sampleEach(other, STEP_OF_OTHERS)];
}

/** Each right is missing, and each read fails for each other reason. */
function buildFailures(paths: ReadonlySet<string>): readonly FailingReads[] {
  const rights = [...groupByRight(paths).values()].map((ofRight): FailingReads => {
    const failure: ReadFailure = { kind: "failed", reason: "Forbidden", message: "403 forbidden" };
    return { paths: new Set(ofRight), failure, when: "at once" };
  });
  const others = REASONS.flatMap((reason, i) =>
    sampleEach([...paths].slice(hasAllCases ? 0 : i), STEP_OF_READS).map((path): FailingReads => {
      const failure: ReadFailure = { kind: "failed", reason, message: "it failed" };
      return { paths: new Set([path]), failure, when: "at its end" };
    }),
  );
  return [...rights, ...others];
}

describe("whichever right is missing, and whatever read fails, a check finds the same, or there is an unknown", () => {
  for (const check of checks)
    test(check.id, async () => {
      const differences: string[] = [];
      for (const file of sampleCases(caseFiles(check))) {
        const open = await openCase(readCase(file));
        const healthy = createFailingReader(open.reader);
        const found = await judge(open, file, healthy.reader);
        assert.ok(found !== undefined, file.name);
        const leftToOthers = await listLeftToOthers(open, file);
        for (const failing of buildFailures(healthy.paths)) {
          const { reader } = createFailingReader(open.reader, failing);
          const difference = describeDifference(found, await judge(open, file, reader), leftToOthers);
          if (difference === undefined) continue;
          differences.push(
            `${file.name}, ${failing.failure.reason} at ${[...failing.paths].join(" and ")}: ${difference}`,
          );
        }
      }
      assert.deepEqual(differences, []);
    });
});
