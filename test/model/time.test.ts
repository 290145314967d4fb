import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLapsed } from "../../src/model/unseen.ts";
import { createChangeLogger } from "../../src/model/logger.ts";
import { formatTime, getAge, isWithinMinutes, parseTimestamp } from "../../src/model/time.ts";

const NOW = new Date(Date.UTC(2026, 2, 1, 12));

test("only a time of the API is one", () => {
  const at = NOW.getTime();
  const times: readonly (readonly [text: string | undefined, time: number | undefined])[] = [
    ["2026-03-01T12:00:00Z", at],
    ["2026-03-01T12:00:00.5Z", at + 500],
    ["2026-03-01T12:00:00.123Z", at + 123],
    ["2026-03-01T14:30:00+02:30", at],
    ["2026-03-01T10:00:00-02:00", at],
    ...[
      ..."2026-03-01 2026-03-01T12:00:00 2026-03-01T12:00Z 2026-03-01T12:00:00.Z 2026-03-01T12:00:00z".split(" "),
      ..."x2026-03-01T12:00:00Z 2026-03-01T12:00:00Zx 2026-13-01T12:00:00Z +002026-03-01T12:00:00Z".split(" "),
      ..."2026-03-01T12:00:00+0200 2026-03-01T12:00:00.aZ 2026-3-01T12:00:00Z".split(" "),
      "",
      "2026-03-01 12:00:00Z",
      "2026-03-01T12:00:00Z (UTC)",
    ].map((text) => [text, undefined] as const),
    [undefined, undefined],
  ];
  assert.deepEqual(
    times.map(([text]) => parseTimestamp(text)),
    times.map(([, time]) => time),
  );
});

test("a time is within minutes of itself, as far as clocks differ before it too, and not in the future", () => {
  const texts = ["12:05:01", "12:05:00", "12:00:01", "12:00:00", "11:58:01", "11:58:00", "11:00:00"].map(
    (text) => `2026-03-01T${text}Z`,
  );
  assert.deepEqual(
    [...texts, "today", undefined].map((text) => isWithinMinutes(text, 2, NOW)),
    [false, true, true, true, true, false, false, false, false],
  );
  assert.deepEqual(
    [...texts, undefined].map((text) => getAge(text, NOW)),
    [-301_000, -300_000, -1_000, 0, 119_000, 120_000, 3_600_000, undefined],
  );
});

test("a time is written in whole seconds", () => {
  assert.equal(formatTime(new Date(NOW.getTime() + 999)), "2026-03-01T12:00:00Z");
});

test("an acceptance holds up to the end of its last day", () => {
  const days = ["2026-02-28", "2026-03-01", "2026-03-02"];
  assert.deepEqual(
    days.map((until) => hasLapsed({ until }, formatTime(NOW))),
    [true, false, false],
  );
  assert.equal(hasLapsed({}, formatTime(NOW)), false);
});

test("a message is logged when it changes", () => {
  const logged: string[] = [];
  const log = createChangeLogger((message) => logged.push(message));
  for (const message of ["", "a", "a", "b", "", "", "b", "a"]) log(message);
  assert.deepEqual(logged, ["a", "b", "b", "a"]);
});
