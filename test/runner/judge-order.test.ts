import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check, Judgement } from "../../src/model/check.ts";
import type { CoveredRisk } from "../../src/model/special-check.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { checkWith, clusterRunning, release, version } from "../support/fixtures.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";

/** What a check that is judged last is told of the names that another one covers. */
async function findCoveredRisks(evaluate: () => Judgement): Promise<readonly CoveredRisk[] | undefined> {
  let covered: readonly CoveredRisk[] | undefined;
  const last: Check = checkWith({
    id: "a-last",
    special: { judgedLast: true },
    evaluate: (_, context) => {
      covered = context.special.coveredRisks;
      return {};
    },
  });
  const covers = () => [{ name: "Decided", risk: "ThingBroken" }, { name: "Narrowed" }, { name: "Other" }];
  const covering = checkWith({ id: "covering", special: { covers }, evaluate });
  await runCycle({
    selection: { checks: [last, covering] },
    reader: fakeReader(clusterRunning("4.18.4")),
    target: { kind: "read", version: version("4.19.2"), select: () => release("4.19.2") },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  });
  return covered;
}

const format = (covered: readonly CoveredRisk[] | undefined) =>
  covered?.map(({ name, hasNotice }) => `${name} ${hasNotice ?? "not known"}`);

test("a check that is judged last knows whose notices came", async () => {
  assert.deepEqual(
    format(await findCoveredRisks(() => ({ notices: ["It may."], special: { noticedRisks: ["Narrowed"] } }))),
    ["Decided not known", "Narrowed true", "Other false"],
  );
});

test("a check that doesn't say so, or fails, rules nothing out", async () => {
  const unknown = ["Decided not known", "Narrowed not known", "Other not known"];
  assert.deepEqual(format(await findCoveredRisks(() => ({}))), unknown);
  const fail = (): Judgement => {
    throw new Error("bug");
  };
  assert.deepEqual(format(await findCoveredRisks(fail)), unknown);
});

test("a check that doesn't apply to the cluster covers nothing", async () => {
  assert.deepEqual(await findCoveredRisks(() => ({ notApplicable: "No such kind." })), []);
});
