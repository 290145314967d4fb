import assert from "node:assert/strict";
import { test } from "node:test";
import { takeClauses, takeSentences } from "../../src/model/sentences.ts";

const TEXT = 'Run "oc get a,b, c" first, then wait. It takes e.g. an hour, or "two, three". The end.';

test("whole sentences are taken up to a limit, the first one in any case", () => {
  const first = 'Run "oc get a,b, c" first, then wait...';
  assert.deepEqual(
    [1, 60, 82, 200].map((limit) => takeSentences(TEXT, limit)),
    [first, first, 'Run "oc get a,b, c" first, then wait. It takes e.g. an hour, or "two, three"...', TEXT],
  );
});

test("clauses end at commas, but not at those of a command", () => {
  assert.equal(takeClauses(TEXT, 1), 'Run "oc get a,b, c" first...');
  assert.equal(takeClauses(TEXT, 40), 'Run "oc get a,b, c" first, then wait...');
});

test("a text of others is cut in no time, however long", () => {
  const begun = process.cpuUsage();
  assert.ok(takeClauses('a, "'.repeat(100_000), 10).length < 2_000);
  assert.ok(process.cpuUsage(begun).user < 2e6);
});
