import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AffectedVersions } from "../../src/data-checks/format/definition.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { compareKnownBugs } from "../../tools/known-bugs/compare-command.ts";
import { findDifferences } from "../../tools/known-bugs/differences.ts";
import { readGraphData } from "../../tools/known-bugs/graph-data.ts";
import { listDifferences, readList } from "../../tools/known-bugs/list-differences.ts";
import { formatDifference } from "../../tools/known-bugs/report.ts";
import { BUG, LIST_HEAD, buildListText } from "../support/checks/known-bugs/list-texts.ts";

const DATA = join(import.meta.dirname, "graph-data");
const ROOT = join(import.meta.dirname, "..", "..");

function buildBug(published: string, versions: readonly AffectedVersions[]): KnownBug {
  const texts = { title: "Demo", message: "Demo", url: "https://issues.redhat.com/browse/DEMO-1" };
  return { id: "demo", name: "Demo", certainty: "risk", published: [published], versions, ...texts };
}

function compare(names: readonly string[], ...bugs: readonly KnownBug[]): readonly string[] {
  return findDifferences(readGraphData(DATA), { bugs, names }).map(formatDifference);
}

const FROM_4_17 = [{ from: "4.17.0-0", before: "4.18.0-0" }];
const CARDS = buildBug("DemoCards", [{ first: "4.18.2", last: "4.18.3" }]);
const DISK = buildBug("DemoDiskFull", [
  { first: "4.18.2", last: "4.18.3", sources: [...FROM_4_17, { from: "4.18.0", before: "4.18.1" }], fixedIn: "4.18.4" },
]);

test("a table that covers everything has no differences", () => {
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull"], CARDS, DISK), []);
});

test("a name that no check covers is new", () => {
  assert.deepEqual(compare(["DemoDiskFull"], DISK), [
    'new      DemoCards: published for 4.18.2 and 4.18.3, and no check covers it: "Demo cards stop" (https://issues.redhat.com/browse/DEMO-2)',
  ]);
});

test("a name that a check without a table covers is not compared", () => {
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull"], DISK), []);
});

test("a name that is no longer published is gone", () => {
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull", "DemoOld"], CARDS, DISK), [
    "gone     DemoOld: no longer published: remove it if its releases are out of support",
  ]);
});

test("a release or a source that no entry has is reported as widened, with each source that the channels list", () => {
  const shorter = buildBug("DemoCards", [{ first: "4.18.2", last: "4.18.2" }]);
  const narrower = buildBug("DemoDiskFull", [
    { first: "4.18.2", last: "4.18.3", sources: FROM_4_17, fixedIn: "4.18.4" },
  ]);
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull"], shorter, narrower), [
    "widened  DemoCards: no entry covers the updates to 4.18.3 from 4.17.8, 4.17.9, 4.18.0 and 1 more",
    "widened  DemoDiskFull: no entry covers the updates to 4.18.3 from 4.18.0",
  ]);
});

test("several entries with the same name cover it together", () => {
  const first = buildBug("DemoCards", [{ first: "4.18.2", last: "4.18.2" }]);
  const second = buildBug("DemoCards", [{ first: "4.18.3", last: "4.18.3" }]);
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull"], first, second, DISK), []);
});

test("a fixed release that no entry names is reported", () => {
  const sources = [...FROM_4_17, { from: "4.18.0", before: "4.18.1" }];
  const open = buildBug("DemoDiskFull", [{ first: "4.18.2", last: "4.18.3", sources }]);
  assert.deepEqual(compare(["DemoCards", "DemoDiskFull"], CARDS, open), [
    "fixed    DemoDiskFull: fixed in 4.18.4, which no entry names",
  ]);
});

test("edges without a name are counted, and files that can't be parsed are reported", () => {
  const folder = mkdtempSync(join(tmpdir(), "graph-data-"));
  try {
    mkdirSync(join(folder, "blocked-edges"));
    writeFileSync(join(folder, "blocked-edges", "a.yaml"), "to: four\nfrom: .*\nname: DemoCards\n");
    writeFileSync(join(folder, "blocked-edges", "b.yaml"), "to: 4.18.2\nfrom: '('\nname: DemoCards\n");
    const { problems, edges } = readGraphData(folder);
    assert.deepEqual(problems, ['a.yaml: "to" is not a version', 'b.yaml: "from" is not a regular expression']);
    assert.deepEqual(edges, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.equal(readGraphData(DATA).unnamed, 1);
});

type Run = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

async function run(...args: readonly string[]): Promise<Run> {
  const texts = { stdout: "", stderr: "" };
  const status = await compareKnownBugs(args, {
    out: (line) => void (texts.stdout += `${line}\n`),
    err: (line) => void (texts.stderr += `${line}\n`),
  });
  return { status, ...texts };
}

test("the command exits with 1 if there are differences, and with 2 if there is nothing to compare", async () => {
  const words = ["tools/compare-known-bugs.ts", DATA];
  const compared = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
  assert.equal(compared.status, 1);
  assert.match(compared.stdout, /^new {6}DemoCards: /m);
  assert.match(compared.stdout, /^gone {5}OVNlibreswan: /m);
  assert.match(compared.stdout, /^2 published risks for 4 releases, \d+ differences\.$/m);
  for (const args of [[], [join(ROOT, "docs")], [DATA, DATA]]) {
    const { status, stderr } = await run(...args);
    assert.equal(status, 2);
    assert.match(stderr, /^known-bugs:compare: /);
  }
});

test("two lists are compared entry by entry", async () => {
  const folder = mkdtempSync(join(tmpdir(), "known-bugs-"));
  try {
    const write = (name: string, ...list: Parameters<typeof buildListText>): string => {
      const path = join(folder, name);
      writeFileSync(path, buildListText(...list).text);
      return path;
    };
    const second = { ...BUG, id: "second", name: "Second", published: [] };
    const one = write("one.yaml", [BUG, second]);
    const changed = { ...BUG, message: "It is dark", effect: "stuck" };
    const head = { ...LIST_HEAD, spec: { date: "2026-12-01", knownUpTo: "5.3" } };
    const other = write("other.yaml", [changed, { ...second, id: "third" }], head);
    const before = await readList(one);
    const after = await readList(other);
    assert.deepEqual(listDifferences(before, before), []);
    assert.deepEqual(listDifferences(before, after), [
      "changed  head: date",
      "changed  dark-console: effect, message",
      "gone     second: Second",
      "new      third: Second",
    ]);
    const { status, stdout } = await run("--list", one, "--against", other);
    assert.deepEqual([status, stdout.split("\n").at(-2)], [1, "4 differences."]);
    await assert.rejects(readList(join(folder, "absent.yaml")), /absent\.yaml is no sound list of known bugs/);
    assert.match((await run("--list", one, DATA)).stdout, /^gone {5}DarkConsole: [^]*^new {6}DemoCards: /m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
