/** Writes docs/design/differential.md: how many verdicts on definitions, objects and rules are those of a kube-apiserver. Takes a quarter of an hour and more. */
import { join } from "node:path";
import { run } from "./release/run.ts";
import { formatTable, updatePage } from "./pages/markdown.ts";

const ROOT = join(import.meta.dirname, "..");
const SEEDS = process.argv.length > 2 ? process.argv.slice(2) : ["101", "102"];
const COUNTS = {
  PREFLIGHT_CRDS: "20000",
  PREFLIGHT_UPDATES: "3000",
  PREFLIGHT_RELEASES: "all",
  PREFLIGHT_VERDICTS: "68000",
  PREFLIGHT_PAIRS: "1000",
  PREFLIGHT_CEL_EXPRESSIONS: "100000",
};

type Comparison = { readonly title: string; readonly against: string; readonly file: string; readonly pattern: RegExp };

const COMPARISONS: readonly Comparison[] = [
  {
    title: "new definitions: every definition of every release",
    against: "the API server's packages",
    file: "test/schema/definition/differential.test.ts",
    pattern: /(\d+) CRDs, (0) refused/,
  },
  {
    title: "new definitions: changed in one or two places",
    against: "the API server's packages",
    file: "test/schema/definition/differential.test.ts",
    pattern: /(\d+) CRDs, ([1-9]\d*) refused/,
  },
  {
    title: "definitions in place of stored ones",
    against: "a kube-apiserver",
    file: "test/schema/definition/updates.test.ts",
    pattern: /(\d+) updates, (\d+) refused/,
  },
  {
    title: "objects: stored, written back with and without a change, applied",
    against: "the API server's packages",
    file: "test/schema/differential.test.ts",
    pattern: /(\d+) verdicts, (\d+) invalid/,
  },
  {
    title: "objects after a random change of their definition",
    against: "the API server's packages",
    file: "test/checks/crd-skew-differential.test.ts",
    pattern: /(\d+) objects that are valid before, (\d+) changed/,
  },
  {
    title: "generated CEL expressions: definition, cost limit and value",
    against: "the API server's packages",
    file: "test/schema/cel/expressions.test.ts",
    pattern: /(\d+) expressions, (\d+) refused/,
  },
];

/** Rejects if a verdict differs or a comparison was skipped. */
async function runTest(file: string, seed: string): Promise<string> {
  const args = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=spec", "--test-timeout=3600000"];
  return run(process.execPath, [...args, file], ROOT, { ...COUNTS, ...process.env, PREFLIGHT_SEED: seed });
}

function buildRow({ title, against, pattern }: Comparison, seed: string, output: string): readonly string[] {
  const [, judged, refused] = pattern.exec(output) ?? [];
  if (judged === undefined)
    throw new Error(`${title}: nothing was compared: it needs a control plane (PREFLIGHT_SHARED) and Go`);
  return [title, against, seed, judged, refused ?? "", "0"];
}

const HEADER = ["Compared", "With", "Seed", "Verdicts", "Refused", "Disagreements"];

const files = [...new Set(COMPARISONS.map(({ file }) => file))];
const runs = SEEDS.flatMap((seed) => files.map((file) => ({ seed, file })));
const rows = await Promise.all(
  runs.map(async ({ seed, file }) => {
    const output = await runTest(file, seed);
    return COMPARISONS.filter((one) => one.file === file).map((one) => buildRow(one, seed, output));
  }),
);
const sorted = rows.flat().toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
updatePage("docs/design/differential.md", { verdicts: formatTable(HEADER, sorted) }, "npm run differential");
