import { stat } from "node:fs/promises";
import process from "node:process";
import { judgeByRisk, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { manifestsFormats } from "../../../format/manifests/index.ts";
import { readManifests } from "../../../manifests/files/read-manifests.ts";
import { FailedError, UsageError, failWith } from "../../../model/errors.ts";
import type { Manifest, PlacedFinding, UnreadManifest } from "../../../model/manifest.ts";
import { type ManifestsReport, countsAsRisk, leavesUnknown } from "../../../model/manifests-report.ts";
import { VERSION } from "../../../model/program-version.ts";
import { formatRef } from "../../../model/resource.ts";
import { sortNames } from "../../../model/text.ts";
import { formatTime } from "../../../model/time.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import { getExitCode, printResult, toVerdict } from "../../session/result.ts";
import type { ManifestsValues } from "./definition.ts";
import { judgeByTarget } from "./judging.ts";
import { readJudgingTarget } from "./target.ts";

/** Judges manifests by a target; resolves with the exit code. */
export async function run(values: ManifestsValues, io: Io): Promise<0 | 3 | 4> {
  if (values.paths.length === 0) throw new UsageError("manifests needs PATH: a file or a folder, or - for stdin");
  if (values.paths.includes("-") && values.crds === "-")
    throw new UsageError("only one of PATH and --crds can be stdin");
  const report = await (namesCluster(values)
    ? withSession(values, io, (session) => buildReport(values, io, session))
    : buildReport(values, io));
  await printResult(values.output, (name, style) => manifestsFormats[name]({ report, version: VERSION, ...style }), io);
  const isIncomplete = report.unknowns.length > 0 || report.unread.some(leavesUnknown);
  return getExitCode([toVerdict(report.findings.some(countsAsRisk(report)), isIncomplete)], values["fail-on"]);
}

/** KUBECONFIG alone asks for no cluster: files are judged without one. */
function namesCluster({ kubeconfig, context, recorded, "must-gather": archive }: ManifestsValues): boolean {
  return (kubeconfig ?? context ?? recorded ?? archive) !== undefined;
}

async function buildReport(
  values: ManifestsValues,
  io: Io,
  session?: ClusterSession<ManifestsValues>,
): Promise<ManifestsReport> {
  const target = await readJudgingTarget(values, io, session);
  const { manifests, unread } = await collectManifests(values.paths);
  const judged = await judgeByTarget(manifests, target, session);
  return {
    paths: values.paths.map((path) => (path === "-" ? "stdin" : path)),
    target: target.name,
    kubernetes: `1.${target.kubernetes}`,
    objects: manifests.length,
    ...judged,
    unread,
    accepted: findAccepted(judged.findings, values, io),
  };
}

type ReadFiles = { readonly manifests: readonly Manifest[]; readonly unread: readonly UnreadManifest[] };

/** Objects are few KiB each, and all are held, since a CRD may come after its objects. */
const MAX_OBJECTS = 100_000;

async function collectManifests(paths: readonly string[]): Promise<ReadFiles> {
  for (const path of paths) if (path !== "-") await stat(path).catch(failWith(`${path} can't be read`));
  const manifests: Manifest[] = [];
  const unread: UnreadManifest[] = [];
  for await (const one of readManifests(paths, process.stdin)) {
    if ("object" in one) manifests.push(one);
    else unread.push(one);
    if (manifests.length > MAX_OBJECTS)
      throw new FailedError(`there are more than ${MAX_OBJECTS} objects: give fewer files`);
  }
  if (manifests.length === 0 && !unread.some(leavesUnknown))
    throw new FailedError(`${paths.join(" ")} has no manifest: give a file or a folder with some`);
  return { manifests, unread };
}

function findAccepted(findings: readonly PlacedFinding[], values: ManifestsValues, io: Io): readonly string[] {
  const byRisk = Map.groupBy(findings, ({ risk }) => risk);
  const listObjects = (risk: string): readonly string[] | undefined => {
    const own = byRisk.get(risk);
    return own && sortNames(own.map(({ object }) => formatRef(object)));
  };
  return [...selectAcceptedNames(judgeByRisk(collectAcceptances(values), formatTime(io.now()), listObjects))];
}
