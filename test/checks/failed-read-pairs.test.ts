import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { readCase } from "../../src/cases/case-files.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { ReadFailure } from "../../src/model/reader.ts";
import { createFailingReader } from "../support/failing-reader.ts";

const UNREACHABLE: ReadFailure = { kind: "failed", reason: "Unreachable", message: "connection reset" };

/** Whether a risk is gone and nobody is told that something is unknown. A cycle that fails as a whole hides nothing. */
async function hides(open: OpenCase, check: (typeof checks)[number], expected: readonly string[]): Promise<boolean> {
  try {
    const { outcome, risks } = await judgeOpenCase(open, check, checks);
    const names = new Set(risks.map(({ name }) => name));
    return outcome.kind !== "unknown" && expected.some((name) => !names.has(name));
  } catch (thrown) {
    if (thrown instanceof FailedError) return false;
    throw thrown;
  }
}

/** Every path alone, and every pair. */
function listFailures(paths: readonly string[]): readonly (readonly string[])[] {
  return [
    ...paths.map((path) => [path]),
    ...paths.flatMap((one, i) => paths.slice(i + 1).map((other) => [one, other])),
  ];
}

describe("whichever two reads fail, a risk stays or is unknown", () => {
  for (const check of checks) {
    const [file] = caseFiles(check).filter(({ name }) => name.startsWith("risk-"));
    if (file === undefined) continue;
    test(`${check.id}, ${file.name}`, async () => {
      const open = await openCase(readCase(file));
      const healthy = createFailingReader(open.reader);
      const { risks } = await judgeOpenCase({ ...open, reader: healthy.reader }, check, checks);
      const expected = risks.map(({ name }) => name);
      assert.ok(expected.length > 0 && healthy.paths.size > 0);
      const hidden: string[] = [];
      for (const paths of listFailures([...healthy.paths]))
        for (const when of ["at once", "at its end"] as const) {
          const { reader } = createFailingReader(open.reader, { paths: new Set(paths), failure: UNREACHABLE, when });
          if (await hides({ ...open, reader }, check, expected)) hidden.push(`${paths.join(" and ")}, ${when}`);
        }
      assert.deepEqual(hidden, []);
    });
  }
});
