import assert from "node:assert/strict";
import type { Random } from "../schema/random/random.ts";
import { formatState, judgeObserved, listReasons } from "./judge.ts";
import { CHOICES, type Play, STEPS, sync } from "./steps.ts";
import { isCurrent, type UpdateService } from "./update-service.ts";
import type { Observed, World } from "./world.ts";

/** What a kind of step led to. */
export type StepCounts = { readonly times: number; readonly changes: number; readonly writes: number };

/** What was played, so that a test knows that the play reached it. */
export type PlayCounts = {
  readonly steps: ReadonlyMap<string, StepCounts>;
  /** How often a reason was seen. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly removals: number;
};

/** The operator sees a new channel after the controller does. */
const CHANGE = "the channel changes";
const DELETION = "somebody deletes the runner";
/** Steps after which everything may be written anew, whatever else they change. */
const REQUESTS = ["the preflight is requested again", "somebody deletes the result"];

/**
 * Plays steps around a preflight that is requested. After each: no runner is gone that no evidence speaks against, what the conditions and
 * `status` say is so, and nothing is written that did not change.
 */
export async function playOutages(
  world: World,
  service: UpdateService,
  random: Random,
  length: number,
): Promise<PlayCounts> {
  const play: Play = { world, service, random, isFresh: true, currentAt: world.now().getTime() };
  await world.setChannel(service.channel);
  await sync(play, "retrieves");
  await world.request();
  const steps = new Map<string, StepCounts>();
  const reasons = new Map<string, number>();
  let before = await settle(play);
  let removals = 0;
  for (let i = 0; i < length; i += 1) {
    const name = random.oneOf(CHOICES) ?? "";
    const state = formatState(service, before);
    const first = before;
    await STEPS[name]?.(play);
    const kept = name === DELETION ? { ...before, runner: undefined } : before;
    const after = await settle(play, kept).catch((thrown: unknown) => {
      throw new Error(`step ${i}, ${name}: ${String(thrown)}`, { cause: thrown });
    });
    const isChanged = formatState(service, after) !== state || REQUESTS.includes(name);
    const writes = after.writes - first.writes;
    assert.ok(writes <= getMostWrites(world, name, isChanged, [first, after]), `step ${i}, ${name}: ${writes} writes`);
    const { times, changes, writes: earlier } = steps.get(name) ?? { times: 0, changes: 0, writes: 0 };
    steps.set(name, { times: times + 1, changes: changes + (isChanged ? 1 : 0), writes: earlier + writes });
    for (const reason of listReasons(after)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (first.runner !== undefined && after.runner === undefined) removals += 1;
    before = after;
  }
  return { steps, reasons, removals };
}

/** ClusterVersion and preflight-result, once for each state that is new. */
function getMostWrites(
  { startStates }: World,
  name: string,
  isChanged: boolean,
  [first, after]: readonly [Observed, Observed],
): number {
  if (!isChanged) return 0;
  if (name === CHANGE) return 2 * 2;
  const isStart = first.runner?.uid !== after.runner?.uid || REQUESTS.includes(name);
  return 2 * (isStart ? startStates : 1);
}

async function settle(play: Play, before?: Observed): Promise<Observed> {
  const { world, service } = play;
  const observed = await world.settle((now) => judgeObserved(play, before ?? now, now));
  const isListed = service.view.releases.some((one) => one["version"] === service.target.version);
  if (isListed) play.isFresh = false;
  if (isCurrent(service)) play.currentAt = world.now().getTime();
  return observed;
}
