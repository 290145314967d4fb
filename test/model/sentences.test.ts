import assert from "node:assert/strict";
import { test } from "node:test";
import { takeClauses, takeSentences } from "../../src/model/text.ts";

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

test("a part is taken if it fits to the character", () => {
  const text = "Aa. Bb. Cc.";
  assert.deepEqual(
    [6, 7, 10, 11].map((limit) => takeSentences(text, limit)),
    ["Aa...", "Aa. Bb...", "Aa. Bb...", text],
  );
  assert.equal(takeSentences("One long sentence.", 5), "One long sentence.");
});

test("no more than a thousand characters are searched, and a text that fits is whole", () => {
  const long = "a".repeat(1_100);
  assert.equal(takeClauses(long, 10), `${"a".repeat(1_000)}...`);
  assert.deepEqual([takeClauses(long, 1_100), takeClauses(long, 2_000)], [long, long]);
});

test("a sentence ends before a quote or a parenthesis, and after one that is closed", () => {
  const text = `Aa. "Bb." (Cc.) 'Dd.' Ee. f.`;
  assert.deepEqual(
    [3, 9, 15, 21].map((limit) => takeSentences(text, limit)),
    ["Aa...", 'Aa. "Bb."...', 'Aa. "Bb." (Cc.)...', `Aa. "Bb." (Cc.) 'Dd.'...`],
  );
  const clauses = ["aa.) bb, cc", 'aa, "b c"', 'aa, b ""', "aa, b", 'aa "b, c" d'].map((one) => takeClauses(one, 4));
  assert.deepEqual(clauses, ["aa.)...", "aa...", "aa...", "aa...", 'aa "b, c" d']);
});
