import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBugs } from "../../src/checks/known-bugs/bug-decoder.ts";
import { resolveVersions } from "../../src/checks/known-bugs/versions.ts";
import type { JsonObject } from "../../src/model/json.ts";

const ENTRY: JsonObject = {
  id: "dark-console",
  name: "ConsoleStaysDark",
  published: ["DarkConsole"],
  versions: [{ first: "4.20.1", last: "4.20.3", fixedIn: "4.20.4", sources: "unaffected" }],
  reads: {
    nodes: { list: "v1/nodes", where: 'object.metadata.name.matches("^a")', index: { name: "object.metadata.name" } },
  },
  variables: [{ name: "isAWS", expression: 'cluster.platform == "AWS"' }],
  findings: [{ forEach: "nodes.items", when: "isAWS" }],
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
  [{ reads: ["nodes"] }, "console.yaml[0].reads is not a map"],
  [{ reads: { nodes: { each: "v1/nodes" } } }, "console.yaml[0].reads.nodes.each is not a key"],
  [{ reads: { nodes: { list: "v1/nodes", where: true } } }, "console.yaml[0].reads.nodes.where is not a text"],
  [{ variables: [{ name: "isAWS" }] }, "console.yaml[0].variables[0].expression is not a text"],
  [{ findings: [{ if: "true" }] }, "console.yaml[0].findings[0].if is not a key"],
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
