import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition } from "../../src/model/object.ts";
import type { Json } from "../../src/model/json.ts";
import { joinNames, sortNames, summarizeNames, quote } from "../../src/model/text.ts";
import { leavesMinor } from "../../src/model/version.ts";
import { version } from "../support/fixtures.ts";

test("lists the first few of many names, and the number of the rest", () => {
  assert.equal(summarizeNames([]), "");
  assert.equal(summarizeNames(["A", "B", "C"]), "A, B and C");
  assert.equal(summarizeNames(["A", "B", "C", "D"]), "A, B, C and 1 more");
  assert.equal(summarizeNames(["A", "B", "C", "D", "E"]), "A, B, C and 2 more");
});

test("a quoted text is one line without its period, truncated between characters", () => {
  assert.equal(quote(" Two\n  lines. ", 20), "Two lines");
  assert.equal(quote("One two", 4), "One...");
  assert.deepEqual([quote("a.b", 3), quote("a.b..", 4), quote("a.b", 2)], ["a.b", "a.b.", "a...."]);
  assert.equal(quote("\u{1f600}\u{1f600}\u{1f600}", 2), "\u{1f600}\u{1f600}...");
});

test("finds a condition by type, whatever else the list contains", () => {
  const conditions: readonly Json[] = [
    "Ready",
    null,
    { type: "Other" },
    { type: "Ready", status: "True" },
    { type: "Ready", status: "False" },
  ];
  assert.deepEqual(findCondition({ status: { conditions } }, "Ready"), { type: "Ready", status: "True" });
  assert.equal(findCondition({ status: { conditions: {} } }, "Ready"), undefined);
});

test("an update to a later minor leaves its minor, also from 4.23 to 5.0, but a rollback does not", () => {
  const leaves = (from: string, to: string) => leavesMinor({ source: version(from), target: version(to) });
  assert.ok(leaves("4.18.1", "4.19.0") && leaves("4.23.1", "5.0.0") && leaves("5.0.1", "5.2.0"));
  assert.ok(!leaves("4.18.1", "4.18.9") && !leaves("4.19.1", "4.18.9") && !leaves("5.0.0", "4.23.1"));
});

test("names are sorted and joined", () => {
  assert.deepEqual(sortNames(["b", "a", "B", "b"]), ["B", "a", "b"]);
  const names = ["A", "B", "C"];
  assert.deepEqual(
    [0, 1, 2, 3].map((count) => joinNames(names.slice(0, count))),
    ["", "A", "A and B", "A, B and C"],
  );
  assert.equal(summarizeNames(names, 7), "A, B, C and 4 more");
});
