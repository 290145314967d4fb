import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { getAffectedSource, runKnownBugs } from "../support/checks/known-bugs/cycle.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";
import { NO_REMEDY } from "../support/checks/known-bugs/no-remedy.ts";
import { type Fixture, buildCluster, createFakeReader } from "../../verify/fixes/known-bugs/fake-cluster.ts";

type Remedy = Required<Pick<Fixture, "hit" | "remedied">>;

function listRemedies({ hit, remedied, otherRemedies = [] }: Fixture): readonly Remedy[] {
  return remedied ? [{ hit, remedied }, ...otherRemedies] : otherRemedies;
}

test("each entry has a remedy that changes objects, or says why it has none", () => {
  const remediable = KNOWN_BUGS.filter(({ id }) => FIXTURES[id]?.remedied !== undefined).map(({ id }) => id);
  assert.deepEqual([...remediable, ...Object.keys(NO_REMEDY)].toSorted(), KNOWN_BUGS.map(({ id }) => id).toSorted());
});

test("an entry with a command has a remedy, and a remedy is told", () => {
  for (const { id, fix, remedy } of KNOWN_BUGS) {
    const isRemediable = FIXTURES[id]?.remedied !== undefined;
    assert.ok(fix === undefined || isRemediable, `no fixture shows that the command of ${id} helps`);
    assert.ok(remedy !== undefined || !isRemediable, `${id} doesn't say what its fixture does`);
  }
});

/** Does the check report the entry, as a risk or as a notice? */
async function isReported(bug: KnownBug, { hitHistory }: Fixture, objects: readonly JsonObject[]): Promise<boolean> {
  const [affected] = bug.versions;
  assert.ok(affected);
  const cluster = buildCluster(getAffectedSource(affected), objects, { history: hitHistory });
  const { outcome, risks } = await runKnownBugs(createFakeReader(cluster), affected.first);
  assert.notEqual(outcome.kind, "unknown");
  const notices = outcome.kind === "notApplicable" ? [] : outcome.notices;
  const told = notices.some((notice) => bug.published.some((name) => notice.includes(name)));
  return told || risks.some(({ name }) => name === bug.name);
}

describe("the remedy of", () => {
  for (const bug of KNOWN_BUGS) {
    const fixture = FIXTURES[bug.id];
    assert.ok(fixture);
    for (const { hit, remedied } of listRemedies(fixture))
      test(`${bug.id} clears it`, async () => {
        assert.notDeepEqual(remedied, hit);
        assert.equal(await isReported(bug, fixture, hit), true);
        assert.equal(await isReported(bug, fixture, remedied), false);
      });
  }
});
