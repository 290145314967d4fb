import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createAgeJudge } from "../../src/cluster/access/answer-age.ts";

const MINUTE_MS = 60_000;
const NOON = 1_767_268_800_000;

/** The verdicts on answers of these minutes after noon, each of which arrives so many minutes after the first. */
function judgeAll(answers: readonly { readonly date: number; readonly at: number }[]): readonly (string | undefined)[] {
  let now = 0;
  const judge = createAgeJudge({ now: () => now });
  return answers.map(({ date, at }) => {
    now = at * MINUTE_MS;
    return judge({ date: new Date(NOON + date * MINUTE_MS).toUTCString() });
  });
}

const answers = (...dates: readonly number[]) => dates.map((date) => ({ date, at: 0 }));

describe("an answer comes out of a cache", () => {
  test("if it has been there for more than 5 minutes", () => {
    const judge = createAgeJudge({ now: () => 0 });
    assert.equal(judge({ age: "300" }), undefined);
    assert.equal(judge({ age: "7200" }), "out of a cache, which has kept the answer for 2 hours (Age)");
  });

  test("if it is more than 5 minutes older than another one", () => {
    const [first, second] = judgeAll(answers(0, -6));
    assert.equal(first, undefined);
    assert.equal(second, "out of a cache, or an earlier answer was: it is 6 minutes older than that (Date)");
  });

  test("or if an earlier one did, when this one is newer than the time that has passed", () => {
    const [, second, third] = judgeAll(answers(-1_440, 0, 0));
    assert.equal(second, "out of a cache, or an earlier answer was: it is 1 day newer than that (Date)");
    assert.equal(third, second);
  });
});

describe("an answer counts as one of now", () => {
  const FRESH = [
    ["without a time", [{ age: "", date: "" }, {}, { date: "noon" }]],
    [
      "of a wrong clock that all have",
      [{ date: "Thu, 01 Jan 1970 00:00:00 GMT" }, { date: "Thu, 01 Jan 1970 00:04:00 GMT" }],
    ],
  ] as const;
  for (const [what, headers] of FRESH)
    test(what, () => {
      const judge = createAgeJudge({ now: () => NOON });
      assert.deepEqual(
        headers.map(judge),
        headers.map(() => undefined),
      );
    });

  test("of a cycle of hours", () => {
    const hours = [0, 60, 120, 117].map((date) => ({ date, at: date }));
    assert.deepEqual(judgeAll(hours), Array(4).fill(undefined));
  });
});
