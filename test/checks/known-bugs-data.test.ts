import assert from "node:assert/strict";
import { test } from "node:test";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { loadBugList } from "../../src/checks/known-bugs/load-list.ts";
import { resolveVersions } from "../../src/checks/known-bugs/known-bug.ts";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { readFolderFiles } from "../../src/encoding/data-folder.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { LAST_KNOWN_RELEASE, formatMinor } from "../../src/model/version.ts";
import { BUG, LIST_HEAD, buildListText } from "../support/checks/known-bugs/list-texts.ts";

async function loadFaults(bugs: readonly JsonObject[], head?: JsonObject): Promise<readonly string[]> {
  const { faults } = await loadBugList([buildListText(bugs, head)], { taken: new Set(["NameOfOthers"]) });
  return faults.map(({ place, message }) => `${place}: ${message}`);
}

test("the list of this build has no fault, and is known as far as its tables are", async () => {
  const texts = readFolderFiles(new URL("../../src/checks/known-bugs/", import.meta.url), "bugs/*.yaml");
  const { list, faults } = await loadBugList(texts);
  assert.deepEqual(faults.map(formatFault), []);
  assert.deepEqual(list, EMBEDDED_LIST);
  assert.equal(EMBEDDED_LIST.head.knownUpTo, formatMinor(LAST_KNOWN_RELEASE));
});

test("a list is loaded as it stands", async () => {
  const { list, faults } = await loadBugList([buildListText([BUG])]);
  assert.deepEqual(faults, []);
  assert.deepEqual(list, {
    head: { name: "test", date: "2026-11-01", knownUpTo: "5.3" },
    entries: [BUG],
    invalid: [],
  });
});

const ENTRY_FAULTS: readonly (readonly [change: JsonObject, fault: string])[] = [
  [{ titel: "x" }, "[0].titel: titel is not a field here"],
  [{ title: 4.2 }, "[0].title: it must be a text"],
  [{ effect: "slow" }, "[0].effect: it must be one of refused, notRecommended, stuck, broken"],
  [{ published: "DarkConsole" }, "[0].published: it must be a list"],
  [{ versions: [{ first: "4.20.1" }] }, "[0].versions[0]: the field last is missing"],
  [{ versions: [{ first: "4.020.1", last: "4.20.1" }] }, "[0].versions[0].first: it must be a full version such as"],
  [
    { versions: [{ first: "4.20.1-a..b", last: "4.20.1" }] },
    "[0].versions[0].first: it must be a full version such as",
  ],
  [{ versions: "all" }, '[0].versions: it must be "preReleases"'],
  [
    { versions: [{ first: "4.20.1", last: "4.20.1", sources: "all" }] },
    "[0].versions[0].sources: it must be one of earlierMinors, unaffected",
  ],
  [{ reads: ["nodes"] }, "[0].reads: it must be a map"],
  [{ reads: { nodes: { list: "v1/secrets" } } }, "[0].reads.nodes.list: "],
  [{ variables: [{ name: "isAWS" }] }, "[0].variables[0]: the field expression is missing"],
  [
    { variables: [{ name: "isAWS", expression: "cluster.cloud()" }] },
    "[0].variables[0].expression: there is no function cloud",
  ],
  [{ findings: [{ when: "nodes.items.size() >" }] }, "[0].findings[0].when: "],
  [{ fix: { kinds: ["Node"], command: "delete {object}" } }, "[0].fix: the field fixKind is missing"],
  [
    { fix: { kinds: ["Node"], command: "delete {object}; true", fixKind: "safe" } },
    "[0].fix.command: it must be the words of one",
  ],
  [{ name: "NameOfOthers" }, "[0].name: the name NameOfOthers is taken"],
  [{ name: "SiteConsoleStaysDark" }, "[0].name: the name SiteConsoleStaysDark is taken"],
  [{ name: "DarkConsole" }, "[0].name: the name DarkConsole is taken"],
];

for (const [change, fault] of ENTRY_FAULTS)
  test(`a fault is told with its place: ${fault}`, async () => {
    const faults = await loadFaults([
      { ...BUG, ...change },
      { ...BUG, id: "other", name: "Other", published: [] },
    ]);
    assert.deepEqual(faults.filter((one) => one.startsWith(fault)).length, 1, faults.join("\n"));
    assert.ok(
      faults.every((one) => one.startsWith("[0]")),
      "the other entry is sound",
    );
  });

const LIST_FAULTS: readonly (readonly [head: JsonObject, fault: string])[] = [
  [{ ...LIST_HEAD, kind: "PreflightCheck" }, 'kind: it must be "KnownBugs"'],
  [{ ...LIST_HEAD, spec: { knownUpTo: "5.3" } }, "spec: the field date is missing"],
  [{ ...LIST_HEAD, spec: { date: "yesterday", knownUpTo: "5.3" } }, "spec.date: it must be a day such as"],
];

for (const [head, fault] of LIST_FAULTS)
  test(`a list whose head is not sound is none: ${fault}`, async () => {
    const { list, faults } = await loadBugList([buildListText([BUG], head)]);
    assert.equal(list, undefined);
    assert.deepEqual(
      faults.map((one) => `${one.place}: ${one.message}`.slice(0, fault.length)),
      [fault],
    );
  });

test("a list has one head, and no more entries than anybody reads", async () => {
  const text = buildListText([BUG]);
  for (const texts of [
    [text, text],
    [{ name: "bugs.yaml", text: "[]" }],
    [{ name: "bugs.yaml", text: "kind: [" }],
    [],
  ]) {
    const { list, faults } = await loadBugList(texts);
    assert.equal(list, undefined);
    assert.equal(faults.length, 1);
  }
  const many = Array.from({ length: 10_000 }, (_, i) => ({ id: `bug-${i}` }));
  const { list, faults } = await loadBugList([buildListText(many)]);
  assert.equal(list, undefined);
  assert.match(faults.map(formatFault).join(), /it has more than 1000 entries/);
});

test("an entry that can't be evaluated concerns the updates to its versions", async () => {
  const odd = { ...BUG, variables: [{ name: "isAWS", expression: "cluster.cloud()" }] };
  const { list } = await loadBugList([buildListText([odd, { ...BUG, versions: {} }, { id: "x", name: "<b>" }])]);
  assert.deepEqual(list?.entries, []);
  assert.deepEqual(
    list?.invalid.map(({ name, versions }) => [name, versions?.length]),
    [
      ["ConsoleStaysDark", 1],
      ["ConsoleStaysDark", undefined],
      ["without a name", undefined],
    ],
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
