import type { JobResult } from "./job-process.ts";
import type { FileCost } from "./plan.ts";
import type { TestResult } from "./reporter.ts";

const SLOWEST = 20;

/** What people see of a job when it has ended: a line for each file, and what failed. */
export function formatJob(result: JobResult): string {
  const { job, tests, costs, output, failure } = result;
  const lines = job.files.map((file) => formatFile(file, tests, costs));
  const failed = tests.filter(({ outcome }) => outcome === "failed");
  const shown = failed.length > 0 || failure !== undefined;
  return [
    ...lines,
    ...failed.map(formatFailure),
    ...(failure === undefined ? [] : [`✖ ${failure}`]),
    ...(shown && output !== "" ? [`  what they wrote:\n${indent(output.trimEnd())}`] : []),
  ].join("\n");
}

function formatFile(file: string, tests: readonly TestResult[], costs: readonly FileCost[]): string {
  const own = tests.filter(({ path }) => path[0] === file);
  const count = (outcome: TestResult["outcome"]): number => own.filter((one) => one.outcome === outcome).length;
  const cost = costs.find((one) => one.file === file);
  const failed = count("failed");
  const skipped = count("skipped");
  const mark = failed > 0 || cost === undefined ? "✖" : "✔";
  const counts = [
    `${count("passed")} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const took = cost === undefined ? "not ended" : `${cost.seconds.toFixed(1)} s, CPU ${cost.cpu.toFixed(1)} s`;
  return `${mark} ${file}: ${counts.join(", ")} (${took})`;
}

export function formatFailure(result: TestResult): string {
  return `${formatPath(result)}\n${indent(result.text ?? "")}`;
}

function formatPath({ path }: TestResult): string {
  return `✖ ${path.join(" > ")}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

export type Totals = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** A process that ended by itself without its tests is a failure, too. */
export function countTests(results: readonly JobResult[]): Totals {
  const tests = results.flatMap((one) => one.tests);
  const count = (outcome: TestResult["outcome"]): number => tests.filter((one) => one.outcome === outcome).length;
  const ended = results.filter(({ failure }) => failure !== undefined).length;
  return { passed: count("passed"), failed: count("failed") + ended, skipped: count("skipped") };
}

/** The end of a run: what was skipped and why, the slowest files, what passed by luck, what failed once more, and the counts in the last line. */
export function formatSummary(results: readonly JobResult[], lucky: readonly TestResult[]): string {
  const { passed, failed, skipped } = countTests(results);
  const broken = results.flatMap(({ tests, failure }) => [
    ...tests.filter(({ outcome }) => outcome === "failed").map(formatPath),
    ...(failure === undefined ? [] : [`✖ ${failure}`]),
  ]);
  return [
    ...formatSkipped(results.flatMap(({ tests }) => tests)),
    ...formatSlowest(results.flatMap(({ costs }) => costs)),
    ...(lucky.length > 0 ? ["", "passed only when they ran again, alone:", ...lucky.map(formatPath)] : []),
    ...(broken.length > 0 ? ["", "failed:", ...broken] : []),
    "",
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join("\n");
}

function formatSkipped(tests: readonly TestResult[]): readonly string[] {
  const skipped = tests.filter(({ outcome }) => outcome === "skipped");
  if (skipped.length === 0) return [];
  const reasons = Map.groupBy(skipped, ({ text }) => text ?? "");
  const lines = [...reasons].map(([reason, of]) => {
    const files = [...new Set(of.map(({ path }) => path[0] ?? ""))].toSorted();
    const shown =
      files.length > 3 ? `${files.slice(0, 3).join(", ")} and ${files.length - 3} more files` : files.join(", ");
    return `${of.length} x ${reason}: ${shown}`;
  });
  return ["", "skipped:", ...lines.toSorted()];
}

function formatSlowest(costs: readonly FileCost[]): readonly string[] {
  const slowest = costs.toSorted((a, b) => b.cpu - a.cpu).slice(0, SLOWEST);
  const sum = costs.reduce((total, { cpu }) => total + cpu, 0);
  return [
    "",
    `the ${slowest.length} slowest of ${costs.length} files (${sum.toFixed(0)} s of CPU in all, without that of the API servers):`,
    ...slowest.map(
      ({ file, cpu, seconds }) => `${cpu.toFixed(1).padStart(7)} s of CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`,
    ),
  ];
}
