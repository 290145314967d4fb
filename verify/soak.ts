/** Plays everything that the cluster's side has to outlast, for as long as it is told: `npm run soak -- --seconds 3600`. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { noControlPlane } from "./api-server/control-plane.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { noPrometheus } from "./shared/prometheus.ts";
import { updatePage } from "./shared/markdown.ts";
import { formatSoak, type SoakRound } from "./soak/page.ts";
import { findPrometheus, readPrebuilt } from "./soak/prebuilt.ts";

const { values } = requireFlags({
  command: "npm run soak --",
  about: "Alternates churn with troubles and outages of the update service, each round with a seed of its own.",
  flags: {
    seed: COMMON.seed,
    seconds: { ...COMMON.seconds, default: "3600" },
    write: COMMON.write,
  },
});
if (noControlPlane) endWithout(noControlPlane);

const first = Number(values.seed);
const begun = Date.now();
const getSeconds = (): number => Math.round((Date.now() - begun) / 1_000);
const rounds: SoakRound[] = [];

/** One of the two programs, as it is run alone: what it says of a seed is said again by the same command. */
async function play(seed: number, program: SoakRound["program"], flags: readonly string[]): Promise<void> {
  const from = getSeconds();
  const words = [join(import.meta.dirname, `${program}.ts`), "--seed", `${seed}`, ...flags];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    process.stderr.write(text);
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  const troubles = /^troubles (\{.*\})$/m.exec(said)?.[1];
  rounds.push({ program, seed, flags, isSound: code === 0, seconds: getSeconds() - from, troubles });
}

const churn = ["--steps", "60", "--troubles", ...(noPrometheus ? [] : ["--prometheus"])];
for (let seed = first; seed === first || getSeconds() < Number(values.seconds); seed += 1) {
  await play(seed, "churn", churn);
  if (getSeconds() < Number(values.seconds)) await play(seed, "outages", ["--steps", "40"]);
}
const page = formatSoak(rounds, [...readPrebuilt(), ...findPrometheus()]);
process.stderr.write(`${page}\n`);
if (rounds.some(({ isSound }) => !isSound)) process.exitCode = 1;
if (values.write) updatePage("docs/reliability.md", { soak: page }, "npm run soak -- --write");
