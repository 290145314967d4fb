import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBugs } from "../../src/checks/known-bugs/bug-decoder.ts";
import { resolveVersions } from "../../src/checks/known-bugs/versions.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

const ENTRY: JsonObject = {
  id: "dark-console",
  name: "ConsoleStaysDark",
  published: ["DarkConsole"],
  versions: [{ first: "4.20.1", last: "4.20.3", fixedIn: "4.20.4", sources: "unaffected" }],
  when: { allOf: [{ platform: ["AWS"] }, { each: "v1/nodes", where: { at: "metadata.name", matches: "^a" } }] },
  title: "The console stays dark",
  message: "The console of {target} stays dark",
  url: "https://issues.redhat.com/browse/CONSOLE-1",
};

function decodeEntry(change: JsonObject): unknown {
  return decodeBugs([{ ...ENTRY, ...change }], "console.yaml");
}

test("an entry is decoded as it stands", () => {
  assert.deepEqual(decodeEntry({}), [ENTRY]);
});

const where = (test: Json): JsonObject => ({ when: { get: "v1/nodes", name: "a", where: test } });
const FAULTS: readonly (readonly [change: JsonObject, message: string])[] = [
  [{ titel: "x" }, "console.yaml[0].titel is not a key"],
  [{ title: 4.2 }, "console.yaml[0].title is not a text"],
  [{ effect: "slow" }, "console.yaml[0].effect is not refused or notRecommended or stuck or broken"],
  [{ published: "DarkConsole" }, "console.yaml[0].published is not a list"],
  [{ versions: [{ first: "4.20.1" }] }, "console.yaml[0].versions[0].last is not a text"],
  [
    { versions: [{ first: "4.20.1", last: "4.20.1", sources: "all" }] },
    "console.yaml[0].versions[0].sources is not earlierMinors or unaffected",
  ],
  [{ when: { hosted: "yes" } }, "console.yaml[0].when.hosted is not true or false"],
  [{ when: { not: { allOf: [{ aro: false }] } } }, "console.yaml[0].when.not.allOf[0].aro is not true"],
  [where({ at: "a", is: "there" }), "console.yaml[0].when.where.is is not present or absent or nonEmpty"],
  [where({ at: "a", equals: null }), "console.yaml[0].when.where.equals is not a text"],
  [where({ items: "a", where: { at: "b", atLeast: "1" } }), "console.yaml[0].when.where.where.atLeast is not a number"],
  [where("a"), "console.yaml[0].when.where is not an object with allOf or anyOf or not or items or parsed or"],
];

for (const [change, message] of FAULTS)
  test(`a fault is told with its place: ${message}`, () => {
    assert.throws(
      () => decodeEntry(change),
      (error) => error instanceof Error && error.message.startsWith(message),
    );
  });

test("sources are ranges, or what they have in common", () => {
  const resolve = (sources: "earlierMinors" | "unaffected") =>
    resolveVersions([
      { first: "4.19.8", last: "4.19.9", sources },
      { first: "4.20.0", last: "4.20.3", sources },
      { first: "4.21.5", last: "4.21.6", sources },
    ]).map((affected) => affected.sources);
  assert.deepEqual(resolve("earlierMinors"), [
    [{ before: "4.19.0-0" }],
    [{ before: "4.20.0-0" }],
    [{ before: "4.21.0-0" }],
  ]);
  assert.deepEqual(resolve("unaffected"), [
    [{ before: "4.19.8" }],
    [{ before: "4.19.8" }],
    [{ before: "4.20.0" }, { from: "4.21.0-0", before: "4.21.5" }],
  ]);
});
