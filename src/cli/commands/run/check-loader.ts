import type { CheckFault } from "../../../data-checks/fault.ts";
import { createChangeLogger, type Logger } from "../../../model/logger.ts";
import { toLine } from "../../../model/visible-text.ts";
import { type CheckSelection, parseChecks } from "../../checks/check-selection.ts";
import { BUILT_IN, reloadCheckSet } from "../../checks/check-set.ts";
import type { RunValues } from "./definition.ts";

/**
 * Reads the files of --checks again whenever it is called, so that each cycle runs what they hold then, and logs what is wrong with them
 * whenever that changes. --only and --skip may name checks that are not there yet.
 */
export function createCheckLoader(
  values: Pick<RunValues, "checks" | "only" | "skip" | "config">,
  log: Pick<Logger, "warn">,
): () => Promise<CheckSelection> {
  const warn = createChangeLogger((problems) =>
    log.warn("checks could not be loaded", { problems: problems.split("\n") }),
  );
  let checkSet = BUILT_IN;
  return async () => {
    const { absent, ...loaded } = await reloadCheckSet(values.checks, checkSet);
    checkSet = loaded.checkSet;
    const missing = absent.map((path) => `${toLine(path)} does not exist`);
    warn([...missing, ...checkSet.faults.map(formatFaultLine)].join("\n"));
    return parseChecks({ ...values, checkSet }, isSiteCheck);
  };
}

function formatFaultLine({ file, line, column, place, message }: CheckFault): string {
  return toLine(`${file}:${line}:${column}: ${place === "" ? "" : `${place}: `}${message}`);
}

function isSiteCheck(id: string): boolean {
  return id.startsWith("site-");
}
