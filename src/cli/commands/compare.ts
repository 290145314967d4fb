import { compareResults, isUndecided, isWorse } from "../../format/comparison/comparison.ts";
import { comparisonFormats } from "../../format/comparison/index.ts";
import { UsageError } from "../../model/errors.ts";
import type { CompareValues } from "./definitions.ts";
import { getExitCode, toVerdict, printResult } from "../session/result.ts";
import { readResultFile } from "../io/result-file.ts";
import type { Io } from "../io/io.ts";

/** Compares two results and prints the differences; resolves with the exit code. */
export async function run(values: CompareValues, io: Io): Promise<0 | 3 | 4> {
  const { old, new: now, accept } = values;
  if (old === "-" && now === "-") throw new UsageError("only one of OLD and NEW can be stdin");
  const options = { accept, now: io.now() };
  const comparison = compareResults(await readResultFile(old, options), await readResultFile(now, options));
  await printResult(values.output, (name, style) => comparisonFormats[name]({ comparison, ...style }), io);
  return getExitCode([toVerdict(comparison.risks.some(isWorse), isUndecided(comparison))], values["fail-on"]);
}
