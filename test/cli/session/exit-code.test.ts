import assert from "node:assert/strict";
import { test } from "node:test";
import { getExitCode, toVerdict } from "../../../src/cli/session/result.ts";
import { FLEET_VERDICTS, type FleetVerdict } from "../../../src/format/fleet/cluster.ts";

const CODES: readonly [verdicts: readonly FleetVerdict[], incomplete: number, risk: number][] = [
  [[], 0, 0],
  [["clear", "updated"], 0, 0],
  [["clear", "incomplete"], 4, 0],
  [["incomplete", "risk", "clear"], 3, 3],
  ...(["failed", "invalid", "stale", "running"] as const).map((one): [FleetVerdict[], number, number] => [[one], 4, 0]),
];

for (const [verdicts, incomplete, risk] of CODES)
  test(`verdicts (${verdicts.join(", ")}) end with ${incomplete}, and with ${risk} if only risks count`, () => {
    assert.deepEqual([getExitCode(verdicts, "incomplete"), getExitCode(verdicts, "risk")], [incomplete, risk]);
  });

test("no verdict counts if none is to", () => {
  assert.equal(getExitCode(FLEET_VERDICTS, "never"), 0);
});

test("a risk counts before what is incomplete, and what could not be checked is not clear", () => {
  assert.deepEqual(
    [toVerdict(true, true), toVerdict(false, true), toVerdict(false, false)],
    ["risk", "incomplete", "clear"],
  );
});
