import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import { listPossibleReads } from "../../src/checks/known-bugs/rules.ts";
import { type AffectedVersions, isAffected } from "../../src/data-checks/format/definition.ts";
import { version } from "../support/fixtures.ts";
import {
  getVersionAfter,
  getVersionBefore,
  isVersion,
  runKnownBugs,
  getAffectedSource,
} from "../support/checks/known-bugs/cycle.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";
import { buildCluster, infrastructure, createFakeReader } from "../../verify/fixes/known-bugs/fake-cluster.ts";

test("each entry has its own id and name, and a fixture", () => {
  const ids = KNOWN_BUGS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(KNOWN_BUGS.map(({ name }) => name)).size, ids.length);
  for (const id of ids) assert.match(id, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  assert.deepEqual(Object.keys(FIXTURES).toSorted(), ids.toSorted());
});

test("ranges use full versions on both sides of 4.23 and 5.0", () => {
  const range = { first: "4.23.3", last: "5.0.2", sources: [{ before: "5.0.0-0" }] };
  const speaks = (source: string, target: string): boolean => isConcerned(range, source, target);
  for (const target of ["4.23.3", "4.23.9", "5.0.0-ec.1", "5.0.0", "5.0.2"])
    assert.ok(speaks("4.22.1", target), target);
  for (const target of ["4.23.2", "5.0.3", "5.1.0"]) assert.ok(!speaks("4.22.1", target), target);
  assert.ok(speaks("4.23.9", "5.0.1") && !speaks("5.0.0-ec.1", "5.0.1") && !speaks("5.0.0", "4.23.9"));
});

test("an unreadable list doesn't make the check unknown if the platform decides", async () => {
  const target = "4.15.49";
  const outcomeOn = async (platform: string): Promise<string> => {
    const cluster = buildCluster("4.15.47", [infrastructure(platform)], {});
    return (await runKnownBugs(createFakeReader(cluster, "lists"), target)).outcome.kind;
  };
  assert.equal(await outcomeOn("AWS"), "clear");
  assert.equal(await outcomeOn("Azure"), "unknown");
});

function isConcerned(range: AffectedVersions, source: string, target: string): boolean {
  return isAffected([range], { source: version(source), target: version(target) });
}

for (const entry of KNOWN_BUGS) {
  describe(`entry ${entry.id}`, () => {
    const fixture = FIXTURES[entry.id];
    const [affected] = entry.versions;
    assert.ok(fixture && affected);
    const source = getAffectedSource(affected);
    const target = affected.first;
    const hits = [fixture, ...(fixture.otherHits ?? [])].map(({ hit, hitHistory, hitCapabilities }) =>
      buildCluster(source, hit, { history: hitHistory, capabilities: hitCapabilities }),
    );
    const [hit] = hits;
    assert.ok(hit);
    const misses = [fixture, ...(fixture.otherMisses ?? [])].map(({ miss, missHistory, missCapabilities }) =>
      buildCluster(source, miss, { history: missHistory, capabilities: missCapabilities }),
    );

    for (const cluster of hits)
      test("reports a cluster that it affects", async () => {
        const { outcome, risks } = await runKnownBugs(createFakeReader(cluster), target);
        if (entry.certainty === "risk")
          assert.ok(
            risks.some(({ name }) => name === entry.name),
            JSON.stringify(outcome),
          );
        else assert.ok(noticesIn(outcome).some((notice) => speaksOf(notice, target)));
        for (const { message, name } of risks) {
          assert.ok(message.length <= 1000, `${name} has ${message.length} characters`);
          assert.ok((message.match(/[.!?](?=\s|$)/g) ?? []).length <= 3, message);
          assert.doesNotMatch(message, /undefined|\[object|\bnull\b|NaN|[{}]|: \./, message);
        }
      });

    const missing = fixture.versionsOnly === true ? [] : misses;
    for (const cluster of missing)
      test("doesn't report a cluster that it doesn't affect", async () => {
        const { outcome, risks } = await runKnownBugs(createFakeReader(cluster), target);
        assert.deepEqual(
          risks.filter(({ name }) => name === entry.name),
          [],
        );
        if (entry.certainty === "notice") assert.ok(!noticesIn(outcome).some((notice) => speaksOf(notice, target)));
      });

    const reads = Object.values(listPossibleReads(entry));
    // Every cycle reads the cluster's version first: without it, no check runs.
    const visible = reads.every(
      (read) => read.kind !== "raw" && read.kind !== "query" && read.resource.resource === "clusterversions",
    );
    const hidden = entry.certainty === "notice" || visible ? [] : [hit];
    for (const cluster of hidden)
      test("is unknown if its reads are forbidden", async () => {
        const { outcome } = await runKnownBugs(createFakeReader(cluster, "all"), target);
        assert.equal(outcome.kind, "unknown");
        assert.deepEqual(
          outcome.findings.filter(({ risk }) => risk === entry.name),
          [],
        );
      });

    const told = entry.certainty === "notice" && !visible ? [hit] : [];
    for (const cluster of told)
      test("says nothing about the cluster if its reads are forbidden", async () => {
        const { outcome } = await runKnownBugs(createFakeReader(cluster, "all"), target);
        const notices = noticesIn(outcome).filter((notice) => notice.includes(entry.published.join(", ")));
        assert.equal(notices.length, 1);
        assert.match(notices.join(), /^A known bug of \S+ could not be checked: /);
      });

    test("includes both ends of its ranges, but not the adjacent releases", () => {
      for (const range of entry.versions) {
        const { first, last, sources = [], fixedIn } = range;
        const texts = [first, last, fixedIn, ...sources.flatMap(({ from, before }) => [from, before])];
        for (const text of texts) assert.ok(text === undefined || isVersion(text), text);
        const start = getAffectedSource(range);
        for (const text of [first, last]) assert.ok(isConcerned(range, start, text), `${text} is not affected`);
        for (const text of [getVersionBefore(first), getVersionAfter(last), fixedIn ?? getVersionAfter(last)])
          assert.ok(!isConcerned(range, start, text), `${text} is affected`);
        for (const span of sources) {
          const speaks = (text: string): boolean => isConcerned({ ...range, sources: [span] }, text, last);
          if (span.before !== undefined) assert.ok(speaks(getVersionBefore(span.before)) && !speaks(span.before));
          if (span.from !== undefined) assert.ok(speaks(span.from) && !speaks(getVersionBefore(span.from)));
        }
      }
    });

    function speaksOf(notice: string, release: string): boolean {
      return notice.startsWith(entry.message.replaceAll("{target}", release));
    }
  });
}

function noticesIn(outcome: Awaited<ReturnType<typeof runKnownBugs>>["outcome"]): readonly string[] {
  return outcome.kind === "notApplicable" ? [] : outcome.notices;
}
