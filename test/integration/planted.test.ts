import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { noControlPlane } from "../support/control-plane.ts";
import { Refused } from "../support/garden.ts";
import { type Greenhouse, startGreenhouse } from "../support/greenhouse.ts";
import { type Replay, allReplays } from "../support/replays.ts";
import { IMPOSSIBLE, SCENARIOS, STAYS } from "./planted-lists.ts";

const RELEASES = [
  "4.12",
  "4.13",
  "4.14",
  "4.15",
  "4.16",
  "4.17",
  "4.18",
  "4.19",
  "4.20",
  "4.21",
  "4.22",
  "4.23",
  "5.0",
];

/** Where a case's own release can't be had: the nearest one, or for Kubernetes without OpenShift any. */
function releaseOf({ source }: Replay): string {
  if (RELEASES.includes(source)) return source;
  if (source === "") return "4.18";
  return source.startsWith("5.") ? "5.0" : "4.12";
}

type Seen = { readonly replay: Replay; readonly how: "refused" | "told" | "told, and gone" | "told, and all clear" };

const seen: Seen[] = [];

const played = new Set(Object.values(SCENARIOS).flat());

/** To see a check clear again once is enough, and takes as long as the rest; the scenarios are seen to their end. */
function isSeenThrough({ id, check }: Replay): boolean {
  if (played.has(id)) return false;
  return seen.some(({ replay, how }) => replay.check === check && how === "told, and all clear");
}

/** Plants one, hears what is said of it, takes it away, and hears what is said then. */
async function replayed(house: Greenhouse, replay: Replay): Promise<Seen["how"]> {
  try {
    await house.plant(replay.cluster());
    const { said, expected } = replay.compared(await replay.judge(house.reader));
    assert.deepEqual(said, expected);
  } finally {
    await house.weed();
  }
  if (!replay.isRisk || isSeenThrough(replay)) return "told";
  const later = await replay.judge(house.reader);
  if (replay.isFoundIn(later)) return "told";
  return later.outcome.kind === "clear" ? "told, and all clear" : "told, and gone";
}

for (const [release, replays] of Map.groupBy(allReplays(), releaseOf)) {
  describe(`planted into a ${release} cluster`, { skip: noControlPlane }, () => {
    let house: Greenhouse;
    before(async () => void (house = await startGreenhouse(release)));
    after(async () => house?.down());
    for (const replay of replays) {
      test(`${replay.id} is told as from a recording`, { skip: IMPOSSIBLE[replay.id] ?? false }, async (t) => {
        try {
          seen.push({ replay, how: await replayed(house, replay) });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          seen.push({ replay, how: "refused" });
          t.skip(error.message);
        }
      });
    }
  });
}

describe("what was planted", { skip: noControlPlane }, () => {
  const told = (check: string, isRisk: boolean): readonly Seen[] =>
    seen.filter(({ replay, how }) => replay.check === check && replay.isRisk === isRisk && how !== "refused");

  test("were nine in ten of all cases", (t) => {
    const refused = seen.filter(({ how }) => how === "refused");
    t.diagnostic(`${seen.length - refused.length} cases were replayed, ${refused.length} could not be`);
    assert.ok(refused.length * 10 < seen.length);
  });

  for (const { id } of checks) {
    test(`has made ${id} tell of a risk, which went with what was planted`, () => {
      const risks = told(id, true);
      assert.ok(risks.length > 0, `no risk case of ${id} could be planted`);
      if (risks.some(({ how }) => how === "told, and all clear")) return;
      assert.ok(id in STAYS, `${id} was never clear after a risk of it had been taken away`);
      assert.ok(
        risks.some(({ how }) => how === "told, and gone") || told(id, false).length > 0,
        `${id} was never seen without the risk`,
      );
    });
  }

  for (const [scenario, ids] of Object.entries(SCENARIOS)) {
    test(`has played the scenario ${scenario}`, () => {
      const done = new Set(seen.filter(({ how }) => how !== "refused").map(({ replay }) => replay.id));
      assert.deepEqual(
        ids.filter((id) => !done.has(id)),
        [],
      );
    });
  }
});
