import { basename } from "node:path";
import { readCase } from "../../../cases/case-files.ts";
import { buildCaseTarget, openCase } from "../../../cases/runner.ts";
import { type OpenValues, openCluster } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import type { Reader } from "../../../model/reader.ts";
import type { CycleTarget } from "../../../runner/updates/prepare-update.ts";

/** A cluster that is open for reading. */
export type OpenCluster = {
  readonly reader: Reader;
  readonly observedAt: Date;
  /** The target of a case, which has one of its own. */
  readonly target?: CycleTarget;
  readonly close: () => void;
};

/** The cluster of a case. Throws a FailedError if it can't be read. */
export async function openCaseCluster(file: string): Promise<OpenCluster> {
  const open = await openCase(readCase({ name: basename(file, ".yaml"), file }));
  return { reader: open.reader, observedAt: open.one.now, target: buildCaseTarget(open), close: () => {} };
}

/** Any other one. What is no archive is observed now. */
export async function openOtherCluster(values: OpenValues, io: Io): Promise<OpenCluster> {
  const cluster = await openCluster(values, io);
  return { ...cluster, observedAt: cluster.observedAt ?? io.now() };
}

/** Of cycles over them: most are files. */
export const LIMITS = { concurrency: 4, checkTimeout: 600_000, cycleTimeout: 600_000 };
