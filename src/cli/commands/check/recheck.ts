import type { ComparedResult } from "../../../format/comparison/compared-result.ts";
import { buildRecheck } from "../../../format/comparison/recheck.ts";
import type { Recheck } from "../../../format/view/recheck-page.ts";
import type { ClusterOrigin } from "../../../format/view/view.ts";
import { getResultTime } from "../../../model/document.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { isDifferent } from "../../../model/json.ts";
import type { Check } from "../../../model/check.ts";
import type { Report } from "../../../model/report.ts";
import { formatMinute, formatTime } from "../../../model/time.ts";
import { createEarlierChecks, type EarlierChecks, RECHECK } from "../../checks/earlier-checks.ts";
import { NAME_RESULT, readResultFile } from "../../io/result-file.ts";
import type { Io } from "../../io/io.ts";
import type { CheckCommandValues } from "./definition.ts";

/** `checks`: all that this run knows. */
type Look = {
  readonly report: Report;
  readonly accepted: ReadonlySet<string>;
  readonly cluster: ClusterOrigin | undefined;
  readonly checks: readonly Check[];
};

/** A second look: what runs again, and what became of the first. */
export type RecheckRun = {
  readonly checks: EarlierChecks;
  /** Throws a UsageError if the earlier result is about something else. */
  readonly compare: (look: Look) => Recheck;
};

/** Reads the earlier result before anything else. Throws a UsageError of one line if nothing can be told from it. */
export async function startRecheck(values: CheckCommandValues, isSideBySide: boolean, io: Io): Promise<RecheckRun> {
  const { recheck, all } = values;
  if (recheck === undefined)
    throw new UsageError(`--all belongs to ${RECHECK}: name the earlier result too, or leave --all out`);
  const conflict = findConflict(values, isSideBySide);
  if (conflict !== undefined) throw new UsageError(`${RECHECK} ${conflict}`);
  const before = await readResultFile(recheck, { accept: [], now: io.now() }).catch(failAsUsage);
  const problem = findProblem(before);
  if (problem !== undefined) throw new UsageError(`${RECHECK}: ${problem}`);
  return {
    checks: createEarlierChecks(before, all),
    compare({ report, accepted, cluster, checks }) {
      const difference = findOtherSubject(before, report, cluster) ?? findUnknownRisk(before, checks);
      if (difference !== undefined) throw new UsageError(`${RECHECK}: ${before.label} ${difference}`);
      return buildRecheck({ before, report, accepted }, all);
    },
  };
}

function findConflict(values: CheckCommandValues, isSideBySide: boolean): string | undefined {
  if (values.only.length > 0) return "chooses the checks itself: remove --only";
  if (isSideBySide) return "is for one target: name the one that the result is about";
  if (values.crds !== undefined) return "needs a target release: run the check of --crds again without it";
  if (values.lifted === "leave") return "compares all risks: remove --lifted leave";
  return undefined;
}

function failAsUsage(thrown: unknown): never {
  if (thrown instanceof FailedError) throw new UsageError(`${RECHECK}: ${thrown.message}`);
  throw thrown;
}

const WHOLE = `run the whole check, without ${RECHECK}`;

/** Why an earlier result tells nothing. */
function findProblem({ label, whyNone, timeProblem, checks }: ComparedResult): string | undefined {
  if (whyNone !== undefined) return `${label} has no result (${whyNone}): ${WHOLE}`;
  if (timeProblem !== undefined) return `${label}: ${timeProblem}`;
  return checks.size === 0 ? `${label} does not say which checks ran: ${NAME_RESULT}, or ${WHOLE}` : undefined;
}

/** Why an earlier result says nothing about this cluster and this target. */
function findOtherSubject(
  before: ComparedResult,
  report: Report,
  cluster: ClusterOrigin | undefined,
): string | undefined {
  const { source, target } = report;
  const server = cluster?.kind === "live" ? cluster.server : undefined;
  // Every result of OpenShift has an ID, so that one without is of another cluster.
  if (before.clusterId !== report.clusterId)
    return `is about ${nameCluster(before.clusterId)}, and this is ${report.clusterId ?? nameCluster(undefined)}: name a result of this one, or ${WHOLE}`;
  if (before.clusterId === undefined && isDifferent(before.server, server))
    return `is about the cluster at ${before.server}, and this is ${server}: name a result of this one, or ${WHOLE}`;
  if (isDifferent(before.targetVersion, target.text))
    return `is about the target ${before.targetVersion}, and this is ${target.text}: name the same target, or ${WHOLE}`;
  if (isDifferent(before.sourceVersion, source.text))
    return `is from when the cluster ran ${before.sourceVersion}, and it runs ${source.text} now: ${WHOLE}`;
  if (isDifferent(before.targetDigest, report.digest))
    return `is about other manifests of ${target.text}: name the target as then, or ${WHOLE}`;
  const then = getResultTime(before);
  const now = formatTime(report.observedAt);
  return then > now
    ? `is of ${formatMinute(then)}, after what is checked here (${formatMinute(now)}): name an earlier result, or ${WHOLE}`
    : undefined;
}

function nameCluster(id: string | undefined): string {
  return id === undefined ? "a cluster without an ID" : `the cluster ${id}`;
}

/** Without the words for a risk, a check that finds nothing does not say that it is gone. */
function findUnknownRisk({ risks }: ComparedResult, checks: readonly Check[]): string | undefined {
  const unknown = risks.find(({ name, check }) => {
    const own = checks.find(({ id }) => id === check);
    return own !== undefined && !own.risks.some((risk) => risk.name === name);
  });
  if (unknown === undefined) return undefined;
  return `has the risk ${unknown.name}, which ${unknown.check} does not know here (another preflight, or other files of checks): ${WHOLE}`;
}
