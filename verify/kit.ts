/** Asks of each part of the conformance kit whether anything would be missed without it: `npm run kit -- --help`. */
import { join } from "node:path";
import { compareNeeds, countKit, countProgram, findNeeds, KIT_HEADER, PROGRAM_HEADER } from "./kit/matrix.ts";
import type { JudgedMutant, Need, Reason } from "./kit/matrix.ts";
import { judgePythonMutants } from "./kit/python-trials.ts";
import { openTrials, type Trial } from "./kit/trials.ts";
import { readEntries } from "./mutants/equivalents.ts";
import { registerLoader } from "./mutants/loader.ts";
import { installSwitchboard } from "./mutants/switchboard.ts";
import { createRandom } from "./schema/random/random.ts";
import { COMMON, requireFlags } from "./shared/flags.ts";
import { formatTable, updatePage } from "./shared/markdown.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = "verify/kit/README.md";
const TABLE = join(import.meta.dirname, "kit/reasons.yaml");

const { values } = requireFlags({
  command: "npm run kit --",
  about: "Asks of each part of the conformance kit whether any mutant of our reader would be missed without it.",
  flags: {
    seed: COMMON.seed,
    seconds: COMMON.seconds,
    write: { ...COMMON.write, help: `write the figures into ${PAGE}` },
    case: { ...COMMON.case, help: "print all that this part of the kit notices alone, such as cases/limits.yaml" },
  },
});

/** What the time leaves is a sample, by the seed alone. */
async function judgeAll(trials: readonly Trial[], seconds: number, seed: number): Promise<readonly JudgedMutant[]> {
  const { next } = createRandom(seed);
  const ranked = trials.map((trial) => ({ trial, rank: next() })).toSorted((a, b) => a.rank - b.rank);
  const end = performance.now() + seconds * 1000;
  const judged: JudgedMutant[] = [];
  for (const { trial } of ranked) {
    if (performance.now() > end) break;
    judged.push(await trial());
    if (judged.length % 500 === 0) process.stderr.write(`${judged.length} of ${trials.length} mutants\n`);
  }
  return judged.toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

function formatNeed({ name, alone, rarest, within }: Need): string {
  if (within.length > 0) return `as much is noticed by others: ${name}: ${within.join(", ")}`;
  const others = rarest?.by.filter((one) => one !== name) ?? [];
  const among = others.length > 0 ? `  (with ${others.join(", ")})` : "";
  return `${String(alone).padStart(5)} alone: ${name}: ${rarest?.label ?? ""}${among}`;
}

function formatFigures(needs: readonly Need[], judged: readonly JudgedMutant[], scope: string): string {
  const program = formatTable(PROGRAM_HEADER, countProgram(judged));
  return [scope, program, formatTable(KIT_HEADER, countKit(needs))].join("\n\n");
}

/** What the kit's part that --case names notices alone. */
function listOwn(name: string, judged: readonly JudgedMutant[]): readonly string[] {
  return judged.filter(({ by }) => by.length === 1 && by[0] === name).map(({ label }) => label);
}

async function main(): Promise<number> {
  const reasons: readonly Reason[] = readEntries(TABLE, (text) => ({ name: text("name"), why: text("why") }));
  const board = installSwitchboard();
  registerLoader(ROOT, "src");
  const { readKitItems } = await import("./kit/kit-items.ts");
  const items = readKitItems();
  const names = items.map(({ name }) => name);
  if (values.case !== undefined && !names.includes(values.case)) throw new Error(`the kit has no ${values.case}`);
  const { trials, leftOut, notReached } = await openTrials(ROOT, items, board);
  const seconds = Number(values.seconds ?? 3_600);
  const [ofOurs, ofPython] = await Promise.all([
    judgeAll(trials, seconds, Number(values.seed)),
    judgePythonMutants(seconds, Number(values.seed)),
  ]);
  const judged = [...ofOurs, ...ofPython];
  // What a mutant left behind would be found by those after it.
  for (const { name, passes } of items) if (!(await passes())) throw new Error(`a mutant has changed ${name} for good`);
  const needs = findNeeds(names, judged);
  if (values.case !== undefined) {
    console.log(listOwn(values.case, judged).join("\n"));
    return 0;
  }
  // A sample tells of no part that nothing would be missed without it.
  const isWhole = ofOurs.length === trials.length && values.seconds === undefined;
  const { open, stale } = isWhole ? compareNeeds(needs, reasons) : { open: [], stale: [] };
  const figures = formatFigures(
    needs,
    judged,
    `${ofOurs.length} of ${trials.length} mutants of our programs; ${leftOut} more run only while something is loaded, and nothing reaches ${notReached}. ${ofPython.length} of the reader in Python.`,
  );
  const lines = [
    ...judged.filter(({ by }) => by.length === 0).map(({ label }) => `unnoticed: ${label}`),
    ...needs.map(formatNeed),
    ...open.map((name) => `no reason to keep it: ${name}`),
    ...stale.map((name) => `stale, it is needed or gone: ${name}`),
    figures,
  ];
  console.log(lines.join("\n"));
  if (values.write) updatePage(PAGE, { figures }, "npm run kit -- --write");
  return open.length + stale.length > 0 ? 1 : 0;
}

process.exitCode = await main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  return 3;
});
