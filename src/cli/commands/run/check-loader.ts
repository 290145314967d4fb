import type { CheckFault } from "../../../data-checks/fault.ts";
import { createChangeLogger, type Logger } from "../../../model/logger.ts";
import { UsageError } from "../../../model/errors.ts";
import { toLine } from "../../../model/visible-text.ts";
import { isInRegistry } from "../../checks/artefact-files.ts";
import { type CheckSelection, isFoundLater, parseChecks } from "../../checks/check-selection.ts";
import { createBuiltInSet, getFinderOptions, listFaults, reloadCheckSet } from "../../checks/check-set.ts";
import type { Io } from "../../io/io.ts";
import type { RunValues } from "./definition.ts";

/**
 * Reads the files of --checks and --known-bugs again whenever it is called, so that each cycle runs what they hold then, and logs what is wrong with them
 * whenever that changes. --only and --skip may name checks that are not there yet.
 */
export function createCheckLoader(
  values: Pick<RunValues, "checks" | "known-bugs" | "known-bugs-older" | "only" | "skip" | "config"> &
    Partial<Pick<RunValues, "checks-from">>,
  io: Io,
  log: Pick<Logger, "warn">,
): () => Promise<CheckSelection> {
  const warn = createChangeLogger((problems) =>
    log.warn("checks could not be loaded", { problems: problems.split("\n") }),
  );
  requireFiles(values);
  let checkSet = createBuiltInSet(getFinderOptions(values));
  return async () => {
    const { absent, ...loaded } = await reloadCheckSet(values, io, checkSet);
    checkSet = loaded.checkSet;
    const missing = absent.map((path) => `${toLine(path)} does not exist`);
    const unused = checkSet.knownBugs?.list.unused;
    const problems = unused === undefined ? missing : [...missing, toLine(unused.message)];
    warn([...problems, ...listFaults(checkSet).map(formatFaultLine)].join("\n"));
    return parseChecks({ ...values, checkSet }, mayBeAbsent);
  };
}

/** Its pods have no credentials of registries, and would ask one in every cycle. */
function requireFiles({ checks, "known-bugs": list }: Pick<RunValues, "checks" | "known-bugs">): void {
  const remote = [...checks, ...(list === undefined ? [] : [list])].find(isInRegistry);
  if (remote === undefined) return;
  throw new UsageError(
    `${remote}: the runner reads files only: mount the archive that "skopeo copy docker://... oci-archive:FILE.tar" makes`,
  );
}

function formatFaultLine({ file, line, column, place, message }: CheckFault): string {
  return toLine(`${file}:${line}:${column}: ${place === "" ? "" : `${place}: `}${message}`);
}

function mayBeAbsent(id: string): boolean {
  return id.startsWith("site-") || isFoundLater(id);
}
