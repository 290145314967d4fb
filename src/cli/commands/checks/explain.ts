import { buildCheck } from "../../../data-checks/build-check.ts";
import { compileCheck } from "../../../data-checks/compile/compile.ts";
import type { CheckDefinition } from "../../../data-checks/format/definition.ts";
import { loadChecks } from "../../../data-checks/load.ts";
import { UsageError, FailedError } from "../../../model/errors.ts";
import type { Io } from "../../io/io.ts";
import {
  type OpenedCase,
  openCaseCluster,
  openOtherCluster,
  namesCluster,
  LIMITS,
  buildNextTarget,
} from "./case-cluster.ts";
import { printErrors, readCheckTexts } from "./check-texts.ts";
import type { ExplainChecksValues } from "./definition.ts";
import { formatDefinition, formatValues, isNamed } from "./explain-pages.ts";
import type { KeptResults } from "../../../data-checks/run/state.ts";
import type { Context } from "../../../model/check.ts";
import type { Outcome } from "../../../model/report.ts";
import { runCycle } from "../../../runner/cycle.ts";
import type { CycleTarget } from "../../../runner/updates/update.ts";
import { getReadPath } from "../../../model/read.ts";
import type { ReadStats } from "../../../runner/gather/gather.ts";
import { getReads } from "../../checks/cluster-role.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "../../target-release/target.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { Reader } from "../../../model/reader.ts";
import { buildResourcePath, formatRef, refOf } from "../../../model/resource.ts";

/** Explains every check of the files, and on a cluster what each says of it. */
export async function run(values: ExplainChecksValues, io: Io): Promise<0 | 3> {
  const { definitions, faults } = await loadChecks(
    await readCheckTexts([values.path]),
    { kind: "embedded" },
    new Set(),
  );
  if (printErrors(faults, io)) return 3;
  const cluster = await openExplained(values, io);
  try {
    for (const [i, { definition }] of definitions.entries())
      io.out(`${i === 0 ? "" : "\n"}${await explain(definition, cluster, values, io)}`);
  } finally {
    cluster?.close();
  }
  return 0;
}

/** Undefined unless a setting names a cluster or an object of it. */
async function openExplained(values: ExplainChecksValues, io: Io): Promise<OpenedCase | undefined> {
  const { case: file, object } = values;
  if (file !== undefined && namesCluster(values))
    throw new UsageError("--case is an alternative to a cluster: give one of them");
  if (file !== undefined) return openCaseCluster(file);
  return namesCluster(values) || object !== undefined ? openOtherCluster(values, io) : undefined;
}

async function explain(
  definition: CheckDefinition,
  cluster: OpenedCase | undefined,
  values: ExplainChecksValues,
  io: Io,
): Promise<string> {
  const check = buildCheck(definition);
  const { check: compiled } = compileCheck(definition);
  const page = formatDefinition(check, definition, compiled);
  if (cluster === undefined) return page;
  const judged = await judgeCluster(check, cluster, values, io);
  return `${page}\n${formatValues(judged, definition, compiled, values.object)}`;
}

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
async function judgeCluster(
  check: ReturnType<typeof buildCheck>,
  cluster: OpenedCase,
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
    input,
  };
}

async function chooseTarget(check: ReturnType<typeof buildCheck>, values: ExplainChecksValues): Promise<CycleTarget> {
  const options = requireValidVersion(parseTargetOptions(values));
  return options.version === undefined && options.folders.length === 0 ? buildNextTarget(check) : readTarget(options);
}

/** The objects of a name that lists held, by the path of their kind: also those that the check does not keep. */
type SeenObjects = ReadonlyMap<string, readonly JsonObject[]>;

function watchObjects(reader: Reader, name: string): { readonly reader: Reader; readonly seen: SeenObjects } {
  const seen = new Map<string, JsonObject[]>();
  return { reader: watch(reader, name, seen), seen };
}

function watch(reader: Reader, name: string, seen: Map<string, JsonObject[]>): Reader {
  return {
    ...reader,
    list: (resource, begin, ...more) =>
      reader.list(
        resource,
        (held) => {
          const visit: ReturnType<typeof begin> = begin(held);
          const objects: JsonObject[] = [];
          seen.set(buildResourcePath(resource), objects);
          return (object) => {
            if (textAt(object, "metadata", "name") !== undefined && isNamed(formatRef(refOf(object)), name))
              objects.push(object);
            visit(object);
          };
        },
        ...more,
      ),
    forCycle: () => watch(reader.forCycle?.() ?? reader, name, seen),
  };
}
