import { join } from "node:path";
import { run } from "../shared/run.ts";

const ROOT = join(import.meta.dirname, "../..");

/** How many are compared in the form of two minutes, and in the long one. */
const COUNTS = {
  some: { PREFLIGHT_CRDS: "1500", PREFLIGHT_UPDATES: "150", PREFLIGHT_CEL_EXPRESSIONS: "8000" },
  all: {
    PREFLIGHT_CRDS: "20000",
    PREFLIGHT_UPDATES: "3000",
    PREFLIGHT_CEL_EXPRESSIONS: "100000",
    PREFLIGHT_RELEASES: "all",
  },
};

type TestComparison = {
  readonly title: string;
  readonly against: string;
  readonly file: string;
  readonly pattern: RegExp;
};

/** What tests compare, and how they say it; first what takes the least time. */
const COMPARISONS: readonly TestComparison[] = [
  {
    title: "generated CEL expressions: definition, cost limit and value",
    against: "the API server's packages",
    file: "test/schema/cel/expressions.test.ts",
    pattern: /(\d+) expressions, (\d+) refused/,
  },
  {
    title: "new definitions: every definition of every release",
    against: "the API server's packages",
    file: "test/schema/crd/definition/differential.test.ts",
    pattern: /(\d+) CRDs, (0) refused/,
  },
  {
    title: "new definitions: changed in one or two places",
    against: "the API server's packages",
    file: "test/schema/crd/definition/differential.test.ts",
    pattern: /(\d+) CRDs, ([1-9]\d*) refused/,
  },
  {
    title: "definitions in place of stored ones",
    against: "a kube-apiserver",
    file: "test/schema/crd/definition/updates.test.ts",
    pattern: /(\d+) updates, (\d+) refused/,
  },
];

/** A row of the page: what, with what, seed, verdicts, refused. */
export type TestRow = readonly string[];

/** The tests' comparisons, one file after the other. Rejects with a test's output if a verdict differs, or if nothing was compared. */
export async function runTestComparisons(
  form: "some" | "all",
  seed: number,
  stop: AbortSignal,
): Promise<readonly TestRow[]> {
  const rows: TestRow[] = [];
  for (const file of new Set(COMPARISONS.map((one) => one.file))) {
    const output = await runTest(file, form, seed, stop);
    rows.push(...COMPARISONS.filter((one) => one.file === file).map((one) => buildRow(one, seed, output)));
  }
  return rows;
}

function runTest(file: string, form: "some" | "all", seed: number, stop: AbortSignal): Promise<string> {
  const args = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=spec", "--test-timeout=3600000"];
  const env = { ...COUNTS[form], ...process.env, PREFLIGHT_SEED: String(seed) };
  return run(process.execPath, [...args, file], ROOT, env, stop);
}

function buildRow({ title, against, pattern }: TestComparison, seed: number, output: string): TestRow {
  const [, judged, refused = ""] = pattern.exec(output) ?? [];
  if (judged === undefined)
    throw new Error(`${title}: nothing was compared: it needs a control plane (PREFLIGHT_SHARED) and Go`);
  return [title, against, String(seed), judged, refused];
}
