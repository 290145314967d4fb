/** Compares the readers of the conformance kit with each other: `npm run readers -- --help`. */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KIT_READERS } from "./kit/readers.ts";
import { compareDocuments, compareScenarios, type Difference } from "./readers/compare.ts";
import { createRandom } from "./schema/random/random.ts";
import { COMMON, requireFlags } from "./shared/flags.ts";
import { updatePage } from "./shared/markdown.ts";

const PAGE = "verify/readers/README.md";
/** So many go to a reader at once. */
const BATCH = 1_000;

const { values } = requireFlags({
  command: "npm run readers --",
  about:
    "Compares what the readers in Python and Go make of random clusters and documents with what ours makes of them.",
  flags: {
    seed: COMMON.seed,
    count: { type: "string", default: "10000", help: "how many clusters, and how many documents" },
    write: { ...COMMON.write, help: `write the figures into ${PAGE}` },
  },
});

type Comparison = (batch: number, size: number) => Promise<readonly Difference[]>;

async function repeat(compare: Comparison): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const count = Number(values.count);
  for (let done = 0; done < count; done += BATCH)
    differences.push(...(await compare(done / BATCH, Math.min(BATCH, count - done))));
  return differences;
}

async function main(): Promise<number> {
  const skipped = KIT_READERS.filter(({ skip }) => skip !== false);
  for (const { name, skip } of skipped) process.stderr.write(`Not compared: ${name}: ${String(skip)}\n`);
  const readers = KIT_READERS.filter(({ skip }) => skip === false);
  if (readers.length === 0) return 2;
  const drawBatch = (batch: number) => createRandom(Number(values.seed) * 1_000_003 + batch);
  const scenarios = await repeat((batch, size) => compareScenarios(readers, drawBatch(batch), size));
  const documents = await repeat((batch, size) => compareDocuments(readers, drawBatch(batch), size));
  const names = readers.map(({ name }) => name).join(", ");
  const figures = `${names}: ${values.count} clusters, ${scenarios.length} differences; ${values.count} documents, ${documents.length} differences.`;
  console.log(figures);
  const differences = [...scenarios, ...documents];
  if (values.write) updatePage(PAGE, { figures }, "npm run readers -- --write");
  if (differences.length === 0) return 0;
  const file = join(tmpdir(), `preflight-readers-${values.seed}.json`);
  writeFileSync(file, JSON.stringify(differences, undefined, 1));
  console.log(`The differences are in ${file}.`);
  return 1;
}

process.exitCode = await main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  return 3;
});
