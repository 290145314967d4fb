import assert from "node:assert/strict";
import { test } from "node:test";
import { buildKnownBugsCheck } from "../../src/checks/known-bugs/check.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import {
  addListFacts,
  buildNotice,
  buildRiskText,
  buildUnknownNotice,
  formatRemediation,
} from "../../src/checks/known-bugs/texts.ts";
import { loadBugList } from "../../src/checks/known-bugs/load-list.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { CLUSTER_VERSION, type ObjectRef } from "../../src/model/resource.ts";
import { release, version } from "../support/fixtures.ts";
import { BUG, buildListText, LIST_HEAD } from "../support/checks/known-bugs/list-texts.ts";

const CONTEXT = buildContext(version("4.20.0"), release("4.20.2"), new Date(0));
const KNOWN: KnownBug = {
  id: "dark-console",
  name: "ConsoleStaysDark",
  certainty: "risk",
  published: ["DarkConsole", "Dark"],
  versions: [{ first: "4.20.1", last: "4.20.3", fixedIn: "4.20.4" }],
  title: "The console stays dark",
  message: "The console of {target} stays dark",
  url: "https://example.com/1",
};
const NODE: ObjectRef = { apiVersion: "v1", kind: "Node", name: "a" };
const POD: ObjectRef = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "b" };
const find = (object: ObjectRef) => ({ risk: KNOWN.name, object, message: "" });

test("names the affected releases, the updates to them and the fix", () => {
  const one = { first: "4.20.1", last: "4.20.1" };
  const all = { first: "4.20.1", last: "4.20.3" };
  const table: readonly (readonly [versions: KnownBug["versions"][number], text: string])[] = [
    [one, "4.20.1"],
    [all, "4.20.1 to 4.20.3"],
    [{ ...all, fixedIn: "4.20.4" }, "4.20.1 to 4.20.3 (fixed in 4.20.4)"],
    [{ ...one, sources: [{ before: "4.20.0" }] }, "4.20.1, for updates from releases before 4.20.0"],
    [{ ...one, sources: [{ from: "4.19.0" }] }, "4.20.1, for updates from 4.19.0 and later"],
    [
      { ...one, fixedIn: "4.20.2", sources: [{ from: "4.18.1", before: "4.18.9" }, { before: "4.17.0" }] },
      "4.20.1, for updates from 4.18.1 to before 4.18.9 or releases before 4.17.0 (fixed in 4.20.2)",
    ],
  ];
  for (const [versions, text] of table)
    assert.deepEqual(buildRiskText({ ...KNOWN, versions: [versions] }).knownAs?.affected, [text]);
});

test("describes a bug by the objects through which it concerns the cluster", () => {
  const text = buildRiskText(KNOWN);
  assert.equal(text.effect, "broken");
  assert.equal(buildRiskText({ ...KNOWN, effect: "stuck" }).effect, "stuck");
  const other = { ...CLUSTER_VERSION, name: "other" };
  const whole = "The console of 4.20.2 stays dark.";
  const table: readonly (readonly [objects: readonly ObjectRef[], description: string, commands: readonly string[]])[] =
    [
      [[CLUSTER_VERSION], whole, []],
      [[NODE], "The console of 4.20.2 stays dark: OBJECTS.", ["oc get node/a -o yaml"]],
      [[CLUSTER_VERSION, NODE], "The console of 4.20.2 stays dark: OBJECTS.", []],
      [[{ ...NODE, name: "version" }], "The console of 4.20.2 stays dark: OBJECTS.", ["oc get node/version -o yaml"]],
      [
        [other],
        "The console of 4.20.2 stays dark: OBJECTS.",
        ["oc get clusterversion.config.openshift.io/other -o yaml"],
      ],
    ];
  for (const [objects, description, commands] of table) {
    const findings = objects.map(find);
    assert.equal(text.describe("OBJECTS", CONTEXT, findings), description);
    assert.deepEqual(findings[0] && text.see?.(findings[0], CONTEXT), commands);
  }
});

test("offers the command of a remedy for the kinds that it changes", () => {
  assert.equal(buildRiskText(KNOWN).fix, undefined);
  const fix = { kinds: ["Pod", "Node"], command: "delete {object} --now", fixKind: "disruptive" } as const;
  const text = buildRiskText({ ...KNOWN, fix });
  assert.equal(text.fixKind, "disruptive");
  assert.deepEqual(text.fix?.(find(NODE), CONTEXT), ["oc delete node/a --now"]);
  assert.deepEqual(text.fix?.(find(POD), CONTEXT), ["oc -n shop delete pod/b --now"]);
  assert.deepEqual(text.fix?.(find(CLUSTER_VERSION), CONTEXT), []);
});

test("notices a bug with its objects sorted, or as something that nobody knows", () => {
  const end = "Update to 4.20.4 or a later 4.20 instead. (DarkConsole, Dark: https://example.com/1)";
  assert.equal(buildNotice(KNOWN, [CLUSTER_VERSION], CONTEXT), `The console of 4.20.2 stays dark. ${end}`);
  const named = "The console of 4.20.2 stays dark: Node a and Pod shop/b.";
  assert.equal(buildNotice(KNOWN, [POD, CLUSTER_VERSION, NODE], CONTEXT), `${named} ${end}`);
  assert.equal(
    buildUnknownNotice(KNOWN, CONTEXT),
    `A known bug of 4.20.2 could not be checked: "The console stays dark". If this concerns your cluster: ${end}`,
  );
  const unfixed = { ...KNOWN, versions: [{ first: "4.20.1", last: "4.20.3" }] };
  assert.equal(formatRemediation(unfixed), "Choose another target.");
  assert.equal(formatRemediation({ ...unfixed, remedy: "wait" }), "First wait, or choose another target.");
  assert.equal(
    formatRemediation({ ...KNOWN, remedy: "wait" }),
    "Update to 4.20.4 or a later 4.20 instead, or first wait.",
  );
});

test("says what is wrong with a list as a whole", async () => {
  const name = "bugs.yaml";
  const { text: head } = buildListText([]);
  const many = (count: number) => Array.from({ length: count }, () => "{}").join(",");
  const table: readonly (readonly [texts: readonly string[], messages: RegExp])[] = [
    [[], /^it has no head \(kind: KnownBugs\), which names the list and its date$/],
    [["[]"], /^it has no head [^\n]*$/],
    [[head, head], /^the list has a head already$/],
    [[buildListText([], { ...LIST_HEAD, kind: "Other" }).text], /KnownBugs/],
    [["["], /./],
    [[head, `[${many(1001)}]`], /^it has more than 1000 entries$/],
    [["{}", `[${many(1001)}]`], /^it has more than 1000 entries$/m],
  ];
  for (const [texts, messages] of table) {
    const { list, faults } = await loadBugList(texts.map((text) => ({ name, text })));
    assert.equal(list, undefined);
    assert.match(faults.map(({ message }) => message).join("\n"), messages);
  }
});

/** The names of the entries that can be used, and of the others with their faults. */
async function load(bugs: readonly JsonObject[], taken: readonly string[] = [], compiles = true) {
  const { list, faults } = await loadBugList([buildListText(bugs)], { taken: new Set(taken), compiles });
  assert.ok(list);
  assert.deepEqual(
    faults,
    list.invalid.flatMap((one) => one.faults),
  );
  const invalid = list.invalid.map((one) => [one.name, ...one.faults.map(({ message }) => message)]);
  return { entries: list.entries.map((entry) => entry.name), invalid, list };
}

test("a name that two claim, or others have, belongs to no entry", async () => {
  const { name, id } = { name: "ConsoleStaysDark", id: "dark-console" };
  const other = { ...BUG, id: "other", name: "Other", published: ["OtherOne"] };
  const isTaken = (text: string) => `the name ${text} is taken`;
  const table: readonly (readonly [
    bugs: readonly JsonObject[],
    taken: readonly string[],
    invalid: readonly (readonly string[])[],
  ])[] = [
    [[BUG, other], [], []],
    [[BUG, other], [name], [[name, isTaken(name)]]],
    [[BUG, other], [id, "DarkConsole"], []],
    [
      [BUG, { ...other, name }],
      [],
      [
        [name, isTaken(name)],
        [name, isTaken(name)],
      ],
    ],
    [
      [BUG, { ...other, id }],
      [],
      [
        [name, isTaken(id)],
        ["Other", isTaken(id)],
      ],
    ],
    [[BUG, { ...other, published: [name] }], [], [[name, isTaken(name)]]],
    [[BUG, { ...other, name: "DarkConsole" }], [], [["DarkConsole", isTaken("DarkConsole")]]],
  ];
  for (const [bugs, taken, invalid] of table) {
    const loaded = await load(bugs, taken);
    assert.deepEqual(loaded.invalid, invalid);
    assert.equal(loaded.entries.length, bugs.length - invalid.length);
  }
});

test("an entry that can't be used is named only by a sound name, with its releases if they are known", async () => {
  const odd = { ...BUG, title: 7 };
  const table: readonly (readonly [name: string, shown: string])[] = [
    ["Odd", "Odd"],
    ["Od", "without a name"],
    ["odd", "without a name"],
    ["NotOdd", "NotOdd"],
    ["Odd-One", "without a name"],
    [`O${"d".repeat(59)}`, `O${"d".repeat(59)}`],
    [`O${"d".repeat(60)}`, "without a name"],
  ];
  for (const [name, shown] of table) {
    const { invalid, list } = await load([{ ...odd, name }]);
    assert.equal(invalid[0]?.[0], shown);
    assert.deepEqual(
      list.invalid[0]?.versions?.map(({ first, last }) => [first, last]),
      [["4.20.1", "4.20.3"]],
    );
  }
  assert.equal((await load([{ ...odd, versions: 7 }])).list.invalid[0]?.versions, undefined);
});

test("compiles the expressions of entries unless told otherwise, and says where one is wrong", async () => {
  const odd = { ...BUG, id: "odd", name: "Odd", published: ["OddOne"], findings: [{ when: "nodes.cloud()" }] };
  assert.deepEqual((await load([odd], [], false)).entries, ["Odd"]);
  const placed = async (bug: JsonObject) => (await load([BUG, bug])).list.invalid[0]?.faults[0]?.place;
  assert.equal(await placed(odd), "[1].findings[0].when");
  assert.equal(
    await placed({ ...odd, findings: [{}], variables: [{ name: "a", expression: "b" }] }),
    "[1].variables[0].expression",
  );
});

test("the check with a list declares its risks, and no entry that is only a notice", async () => {
  const notice = { ...BUG, id: "other", name: "Other", published: ["OtherOne"], certainty: "notice" };
  const { list } = await load([BUG, notice]);
  const check = buildKnownBugsCheck({ ...list, place: { file: "bugs.yaml" } });
  assert.deepEqual(
    check.risks.map(({ name }) => name),
    ["ConsoleStaysDark"],
  );
  assert.deepEqual(check.special?.covers?.(CONTEXT), [
    { name: "DarkConsole", risk: "ConsoleStaysDark" },
    { name: "OtherOne" },
  ]);
});

test("says of a list where it comes from and whether it is signed", async () => {
  const { list } = await load([BUG]);
  const facts = (more: object) => addListFacts({ ...list, ...more }, { findings: [] }, CONTEXT).notices?.join();
  const origin = "Known bugs are those of the list test of 2026-11-01: ";
  assert.equal(facts({}), "");
  assert.equal(facts({ place: { file: "a.yaml" } }), `${origin}a.yaml.`);
  assert.equal(facts({ place: { file: "a", digest: "sha256:1" } }), `${origin}a (sha256:1).`);
  assert.equal(facts({ place: { file: "a@sha256:1", digest: "sha256:1" } }), `${origin}a@sha256:1.`);
  assert.equal(facts({ place: { file: "a.yaml" }, signature: "It is signed." }), `${origin}a.yaml. It is signed.`);
});

test("a remedy's command is one of oc, on the cluster and as the user that are chosen", async () => {
  const fix = { kinds: ["Node"], fixKind: "disruptive" };
  const commands = ["login x.example", "delete {object} --as=x", "delete {object} --{as,b}=x", "delete {object} !rm"];
  for (const command of commands) {
    const { entries, list } = await load([{ ...BUG, fix: { ...fix, command } }]);
    assert.deepEqual(entries, [], command);
    assert.match(list.invalid[0]?.faults[0]?.place ?? "", /fix\.command$/);
  }
  const sound = await load([{ ...BUG, fix: { ...fix, command: "delete {object}" } }]);
  assert.deepEqual(sound.invalid, []);
});
