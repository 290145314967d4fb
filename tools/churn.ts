/** Plays a random schedule on a control plane with controllers: `npm run churn -- --steps 500 --seed 1`. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { playSteps } from "../test/support/churn/play.ts";
import { buildSchedule } from "../test/support/churn/schedule.ts";
import { FAST, startWorld } from "../test/support/churn/world.ts";

const { values } = parseArgs({
  options: { steps: { type: "string", default: "500" }, seed: { type: "string", default: "1" } },
});

const world = await startWorld(FAST);
try {
  const schedule = buildSchedule(Number(values.seed), Number(values.steps));
  await playSteps(world, schedule, { blockSize: 8, onProgress: (line) => process.stderr.write(`${line}\n`) });
} catch (thrown) {
  process.stderr.write(world.controllers.map(({ err }) => err().split("\n").slice(-15).join("\n")).join("\n---\n"));
  throw thrown;
} finally {
  if (process.env["KEEP"]) {
    process.stderr.write(JSON.stringify(await readFile(world.stage.document, "utf8").catch(() => "")));
    await new Promise((r) => setTimeout(r, Number(process.env["KEEP"])));
  }
  await world.stop();
}
