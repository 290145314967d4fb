import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTurnLimit, type TurnLimit } from "../../src/runner/gather/gathering.ts";

/** Work that ends when the test says so. */
function createWorks(limit: TurnLimit) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    begun,
    add: (name: string, rank?: number): Promise<string> =>
      limit(async () => {
        begun.push(name);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        ends.set(name, (error) => (error ? reject(error) : resolve()));
        await promise;
        return name;
      }, rank),
    end: async (name: string, error?: Error): Promise<void> => {
      ends.get(name)?.(error);
      await nextTurn();
    },
  };
}

describe("a limit of turns", () => {
  test("lets as many work as it may, and each of the others when one has ended or failed", async () => {
    const { add, begun, end } = createWorks(createTurnLimit(() => 2));
    const works = ["a", "b", "c", "d"].map((name) => add(name));
    await nextTurn();
    assert.deepEqual(begun, ["a", "b"]);
    const failed = assert.rejects(works[1] ?? Promise.resolve(), /boom/);
    await end("b", new Error("boom"));
    await failed;
    assert.deepEqual(begun, ["a", "b", "c"]);
    for (const name of ["a", "c", "d"]) await end(name);
    assert.deepEqual(await Promise.all([works[0], works[2], works[3]]), ["a", "c", "d"]);
  });

  test("gives the next turn to the highest rank, and within a rank to who came first", async () => {
    const { add, begun, end } = createWorks(createTurnLimit(() => 1));
    void add("first");
    await nextTurn();
    for (const [name, rank] of [["a"], ["b", 1], ["c", 3], ["d", 1], ["e"]] as const) void add(name, rank);
    await nextTurn();
    for (const name of ["first", "c", "b", "d", "a", "e"]) await end(name);
    assert.deepEqual(begun, ["first", "c", "b", "d", "a", "e"]);
  });

  test("begins nothing while more work than a lowered limit allows, and several at once when it is raised", async () => {
    let most = 3;
    const { add, begun, end } = createWorks(createTurnLimit(() => most));
    for (const name of ["a", "b", "c", "d", "e", "f"]) void add(name);
    await nextTurn();
    most = 1;
    await end("a");
    await end("b");
    assert.deepEqual(begun, ["a", "b", "c"]);
    await end("c");
    assert.deepEqual(begun, ["a", "b", "c", "d"]);
    most = 3;
    await end("d");
    assert.deepEqual(begun, ["a", "b", "c", "d", "e", "f"]);
  });
});
