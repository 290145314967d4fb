import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CaseFile, readCase } from "../../src/cases/case-files.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { Reader, ReadFailure, ReadFailureReason } from "../../src/model/reader.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { createFailingReader } from "../support/failing-reader.ts";

/** PREFLIGHT_CASES=all has every read of every case fail for each reason, instead of the reasons in turn. */
const isLong = hasAllCases;
/** Those that the product tells apart. */
const REASONS: readonly ReadFailureReason[] = ["Forbidden", "Unreachable", "NotRecorded"];

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

function assertNothingHidden(found: Result, result: Result | undefined, what: string): void {
  if (result === undefined || result.outcome.kind === "unknown") return;
  assert.notEqual(found.outcome.kind, "unknown", `${what}: what was unknown is ${result.outcome.kind}`);
  const left = new Set(listFindings(result));
  assert.deepEqual(
    listFindings(found).filter((finding) => !left.has(finding)),
    [],
    `${what}: ${result.outcome.kind}`,
  );
}

describe("whatever read fails, for whatever reason, what a check found stays or there is an unknown", () => {
  for (const check of checks)
    test(check.id, async () => {
      for (const [i, file] of caseFiles(check).entries()) {
        if (!/^(?:risk|unknown)-/.test(file.name)) continue;
        const open = await openCase(readCase(file));
        const healthy = createFailingReader(open.reader);
        const found = await judge(open, file, healthy.reader);
        assert.ok(found !== undefined, file.name);
        for (const [j, path] of [...healthy.paths].entries())
          for (const reason of REASONS.filter((_, k) => isLong || (i + j) % REASONS.length === k)) {
            const failure: ReadFailure = { kind: "failed", reason, message: "it failed" };
            const { reader } = createFailingReader(open.reader, {
              paths: new Set([path]),
              failure,
              when: "at its end",
            });
            assertNothingHidden(found, await judge(open, file, reader), `${file.name}, ${reason} at ${path}`);
          }
      }
    });
});
