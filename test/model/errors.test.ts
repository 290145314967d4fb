import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCode, formatError } from "../../src/model/errors.ts";
import { isDeeperThan } from "../../src/model/json.ts";

test("only an error of the operating system has a code", () => {
  const values = [
    Object.assign(new Error("no file"), { code: "ENOENT" }),
    Object.assign(new Error("a number"), { code: 5 }),
    new Error("without one"),
    { code: "ENOENT" },
    undefined,
    null,
    "ENOENT",
  ];
  assert.deepEqual(values.map(errorCode), ["ENOENT", ...Array.from({ length: 6 }, () => undefined)]);
});

test("a value is deeper than so many levels if something stands below the last one", () => {
  const value = { a: [1, { b: {} }] };
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((levels) => isDeeperThan(value, levels)),
    [true, true, true, true, false].map((deeper, levels) => deeper && levels < 4),
  );
  for (const flat of ["a", 1, null, true]) assert.equal(isDeeperThan(flat, 0), false);
});

test("an error is told with its causes", () => {
  const values = ["a", new Error("a"), new Error("a", { cause: new Error("b", { cause: "c" }) }), undefined];
  assert.deepEqual(values.map(formatError), ["a", "a", "a: b: c", "undefined"]);
});
