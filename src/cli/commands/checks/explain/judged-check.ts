import type { buildCheck } from "../../../../data-checks/build-check.ts";
import type { KeptResults } from "../../../../data-checks/run/state.ts";
import type { Context } from "../../../../model/check.ts";
import { FailedError } from "../../../../model/errors.ts";
import type { Outcome } from "../../../../model/report.ts";
import { runCycle } from "../../../../runner/cycle.ts";
import type { CycleTarget } from "../../../../runner/updates/prepare-update.ts";
import { getReadPath } from "../../../../model/read.ts";
import type { ReadStats } from "../../../../runner/gather/gather.ts";
import { getReads } from "../../../checks/cluster-role.ts";
import type { Io } from "../../../io/io.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "../../../target-release/target.ts";
import { LIMITS, type OpenCluster } from "../case-cluster.ts";
import { buildNextTarget } from "../next-target.ts";
import type { ExplainChecksValues } from "./definition.ts";
import { type SeenObjects, watchObjects } from "./watched-reader.ts";

/** The result of a check on a cluster. */
export type JudgedCheck = {
  readonly outcome: Outcome;
  readonly source: string;
  readonly target: string;
  /** Each path that the check may read, and how the read ended; not read, if a condition excluded it. */
  readonly reads: readonly { readonly path: string; readonly stats: ReadStats | undefined }[];
  /** The objects of the name that was given. */
  readonly seen: SeenObjects;
  /** What the check was given; absent if it was not evaluated. */
  readonly input?: { readonly context: Context; readonly given: KeptResults };
};

/** Throws a FailedError if the cluster or the target can't be read. */
export async function judgeCluster(
  check: ReturnType<typeof buildCheck>,
  cluster: OpenCluster,
  values: ExplainChecksValues,
  io: Io,
): Promise<JudgedCheck> {
  const read = new Map<string, ReadStats>();
  const inputs: NonNullable<JudgedCheck["input"]>[] = [];
  const watched: typeof check = {
    ...check,
    evaluate: (own, context, followed) => {
      inputs.push({ context, given: { ...own, ...followed } });
      return check.evaluate(own, context, followed);
    },
  };
  const { reader, seen } =
    values.object === undefined
      ? { reader: cluster.reader, seen: new Map() }
      : watchObjects(cluster.reader, values.object);
  const result = await runCycle({
    selection: { checks: [watched] },
    reader,
    target: cluster.target ?? (await chooseTarget(check, values)),
    now: cluster.observedAt,
    signal: io.stopSignal,
    limits: LIMITS,
    progress: { onRead: (stats) => void read.set(stats.path, stats) },
  });
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  const { source, target, checks } = result.report;
  const [own] = checks;
  if (own === undefined) throw new FailedError("no check ran");
  const [input] = inputs;
  const paths = [...new Set(getReads(check).map(getReadPath))];
  return {
    outcome: own.outcome,
    source: source.text,
    target: target.text,
    seen,
    reads: paths.map((path) => ({ path, stats: read.get(path) })),
    ...(input === undefined ? {} : { input }),
  };
}

async function chooseTarget(check: ReturnType<typeof buildCheck>, values: ExplainChecksValues): Promise<CycleTarget> {
  const options = requireValidVersion(parseTargetOptions(values));
  return options.version === undefined && options.folders.length === 0 ? buildNextTarget(check) : readTarget(options);
}
