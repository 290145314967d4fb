import type { JobResult } from "./job-process.ts";
import type { Job } from "./plan.ts";
import type { TestResult } from "./reporter.ts";

/** What a run found in the end. `lucky`: the tests that failed beside others, and passed alone. */
export type Repeated = { readonly results: readonly JobResult[]; readonly lucky: readonly TestResult[] };

/** More than a few files don't fail by bad luck. */
const MOST_FILES = 3;

/** Runs each file that has a failed test once more, alone. What fails again has failed. */
export async function repeatFailed(
  results: readonly JobResult[],
  run: (job: Job, index: number) => Promise<JobResult>,
): Promise<Repeated> {
  const failed = results.flatMap(({ tests }) => tests.filter(isFailed));
  const files = [...new Set(failed.map(getFile))];
  const hasEnded = results.every(({ failure }) => failure === undefined);
  if (!hasEnded || files.length === 0 || files.length > MOST_FILES) return { results, lucky: [] };
  const again: JobResult[] = [];
  for (const [index, file] of files.entries()) again.push(await run({ files: [file], seconds: 0, load: 1 }, index));
  const once = results.map((one) => ({ ...one, tests: one.tests.filter((test) => !files.includes(getFile(test))) }));
  const broken = new Set(again.filter(hasFailed).flatMap(({ job }) => job.files));
  return { results: [...once, ...again], lucky: failed.filter((test) => !broken.has(getFile(test))) };
}

const getFile = ({ path }: TestResult): string => path[0] ?? "";

const isFailed = ({ outcome }: TestResult): boolean => outcome === "failed";

const hasFailed = ({ tests, failure }: JobResult): boolean => failure !== undefined || tests.some(isFailed);
