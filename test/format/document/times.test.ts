import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPreflightId } from "../../../src/format/document/document.ts";
import { formatTime } from "../../../src/model/time.ts";
import { OBSERVED } from "../../../verify/pages/sample.ts";

test("times are whole seconds, UTC", () => {
  assert.equal(formatTime(OBSERVED), "2026-03-01T10:00:00Z");
  assert.equal(formatTime(new Date("2026-03-01T00:30:00+02:00")), "2026-02-28T22:30:00Z");
});

test("a preflightID is the start and the version, or unknown", () => {
  assert.equal(buildPreflightId(OBSERVED, "4.20.3"), "2026-03-01T10:00:00Z-preflight-4.20.3");
  assert.equal(buildPreflightId(OBSERVED, "5.0.0-rc.1+x"), "2026-03-01T10:00:00Z-preflight-5.0.0-rc.1+x");
  assert.equal(buildPreflightId(OBSERVED, "4.20"), "2026-03-01T10:00:00Z-preflight-unknown");
  assert.equal(buildPreflightId(OBSERVED), "2026-03-01T10:00:00Z-preflight-unknown");
});
