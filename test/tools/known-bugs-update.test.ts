import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { loadBugList } from "../../src/checks/known-bugs/load-list.ts";
import { resolveVersions } from "../../src/checks/known-bugs/known-bug.ts";
import { isAffected } from "../../src/data-checks/format/definition.ts";
import { toYaml } from "../../src/encoding/yaml.ts";
import { parseVersion, type Version } from "../../src/model/version.ts";
import { compareWithGraphData } from "../../tools/known-bugs/compared-list.ts";
import { findDifferences } from "../../tools/known-bugs/differences.ts";
import { draftVersions } from "../../tools/known-bugs/draft-versions.ts";
import { addDrafts, draftEntries, TODO } from "../../tools/known-bugs/drafts.ts";
import { findEnded } from "../../tools/known-bugs/ended.ts";
import { readDataState } from "../../tools/known-bugs/list-date.ts";
import { readList } from "../../tools/known-bugs/list-differences.ts";
import { type UpdatedList, updateList } from "../../tools/known-bugs/update.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { BUG, LIST_HEAD } from "../support/checks/known-bugs/list-texts.ts";
import { createTestFolder } from "../support/registry.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DATA = join(import.meta.dirname, "graph-data");
const CHECK = join(ROOT, "src", "checks", "known-bugs");
/** Covers one source of one update of DemoDiskFull. */
const DISK = {
  ...BUG,
  id: "disk",
  published: ["DemoDiskFull"],
  versions: [{ first: "4.18.2", last: "4.18.2", sources: [{ from: "4.17.9", before: "4.18.0" }] }],
};

/** The folder of a list, as the built-in one stands in its files. */
function writeList(t: TestContext): string {
  const folder = join(createTestFolder(t), "bugs");
  mkdirSync(folder);
  const spec = { date: "2026-11-01", knownUpTo: "5.3", source: "data@1" };
  writeFileSync(join(folder, "list.yaml"), toYaml({ ...LIST_HEAD, spec }));
  writeFileSync(join(folder, "bugs.yaml"), toYaml([DISK]));
  return folder;
}

async function open(folder: string): Promise<UpdatedList> {
  const list = { ...(await readList(folder)), place: { file: folder } };
  return { list, folder, undecided: join(folder, "undecided.yaml") };
}

test("nothing of the list of this build is left to decide", () => {
  const file = join(CHECK, "undecided.yaml");
  assert.ok(!existsSync(file), `${file} has entries that are not decided`);
  const open = EMBEDDED_LIST.entries.filter((entry) => JSON.stringify(entry).includes(TODO));
  assert.deepEqual(
    open.map(({ id }) => id),
    [],
  );
});

test("what the data have and no entry covers is written once, and no list takes it before it is decided", async (t) => {
  const folder = writeList(t);
  const args = ["tools/update-known-bugs.ts", DATA, "--list", folder, "--date", "2026-12-01"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  assert.deepEqual([status, stderr], [1, ""]);
  assert.match(stdout, /^3 entries to decide in .*undecided\.yaml\.$/m);
  const text = readFileSync(join(folder, "undecided.yaml"), "utf8");
  assert.match(
    text,
    /^# Published: "Demo cards stop"\n# from \.\*\n# to 4\.18\.2 and 4\.18\.3\n# It warns every cluster\.\n- id: demo-cards$/m,
  );
  assert.match(text, /^# Widens disk: /m);
  assert.match(text, /^# Ends disk: set fixedIn: 4\.18\.4 /m);
  const head = readFileSync(join(folder, "list.yaml"), "utf8");
  assert.match(head, /date: "2026-12-01"\n {2}knownUpTo: '5\.3'\n {2}source: data\n/);
  await assert.rejects(readList(folder), /undecided\.yaml:\d+:\d+: .*certainty: it must be one of risk, notice/);
});

test("a file that a person has begun with keeps what it has", async (t) => {
  const folder = writeList(t);
  const begun = "# begun\n- id: demo-cards\n  name: CardsStop\n";
  const { data, bugs, differences } = compareWithGraphData(
    { ...(await readList(folder)), place: { file: folder } },
    DATA,
  );
  const text = addDrafts(begun, draftEntries({ data, bugs, differences }));
  assert.ok(text.startsWith(begun));
  assert.equal(text.match(/id: demo-cards$/gm)?.length, 1);
  assert.match(text, /^- id: demo-disk-full-wider$/m);
});

test("what is written covers what was missing, once it is decided", async (t) => {
  const folder = writeList(t);
  const compared = compareWithGraphData((await open(folder)).list, DATA);
  const text = addDrafts("", draftEntries(compared))
    .replaceAll("certainty: TODO", "certainty: notice")
    .replaceAll(/TODO$/gm, (_, at) => `Decided${at}`);
  const head = { name: "list.yaml", text: toYaml(LIST_HEAD) };
  const { list, faults } = await loadBugList([head, { name: "decided.yaml", text }]);
  assert.deepEqual(faults, []);
  const bugs = [
    ...compared.bugs,
    ...(list?.entries ?? []).map((entry) => ({
      certainty: "notice" as const,
      ...entry,
      versions: resolveVersions(entry.versions),
    })),
  ];
  assert.deepEqual(findDifferences(compared.data, { bugs, names: ["DemoCards", "DemoDiskFull"] }), []);
});

test("the day and the commit of a clone are written, data that are older than the list are refused", async (t) => {
  const list = await open(writeList(t));
  const clone = join(createTestFolder(t), "data");
  cpSync(DATA, clone, { recursive: true });
  const git = (day: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: clone,
      encoding: "utf8",
      env: { ...process.env, GIT_AUTHOR_DATE: `${day}T00:00:00Z`, GIT_COMMITTER_DATE: `${day}T00:00:00Z` },
    });
  git("2026-10-01", "init", "--quiet");
  git("2026-10-01", "add", ".");
  git("2026-10-01", "commit", "--quiet", "--message", "data");
  const older = await readDataState(clone);
  assert.throws(() => updateList(list, clone, older, () => {}), /the data are of 2026-10-01, older than the list/);
  assert.ok(!existsSync(list.undecided));
  git("2026-12-24", "commit", "--quiet", "--allow-empty", "--message", "more");
  const state = await readDataState(clone);
  assert.ok(updateList(list, clone, state, () => {}));
  assert.equal(state.commit, git("2026-12-24", "log", "-1", "--abbrev=9", "--format=%h").trim());
  const head = readFileSync(join(list.folder, "list.yaml"), "utf8");
  assert.match(head, /date: "2026-12-24"/);
  assert.ok(head.includes(`source: data@${state.commit}\n`), head);
  // A folder of a clone is not what the clone's commits are of.
  assert.deepEqual(await readDataState(join(clone, "blocked-edges")), {});
});

test("data that can't be read whole change nothing", async (t) => {
  const list = await open(writeList(t));
  const data = join(createTestFolder(t), "data");
  cpSync(DATA, data, { recursive: true });
  writeFileSync(join(data, "blocked-edges", "bad.yaml"), "to: four\nfrom: .*\nname: DemoBad\n");
  const head = readFileSync(join(list.folder, "list.yaml"), "utf8");
  assert.throws(
    () => updateList(list, data, { date: "2026-12-01" }, () => {}),
    /nothing is written, .*bad\.yaml: "to" is not a version/,
  );
  assert.ok(!existsSync(list.undecided));
  assert.equal(readFileSync(join(list.folder, "list.yaml"), "utf8"), head);
});

test("an entry is out of support with the last of its minors", () => {
  const build = (id: string, ...releases: readonly string[]) => ({
    id,
    name: id,
    certainty: "risk" as const,
    published: [],
    versions: releases.map((one) => ({ first: one, last: one })),
    title: "",
    message: "",
    url: "",
  });
  const bugs = [build("both", "4.12.1", "4.13.1"), build("one", "4.12.1", "4.14.1"), build("later", "4.14.1")];
  const find = (...minors: readonly string[]) => findEnded(bugs, new Set(minors)).map(({ id }) => id);
  assert.deepEqual(find("4.12", "4.13"), ["both"]);
  assert.deepEqual(find("4.12", "4.13", "4.14"), ["both", "one", "later"]);
  assert.deepEqual(find("4.1"), []);
});

const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);

test("drafted ranges cover exactly the published updates of the known releases", () => {
  const random = createRandom(SEED);
  const releases = [17, 18, 19].flatMap((minor) =>
    [0, 1, 2, 3, 4, 5].flatMap((patch) => parseVersion(`4.${minor}.${patch}`) ?? []),
  );
  let compared = 0;
  for (let i = 0; i < 100; i += 1) {
    const sources = new Set(releases.filter(() => random.chance(0.6)));
    const targets = releases.filter((_, at) => at > 5 && random.chance(0.4));
    // Without any known source, a draft is for all of them: the pattern stands beside it.
    sources.add(releases[0] ?? assert.fail());
    const updates = targets.map((target) => ({ target, isFrom: (source: Version) => sources.has(source) }));
    const versions = draftVersions(updates, releases);
    for (const [at, target] of releases.entries())
      for (const source of releases.slice(0, at)) {
        const isPublished = targets.includes(target) && sources.has(source);
        assert.equal(isAffected(versions, { source, target }), isPublished, `${source.text} to ${target.text}`);
        compared += isPublished ? 1 : 0;
      }
  }
  assert.ok(compared > 1_000, `${compared} published updates`);
});
