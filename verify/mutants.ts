/** Measures the tests of a folder by changing its program in one place after the other: `npm run mutants -- --help`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCampaign } from "./mutants/campaign.ts";
import { COMMON, requireFlags } from "./shared/flags.ts";
import { readEquivalents } from "./mutants/equivalents.ts";
import { writeFolder } from "./mutants/page.ts";
import { countOutcomes, formatResult, getKilledShare } from "./mutants/report.ts";

const ROOT = join(import.meta.dirname, "..");
/** Those that need nothing but this process are among them: what does is left out, by name. */
const TESTS =
  "test/{model,runner,publish,lift,schema,data-checks,checks,controller,encoding,cluster,release,format,cli}/**/*.test.ts";
/** Of a file of the folder's own tests, and of one of other folders, in seconds of CPU. */
const MOST_OWN_COST = 20;
const MOST_COST = 3;

function parseFlags() {
  const { values } = requireFlags({
    command: "npm run mutants --",
    about: "Measures the tests of a folder by changing its program in one place after the other.",
    flags: {
      folder: { type: "string", help: "of src, such as src/model" },
      share: { type: "string", default: "1/1", help: "of N mutants each time the I-th one" },
      least: { type: "string", default: "85", help: "percent that must be killed" },
      seed: COMMON.seed,
      seconds: COMMON.seconds,
      write: COMMON.write,
      case: { ...COMMON.case, help: "only the mutants on the lines of this file, as they are printed" },
    },
  });
  const [, index = "", of = ""] = /^(\d+)\/(\d+)$/.exec(values.share) ?? [];
  if (!/^src\/[\w/-]+$/.test(values.folder ?? ""))
    throw new Error("--folder is not a folder of src: --folder src/model");
  if (Number(index) < 1 || !(Number(index) <= Number(of))) throw new Error(`--share is not I/N: ${values.share}`);
  return {
    ...values,
    folder: (values.folder ?? "").replace(/\/$/, ""),
    share: { index: Number(index), of: Number(of) },
  };
}

/** Those of the folder, and those of others that are soon done. */
function listTests(folder: string): readonly string[] {
  const costs: unknown = JSON.parse(readFileSync(join(ROOT, "test/costs.json"), "utf8"));
  const own = `${folder.replace("src/", "test/").split("/").slice(0, 2).join("/")}/`;
  return globSync(TESTS, { cwd: ROOT })
    .filter((file) => getCost(costs, file) <= (file.startsWith(own) ? MOST_OWN_COST : MOST_COST))
    .toSorted();
}

function getCost(costs: unknown, file: string): number {
  const cost: unknown = typeof costs === "object" && costs !== null ? Reflect.get(costs, file) : undefined;
  return typeof cost === "object" && cost !== null && "cpu" in cost ? Number(cost.cpu) : 0;
}

async function main(): Promise<number> {
  const flags = parseFlags();
  const { folder, share, write } = flags;
  const seconds = Number(flags.seconds ?? Infinity);
  const seed = Number(flags.seed);
  const lines = flags.case === undefined ? undefined : readCase(flags.case);
  const equivalents = readEquivalents(join(import.meta.dirname, "mutants/equivalents.yaml"));
  const settings = {
    root: ROOT,
    folder,
    share,
    seed,
    seconds,
    tests: listTests(folder),
    equivalents,
    ...(lines ? { only: lines } : {}),
  };
  const result = await runCampaign(
    settings,
    () => performance.now(),
    (line) => process.stderr.write(`${line}\n`),
  );
  console.log(formatResult(folder, result));
  console.log(`share ${share.index}/${share.of}, seed ${seed}, ${seconds} s`);
  if (write) writeFolder({ folder, share, seed, seconds }, result, equivalents);
  return getKilledShare(countOutcomes(folder, result.judged)) < Number(flags.least) || result.stale.length > 0 ? 1 : 0;
}

/** Lines as they are printed, with or without what became of the mutant. */
function readCase(path: string): ReadonlySet<string> {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return new Set(lines.map((line) => line.replace(/^[a-z ]+: (?=src\/)/i, "").replace(/ {2}\(.*\)$/, "")));
}

process.exitCode = await main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  return 2;
});
