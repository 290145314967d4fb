import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { sampleEach } from "../support/cases/sample.ts";
import { buildChildEnvironment } from "../support/publish/sample-document.ts";

const PROGRAM = join(import.meta.dirname, "..", "support", "runner", "allocated-bytes.ts");

/** One thread, so that code is compiled at the same object each time; and room for all, so that nothing is collected while it is counted. */
const FLAGS = ["--expose-gc", "--single-threaded", "--min-semi-space-size=256", "--max-semi-space-size=256"];

function readAllocatedBytes(kind: string): number {
  const options = { encoding: "utf8", env: { ...buildChildEnvironment(), NODE_OPTIONS: "" } } as const;
  return Number(execFileSync(process.execPath, [...FLAGS, PROGRAM, kind], options));
}

/** Bytes for each object, of which its text of 683 and the parsed object take 1,600: as measured, and at most. */
const LIMITS = [
  { kind: "rules", measured: 3_700, most: 3_900 },
  { kind: "no rules", measured: 2_868, most: 3_050 },
  { kind: "keep only", measured: 2_147, most: 2_300 },
] as const;

for (const { kind, measured, most } of sampleEach(LIMITS, 2))
  test(`an object of a kind with ${kind} is read and judged with at most ${most} bytes`, () => {
    const bytes = readAllocatedBytes(kind);
    assert.ok(bytes <= most, `${bytes} bytes, and ${measured} when this was written`);
    assert.ok(bytes > measured / 2, `only ${bytes} bytes: something was collected, or is no longer counted`);
  });

test("what a check makes of each object is counted", () => {
  const [, , { measured }] = LIMITS;
  const more = readAllocatedBytes("kilobyte more") - measured;
  assert.ok(more > 1_000 && more < 1_200, `${more} bytes for a kilobyte`);
});
