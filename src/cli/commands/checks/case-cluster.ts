import { basename } from "node:path";
import { readCase } from "../../../cases/case-files.ts";
import { buildCaseTarget, openCase } from "../../../cases/runner.ts";
import { type OpenValues, openCluster } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import type { Reader } from "../../../model/reader.ts";
import type { CycleTarget } from "../../../runner/updates/update.ts";
import { type Applicability, type Check, findKubernetesBoundary } from "../../../model/check.ts";
import {
  type MinorVersion,
  type Platform,
  type Version,
  getPlatform,
  getMinorOrdinal,
  parseMinor,
  parseVersion,
} from "../../../model/version.ts";
import { buildVersionRelease } from "../../target-release/target.ts";

/** A cluster that is open for reading. */
export type OpenedCase = {
  readonly reader: Reader;
  readonly observedAt: Date;
  /** The target of a case, which has one of its own. */
  readonly target?: CycleTarget;
  readonly close: () => void;
};

/** The cluster of a case. Throws a FailedError if it can't be read. */
export async function openCaseCluster(file: string): Promise<OpenedCase> {
  const open = await openCase(readCase({ name: basename(file, ".yaml"), file }));
  return { reader: open.reader, observedAt: open.one.now, target: buildCaseTarget(open), close: () => {} };
}

/** Whether a setting names a cluster, live or recorded. */
export function namesCluster({ kubeconfig, context, recorded, "must-gather": archive }: OpenValues): boolean {
  return [kubeconfig, context, recorded, archive].some((one) => one !== undefined);
}

/** Any other one. What is no archive is observed now. */
export async function openOtherCluster(values: OpenValues, io: Io): Promise<OpenedCase> {
  const cluster = await openCluster(values, io);
  return { ...cluster, observedAt: cluster.observedAt ?? io.now() };
}

/** Of cycles over them: most are files. */
export const LIMITS = { concurrency: 4, checkTimeout: 600_000, cycleTimeout: 600_000 };

const NO_MANIFESTS = "a backtest without --target has no manifests";

/** The update that a check is about: across its boundary, if that is ahead of the cluster, and to the next minor otherwise. */
export function buildNextTarget({ applies }: Pick<Check, "applies">): CycleTarget {
  return {
    kind: "read",
    select: (facts) => buildVersionRelease(findNextVersion(facts.version, applies), undefined, NO_MANIFESTS, facts),
  };
}

export function findNextVersion(source: Version, applies: Applicability): Version {
  const crossed = findBoundary(applies, getPlatform(source));
  const isAhead = crossed !== undefined && getMinorOrdinal(crossed) > getMinorOrdinal(source);
  const text = isAhead ? `${crossed.major}.${crossed.minor}.0` : formatNextMinor(source);
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
}

function findBoundary(applies: Applicability, platform: Platform): MinorVersion | undefined {
  if (platform === "openshift") return applies.kind === "crosses" ? parseMinor(applies.minor) : undefined;
  const minor = findKubernetesBoundary(applies);
  return minor === undefined ? undefined : { major: 1, minor };
}

/** 5.0 follows on 4.22, and is the same minor as 4.23. */
function formatNextMinor({ major, minor }: Version): string {
  return major === 4 && minor >= 22 ? `5.${minor - 22}.0` : `${major}.${minor + 1}.0`;
}
