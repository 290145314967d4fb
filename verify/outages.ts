/** Plays outages of the update service on a control plane with a controller: `npm run outages -- --seed 1 --seconds 300`. */
import { noControlPlane } from "./api-server/control-plane.ts";
import { readClusterVersion, startStage } from "./operator/stage.ts";
import { formatOutages } from "./outages/page.ts";
import { findPlaneTarget, startPlaneWorld } from "./outages/plane-world.ts";
import { type PlayCounts, playOutages } from "./outages/play.ts";
import { createUpdateService } from "./outages/update-service.ts";
import { createRandom } from "./schema/random/random.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { updatePage } from "./shared/markdown.ts";

const { values } = requireFlags({
  command: "npm run outages --",
  about: "Takes the update service from a controller at random, and compares what it does and says with what is so.",
  flags: {
    steps: { type: "string", default: "60", help: "how many steps each seed plays" },
    seed: COMMON.seed,
    seconds: { ...COMMON.seconds, default: "1" },
    write: COMMON.write,
  },
});
if (noControlPlane) endWithout(noControlPlane);
const steps = Number(values.steps);
const first = Number(values.seed);
const end = Date.now() + Number(values.seconds) * 1_000;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const stage = await startStage();
const target = findPlaneTarget(await readClusterVersion(stage.api));
const plays: PlayCounts[] = [];

async function play(seed: number): Promise<void> {
  const service = createUpdateService(target);
  const world = await startPlaneWorld(stage, service);
  try {
    plays.push(await playOutages(world, service, createRandom(seed), steps));
    say(`seed ${seed}: ${steps} steps`);
  } catch (thrown) {
    process.exitCode = 1;
    say(`seed ${seed}: ${String(thrown)}`);
  } finally {
    await world.stop();
  }
}

try {
  for (let seed = first; seed === first || Date.now() < end; seed += 1) await play(seed);
  if (process.exitCode === undefined) {
    const table = formatOutages(plays, { first, steps });
    say(table);
    if (values.write) updatePage("docs/reliability.md", { outages: table }, "npm run outages -- --write");
  }
} finally {
  await stage.stop();
}
