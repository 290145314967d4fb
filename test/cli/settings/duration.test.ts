import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../../../src/cli/settings/values.ts";
import { UsageError } from "../../../src/model/errors.ts";

test("parses durations in Go syntax", () => {
  const cases = [
    ["0", 0],
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
  ] as const;
  for (const [text, expected] of cases) assert.equal(parseDuration(text, "interval"), expected, text);
});

test("rejects anything else, and names the option", () => {
  for (const text of ["", "5", "-5m", "5 m", "m", "5m!", "1d", "9999h"]) {
    assert.throws(() => parseDuration(text, "interval"), /^UsageError: --interval /, text);
  }
});

test("takes no longer for many digits without a unit than for a few", () => {
  const before = process.cpuUsage().user;
  assert.throws(() => parseDuration("0".repeat(200_000), "interval"), UsageError);
  assert.ok(process.cpuUsage().user - before < 5_000_000, "the square of the length takes half a minute");
});
