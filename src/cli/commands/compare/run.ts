import { compareResults } from "../../../format/comparison/comparison.ts";
import { comparisonFormats } from "../../../format/comparison/index.ts";
import { UsageError } from "../../../model/errors.ts";
import type { CompareValues } from "./definition.ts";
import { getComparisonExitCode } from "../../session/exit-code.ts";
import { readResultFile } from "../../io/result-file.ts";
import { writeOutputFiles } from "../../io/output-files.ts";
import { hasColour, type Io } from "../../io/io.ts";

/** Compares two results and prints the differences; resolves with the exit code. */
export async function run(values: CompareValues, io: Io): Promise<0 | 3 | 4> {
  const { old, new: now, accept } = values;
  if (old === "-" && now === "-") throw new UsageError("only one of OLD and NEW can be stdin");
  const comparison = compareResults(await readResultFile(old, accept), await readResultFile(now, accept));
  const { stdout, files } = values.output;
  const view = { comparison, colour: hasColour(io), width: io.width };
  await writeOutputFiles(files, (name) => comparisonFormats[name]({ ...view, colour: false }));
  const write = hasColour(io) ? io.outStyled : io.out;
  write(comparisonFormats[stdout](view));
  return getComparisonExitCode(comparison, values["fail-on"]);
}
