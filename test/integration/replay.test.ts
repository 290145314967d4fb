import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { noControlPlane } from "../support/control-plane.ts";
import { UnloadableCaseError } from "../support/test-server.ts";
import { type CaseCluster, startCaseCluster } from "../support/case-cluster.ts";
import { type Replay, buildReplays, selectRelease } from "../support/case-replays.ts";
import { SCENARIOS } from "../support/integration/replay-lists.ts";

type ReplayResult = {
  readonly replay: Replay;
  readonly outcome: "refused" | "told" | "told, and gone";
};

const results: ReplayResult[] = [];

const scenarioCases = new Set(Object.values(SCENARIOS).flat());

/** One return to clear is enough for a check, because it doubles the time; only scenarios always run to their end. */
function isClearanceSeen({ id, check }: Replay): boolean {
  if (scenarioCases.has(id)) return false;
  return results.some(({ replay, outcome }) => replay.check === check && outcome === "told, and gone");
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

const all = buildReplays();
/** The checks of which a risk can be planted. */
const planted = new Set(all.flatMap(({ check, isRisk, notReplayed }) => (isRisk && !notReplayed ? [check] : [])));

for (const [release, replays] of Map.groupBy(all, selectRelease)) {
  describe(`cases loaded into a ${release} cluster`, { skip: noControlPlane }, () => {
    let cluster: CaseCluster;
    before(async () => void (cluster = await startCaseCluster(release)));
    after(async () => cluster?.down());
    for (const replay of replays) {
      test(`${replay.id} matches its recording`, { skip: replay.notReplayed ?? false }, async (t) => {
        try {
          results.push({ replay, outcome: await runReplay(cluster, replay) });
        } catch (error) {
          if (!(error instanceof UnloadableCaseError)) throw error;
          results.push({ replay, outcome: "refused" });
          t.skip(error.message);
        }
      });
    }
  });
}

describe("the loaded cases", { skip: noControlPlane }, () => {
  const selectReplayed = (check: string, isRisk: boolean): readonly ReplayResult[] =>
    results.filter(
      ({ replay, outcome }) => replay.check === check && replay.isRisk === isRisk && outcome !== "refused",
    );

  test("are seven in eight of all cases that can be planted", (t) => {
    const plantable = results.filter(({ replay }) => planted.has(replay.check));
    const refused = plantable.filter(({ outcome }) => outcome === "refused");
    t.diagnostic(`${plantable.length - refused.length} cases were replayed, ${refused.length} could not be`);
    assert.ok(refused.length * 8 < plantable.length);
  });

  for (const id of planted) {
    test(`include a risk of ${id}, which is gone after the case is removed`, () => {
      const risks = selectReplayed(id, true);
      assert.ok(risks.length > 0, `no risk case of ${id} could be planted`);
      assert.ok(
        risks.some(({ outcome }) => outcome === "told, and gone") || selectReplayed(id, false).length > 0,
        `${id} was never seen without the risk`,
      );
    });
  }

  for (const [scenario, ids] of Object.entries(SCENARIOS)) {
    test(`include the whole scenario ${scenario}`, () => {
      const done = new Set(results.filter(({ outcome }) => outcome !== "refused").map(({ replay }) => replay.id));
      assert.deepEqual(
        ids.filter((id) => !done.has(id)),
        [],
      );
    });
  }
});
