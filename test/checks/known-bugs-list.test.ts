import assert from "node:assert/strict";
import { test } from "node:test";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { KNOWN_BUGS, buildKnownBugsCheck } from "../../src/checks/known-bugs/check.ts";
import type { BugList } from "../../src/checks/known-bugs/known-bug.ts";
import { loadBugList } from "../../src/checks/known-bugs/load-list.ts";
import { readFolderFiles } from "../../src/encoding/data-folder.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { formatListAge } from "../../src/model/list-age.ts";
import type { Outcome } from "../../src/model/report.ts";
import { getAffectedSource, runKnownBugs } from "../support/checks/known-bugs/cycle.ts";
import { buildCluster, createFakeReader, infrastructure, node } from "../../verify/fixes/known-bugs/fake-cluster.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";
import { type Random, createRandom } from "../../verify/schema/random/random.ts";
import { BUG, LIST_HEAD, buildListText } from "../support/checks/known-bugs/list-texts.ts";
import { present } from "../support/present.ts";

const FILE = "lists/bugs.yaml";
const PLACE = { file: FILE };

async function load(bugs: readonly JsonObject[], head: JsonObject = LIST_HEAD): Promise<BugList> {
  const { list } = await loadBugList([buildListText(bugs, head)]);
  assert.ok(list);
  return { ...list, place: PLACE };
}

function listNotices(outcome: Outcome): readonly string[] {
  if (outcome.kind === "notApplicable") return [outcome.reason];
  return outcome.notices ?? [];
}

test("bugs that this build lacks come as a file: the verdicts are those of a build that has them", async () => {
  const texts = readFolderFiles(new URL("../../src/checks/known-bugs/", import.meta.url), "bugs/*.yaml");
  const { list } = await loadBugList(texts);
  assert.ok(list);
  const renewed = buildKnownBugsCheck({ ...list, place: PLACE });
  const lacking = KNOWN_BUGS.slice(-10);
  const older = buildKnownBugsCheck({ ...list, entries: list.entries.slice(0, -10), place: PLACE });
  for (const { id, name, certainty, versions } of lacking) {
    const [affected] = versions;
    const fixture = FIXTURES[id];
    assert.ok(affected && fixture);
    const source = getAffectedSource(affected);
    const { hit, hitHistory: history, hitCapabilities: capabilities } = fixture;
    const reader = createFakeReader(buildCluster(source, hit, { history, capabilities }));
    const run = async (check?: typeof renewed) => {
      const { outcome, risks } = await runKnownBugs(reader, affected.first, check === undefined ? {} : { check });
      const ofAny = risks.map((risk) => ({ ...risk, origin: undefined }));
      return { kind: outcome.kind, risks: ofAny, notices: listNotices(outcome).filter((one) => !one.includes(FILE)) };
    };
    assert.deepEqual(await run(renewed), await run(), id);
    if (certainty === "risk") assert.ok(!(await run(older)).risks.some((risk) => risk.name === name), id);
  }
});

const SOURCE = "4.20.0";
const TARGET = "4.20.2";
const CLUSTER = createFakeReader(buildCluster(SOURCE, [infrastructure("AWS"), node("a-1")], {}));
const ODD: JsonObject = {
  ...BUG,
  id: "odd",
  name: "Odd",
  published: ["OddOne"],
  findings: [{ when: "nodes.cloud()" }],
};

/** What the check with a list says of one update. */
async function judge(list: BugList, target = TARGET, now = new Date(0)) {
  const { outcome, risks } = await runKnownBugs(CLUSTER, target, { check: buildKnownBugsCheck(list), now });
  return {
    kind: outcome.kind,
    risks: risks.map(({ name }) => name),
    unknowns: outcome.kind === "unknown" ? outcome.unknowns : [],
    notices: listNotices(outcome),
  };
}

const ORIGIN = `Known bugs are those of the list test of 2026-11-01: ${FILE}.`;

test("an entry that this build can't evaluate is unknown by name, and the others are judged", async () => {
  const list = await load([BUG, ODD]);
  const judged = await judge(list);
  assert.deepEqual(judged.risks, ["ConsoleStaysDark", "KnownBugsUnknown"]);
  const [unknown, ...more] = judged.unknowns;
  assert.deepEqual([unknown?.reason, more.length], ["CheckInvalid", 0]);
  assert.match(unknown?.where ?? "", /^known bug Odd \(bugs\.yaml:\d+:\d+\)$/);
  assert.match(unknown?.message ?? "", /^\[1\]\.findings\[0\]\.when: there is no function cloud/);
  assert.deepEqual(judged.notices, [ORIGIN]);
  const other = await judge(list, "4.20.4");
  assert.deepEqual([other.kind, other.unknowns], ["notApplicable", []]);
  assert.ok(other.notices.join().endsWith(` ${ORIGIN}`));
});

test("a right that the list needs is granted with the list", async () => {
  const check = buildKnownBugsCheck(await load([BUG]));
  const { risks } = await runKnownBugs(
    createFakeReader(buildCluster(SOURCE, [infrastructure("AWS"), node("a-1")], {}), "all"),
    TARGET,
    { check },
  );
  const [risk] = risks;
  assert.equal(risk?.name, "KnownBugsUnknown");
  assert.match(risk.remediation, /that "preflight rbac --known-bugs lists\/bugs\.yaml" prints, or check these by hand/);
  assert.doesNotMatch(risk.message, /From the list/);
});

test("what a list covers is what its sound entries name", async () => {
  const check = buildKnownBugsCheck(await load([BUG, ODD]));
  const covered: string[] = [];
  await runKnownBugs(CLUSTER, TARGET, {
    check: {
      ...check,
      special: {
        covers(context) {
          const names = check.special?.covers?.(context) ?? [];
          covered.push(...names.map(({ name }) => name));
          return names;
        },
      },
    },
  });
  assert.deepEqual([...new Set(covered)], ["DarkConsole"]);
});

test("a list says nothing about releases after the last one that it knows", async () => {
  const list = await load([BUG]);
  assert.equal((await judge(list, "5.3.1")).kind, "notApplicable");
  const { kind, unknowns } = await judge(list, "5.4.0");
  assert.equal(kind, "unknown");
  assert.deepEqual(present(unknowns), [
    {
      reason: "TargetUnknown",
      where: "release 5.4",
      message: "the list of known bugs knows releases up to 5.3",
    },
  ]);
});

test("a list that is old is told with a notice, and so is the built-in one", async () => {
  const list = await load([BUG]);
  const old = "Known bugs are listed up to 2026-11-01: use a newer list with --known-bugs, if";
  assert.deepEqual((await judge(list, TARGET, new Date("2027-01-30T00:00:00Z"))).notices, [ORIGIN]);
  const later = await judge(list, TARGET, new Date("2027-01-30T00:00:01Z"));
  assert.deepEqual(later.notices, [`${old} there is one.`, ORIGIN]);
  const own = await judge(EMBEDDED_LIST, TARGET, new Date("2036-01-01T00:00:00Z"));
  assert.ok(own.notices.join().endsWith(formatListAge(EMBEDDED_LIST.head.date, true)), own.notices.join());
  assert.ok(!(await judge(EMBEDDED_LIST)).notices.join().includes("Known bugs are listed up to"));
});

test("a runner goes on with its own list, and says why", async () => {
  const unused = { place: FILE, message: `--known-bugs ${FILE} can't be used` };
  const older = await judge({ ...EMBEDDED_LIST, unused: { ...unused, kind: "older" } });
  assert.equal(older.kind, "notApplicable");
  assert.ok(older.notices.join().endsWith(`is used, because --known-bugs ${FILE} can't be used.`));
  const unusable = await judge({ ...EMBEDDED_LIST, unused: { ...unused, kind: "unusable" } });
  assert.deepEqual(
    unusable.unknowns.map(({ reason, where }) => [reason, where]),
    [["CheckInvalid", `the list of known bugs ${FILE}`]],
  );
});

// PREFLIGHT_MUTATED=1000 PREFLIGHT_SEED=7 node --test test/checks/known-bugs-list.test.ts
const COUNT = Number(process.env["PREFLIGHT_MUTATED"] ?? 40);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);

test("whatever is wrong with a list, no entry of it crashes the check", async () => {
  const random = createRandom(SEED);
  const folder = new URL("../../src/checks/known-bugs/", import.meta.url);
  const texts = readFolderFiles(folder, "bugs/{list,multus,console,releases}.yaml");
  const words = texts.flatMap(({ text }) => text.split(/(?<=\W)|(?=\W)/));
  let judged = 0;
  for (let i = 0; i < COUNT; i += 1) {
    const mutated = texts.map((one) => ({ ...one, text: mutate(one.text, words, random) }));
    const { list, faults } = await loadBugList(mutated);
    if (list === undefined) assert.ok(faults.length > 0);
    if (list === undefined) continue;
    judged += 1;
    for (const target of ["4.18.2", "4.22.4"]) {
      const { unknowns } = await judge({ ...list, place: PLACE }, target);
      const crash = unknowns.find(({ reason }) => reason === "CheckFailed");
      assert.equal(crash, undefined, `${crash?.message} of ${mutated.map(({ text }) => text).join("---\n")}`);
    }
  }
  assert.ok(judged > COUNT / 10, `${judged} of ${COUNT} could be judged`);
});

/** Puts a word of the lists in the place of another, in one text of two. */
function mutate(text: string, words: readonly string[], random: Random): string {
  if (random.chance(0.5)) return text;
  const own = text.split(/(?<=\W)|(?=\W)/);
  const at = random.below(own.length);
  return own.map((word, i) => (i === at ? (random.oneOf(words) ?? word) : word)).join("");
}
