import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, describe, test, type TestContext } from "node:test";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { UnloadableCaseError } from "../support/test-server.ts";
import { type CaseCluster, startCaseCluster } from "../support/case-cluster.ts";
import { type Replay, buildReplays, selectRelease } from "../support/case-replays.ts";
import {
  TRIED_FIXES_FILE,
  type TriedFixes,
  buildFixRows,
  isTried,
  readTriedFixes,
} from "../../verify/fixes/fix-table.ts";
import { createFixTrials, selectTried } from "../support/integration/fix-trials.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";
import { SCENARIOS } from "../support/integration/replay-lists.ts";
import { type AdminShell, openAdminShell } from "../../verify/shared/admin-shell.ts";

type ReplayResult = {
  readonly replay: Replay;
  readonly outcome: "told" | "told, and gone";
};

/** Of the cases that an API server takes. */
const results: ReplayResult[] = [];

const scenarios = sampleEach(Object.entries(SCENARIOS), 4);
const scenarioCases = new Set(scenarios.flatMap(([, ids]) => ids));

/** One return to clear is enough for a check, because it doubles the time; only scenarios always run to their end. */
function isClearanceSeen({ id, check }: Replay): boolean {
  if (scenarioCases.has(id)) return false;
  return results.some(({ replay, outcome }) => replay.check === check && outcome === "told, and gone");
}

/** A control plane of each release takes longer than the cases of most: this one has more than half of them. */
const ALWAYS = "4.18";

/** The seeded cluster has this one by itself, as it has no ConfigMap cloud-conf. */
const SEEDED = "known-bugs/aws-cloud-conf-missing";
/** No case of its risk is seen to go. */
const CLEAR = "release-signature/clear-verified";

/** What each change tries: a risk of each check, which goes again, and some scenarios. */
function selectReplays(replays: readonly Replay[]): readonly Replay[] {
  if (hasAllCases) return replays;
  const near = replays.filter((replay) => selectRelease(replay) === ALWAYS);
  const checks = Map.groupBy(near, ({ check }) => check);
  return [...checks.values()].flatMap((alike) => {
    const first = alike.find(({ id, isRisk, notReplayed }) => isRisk && notReplayed === undefined && id !== SEEDED);
    return alike.filter((one) => one === first || one.id === CLEAR || scenarioCases.has(one.id));
  });
}

/** Loads a case, compares the report, removes the case, and checks the report again. */
async function runReplay(cluster: CaseCluster, replay: Replay): Promise<ReplayResult["outcome"]> {
  // Without the case, the cluster is always OpenShift, for which a case of Kubernetes has no target.
  const isWatched = replay.isRisk && replay.source !== "" && !isClearanceSeen(replay);
  const earlier = isWatched ? await replay.judge(cluster.reader) : undefined;
  try {
    await cluster.load(replay.cluster());
    const { actual, expected } = replay.compare(await replay.judge(cluster.reader));
    assert.deepEqual(actual, expected);
  } finally {
    await cluster.reset();
  }
  if (earlier === undefined) return "told";
  const later = await replay.judge(cluster.reader);
  assert.equal(later.outcome.kind, earlier.outcome.kind);
  return replay.isDetectedIn(later) ? "told" : "told, and gone";
}

const all = selectReplays(buildReplays());
/** The checks of which a risk can be planted. */
const planted = new Set(all.flatMap(({ check, isRisk, notReplayed }) => (isRisk && !notReplayed ? [check] : [])));

const tried = sampleEach(selectTried(all), 6);
const trials = createFixTrials(tried);

/** Skips a case that no API server takes. */
async function skipUnloadable(t: TestContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UnloadableCaseError)) throw error;
    t.skip(error.message);
  }
}

// A control plane waits as much as it works, so two at a time.
describe("cases on a real API server", { skip: noControlPlane, concurrency: 2 }, () => {
  for (const [release, replays] of Map.groupBy(all, selectRelease)) {
    describe(`of ${release}`, { concurrency: 1 }, () => {
      let cluster: CaseCluster;
      let shell: AdminShell;
      before(async () => {
        cluster = await startCaseCluster(release);
        shell = await openAdminShell(cluster.env);
      });
      after(async () => {
        await shell?.close();
        await cluster?.down();
      });
      for (const replay of replays) {
        test(`${replay.id} matches its recording`, { skip: replay.notReplayed ?? false }, (t) =>
          skipUnloadable(t, async () => {
            results.push({ replay, outcome: await runReplay(cluster, replay) });
          }),
        );
        if (!tried.includes(replay)) continue;
        test(`the commands of ${replay.id} show and mend it`, (t) =>
          skipUnloadable(t, () => trials.run(cluster, shell, replay)));
      }
    });
  }
});

test("the record of commands that removed their fault is true and complete", { skip: noControlPlane }, () => {
  const mended = trials.listMended();
  if (process.env["UPDATE"] === "1" && hasAllCases)
    writeFileSync(TRIED_FIXES_FILE, `${JSON.stringify(mended, undefined, 2)}\n`);
  const recorded = readTriedFixes();
  const ids = new Set(tried.map(({ id }) => id));
  const isNow = (risk: string): boolean => hasAllCases || ids.has(recorded[risk]?.case ?? "");
  const selectNow = (fixes: TriedFixes): TriedFixes =>
    Object.fromEntries(Object.entries(fixes).filter(([risk]) => isNow(risk)));
  assert.deepEqual(selectNow(recorded), selectNow(mended));
  for (const row of buildFixRows().filter(({ uses }) => uses.includes("as printed")))
    assert.equal(isTried(row, recorded), row.notTried === undefined, row.risk);
});

describe("the loaded cases", { skip: noControlPlane }, () => {
  const selectReplayed = (check: string, isRisk: boolean): readonly ReplayResult[] =>
    results.filter(({ replay }) => replay.check === check && replay.isRisk === isRisk);

  const isSelected = (id: string): boolean => hasAllCases || all.some((replay) => replay.id === id);

  test("are seven in eight of all cases that can be planted", (t) => {
    const plantable = all.filter(({ check, notReplayed }) => planted.has(check) && notReplayed === undefined);
    const loaded = results.filter(({ replay }) => planted.has(replay.check));
    const refused = plantable.length - loaded.length;
    t.diagnostic(`${loaded.length} cases were replayed, ${refused} could not be`);
    assert.ok(refused * 8 < plantable.length);
  });

  for (const id of planted) {
    test(`include a risk of ${id}, which is gone after the case is removed`, (t) => {
      const risks = selectReplayed(id, true);
      if (risks.length === 0 && !hasAllCases) return t.skip("another release than these can hold its risks");
      assert.ok(risks.length > 0, `no risk case of ${id} could be planted`);
      assert.ok(
        risks.some(({ outcome }) => outcome === "told, and gone") || selectReplayed(id, false).length > 0,
        `${id} was never seen without the risk`,
      );
    });
  }

  for (const [scenario, ids] of scenarios) {
    test(`include the whole scenario ${scenario}`, { skip: !ids.some(isSelected) }, () => {
      const done = new Set(results.map(({ replay }) => replay.id));
      assert.deepEqual(
        ids.filter((id) => isSelected(id) && !done.has(id)),
        [],
      );
    });
  }
});
