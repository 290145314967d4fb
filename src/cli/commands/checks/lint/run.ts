import { compareFaults, loadChecks } from "../../../../data-checks/load.ts";
import type { CheckFault } from "../../../../data-checks/fault.ts";
import { formatCount } from "../../../../model/count.ts";
import type { Io } from "../../../io/io.ts";
import { VERSION } from "../../../io/program.ts";
import { printResult } from "../../../session/print.ts";
import { listTakenNames } from "../../../checks/taken-names.ts";
import { readCheckTexts } from "../check-files.ts";
import type { LintChecksValues } from "./definition.ts";
import { faultFormats } from "./formats.ts";
import { listTextWarnings } from "./text-warnings.ts";

/** Loads the checks as --checks does, and says all that is wrong with them. */
export async function run({ files, output, strict }: LintChecksValues, io: Io): Promise<0 | 3 | 4> {
  const texts = await readCheckTexts(files);
  const { faults: loading } = await loadChecks(texts, "site", listTakenNames());
  const warnings = await Promise.all(texts.map(listTextWarnings));
  const faults = [...loading, ...warnings.flat()].toSorted(compareFaults);
  const report = { version: VERSION, files: texts.length, faults };
  await printResult(output, (name) => faultFormats[name](report), io);
  io.err(formatSummary(faults, texts.length));
  if (faults.some(isError)) return 3;
  return strict && faults.length > 0 ? 4 : 0;
}

function isError({ severity }: CheckFault): boolean {
  return severity === "error";
}

function formatSummary(faults: readonly CheckFault[], files: number): string {
  const errors = faults.filter(isError).length;
  const warnings = faults.length - errors;
  const found = [
    ...(errors > 0 ? [formatCount(errors, "error")] : []),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ];
  return `${found.join(" and ") || "No mistakes"} in ${formatCount(files, "file")}.\n`;
}
