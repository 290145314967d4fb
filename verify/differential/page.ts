import { compareText } from "../../src/model/json.ts";
import { formatTable, updatePage } from "../shared/markdown.ts";
import type { Opponent } from "./opponent.ts";
import type { MutantOutcome } from "./mutants.ts";
import type { DifferentialOptions } from "./options.ts";
import type { CampaignTally } from "./tally.ts";
import type { TestRow } from "./test-comparisons.ts";

const PAGE = "docs/design/differential.md";
const COMMAND = "npm run differential";
const TEST_HEADER = ["Compared", "With", "Seed", "Verdicts", "Refused"];
const HEADER = [
  "With",
  "Seed",
  "Rounds",
  "Objects",
  "Definitions",
  "Verdicts",
  "Refused",
  "Unknown",
  "Missed",
  "False",
  "Wrong effect",
  "Known",
];

/** Writes what a run found into its own part of the page, and leaves the parts of other runs. */
export function writeRounds({ minor, seed }: DifferentialOptions, against: Opponent, tally: CampaignTally): void {
  const name = against === "server" ? "a kube-apiserver" : `packages of Kubernetes 1.${minor}`;
  updatePage(PAGE, { [`rounds with ${name}`]: formatTable(HEADER, [buildRow(name, seed, tally)]) }, COMMAND);
}

export function writeTests(rows: readonly TestRow[]): void {
  updatePage(PAGE, { definitions: formatTable(TEST_HEADER, rows) }, COMMAND);
}

/** Writes which planted faults were found. */
export function writeMutants(outcomes: readonly MutantOutcome[]): void {
  const rows = outcomes.map(({ file, kind, seconds }) => [`src/schema/${file}`, kind, String(seconds)]);
  updatePage(PAGE, { mutants: formatTable(["Planted in", "Comparison", "Seconds"], rows) }, COMMAND);
}

function buildRow(name: string, seed: number, tally: CampaignTally): readonly string[] {
  const { rounds, objects, definitions, verdicts, refused, unknown, kinds, known } = tally;
  const counts = [
    seed,
    rounds,
    objects,
    definitions,
    verdicts,
    refused,
    unknown,
    kinds.missed,
    kinds.false,
    kinds.wrong + kinds.definition,
  ];
  const named = [...known].toSorted(([a], [b]) => compareText(a, b)).map(([fault, count]) => `${count} × ${fault}`);
  return [name, ...counts.map(String), named.join("; ") || "0"];
}
