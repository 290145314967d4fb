import { stat } from "node:fs/promises";
import process from "node:process";
import { judgeByRisk, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { manifestsFormats } from "../../../format/manifests/index.ts";
import type { FileManifest } from "../../../manifests/files/parse-manifests.ts";
import { hasChangedSince, readManifests, readManifestsAt } from "../../../manifests/files/read-manifests.ts";
import { renderManifests } from "../../../manifests/files/render.ts";
import { splitBySince } from "../../../manifests/files/since.ts";
import { type Crd, parseCrd } from "../../../model/crd.ts";
import { UsageError, failWith } from "../../../model/errors.ts";
import type { ManifestsReport, PlacedFinding, UnreadManifest } from "../../../model/manifest.ts";
import { countsAsRisk, leavesUnknown } from "../../../model/manifest.ts";
import { VERSION } from "../../../model/program-version.ts";
import { formatRef } from "../../../model/resource.ts";
import { sortNames } from "../../../model/text.ts";
import { formatTime } from "../../../model/time.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import { getExitCode, printResult, toVerdict } from "../../session/result.ts";
import type { ManifestsValues } from "./definition.ts";
import { type ReadFiles, collectManifests } from "../../session/manifest-collection.ts";
import { openBeside } from "../../session/cluster-beside.ts";
import { fixFiles } from "./fix.ts";
import { judgeByTarget } from "../../session/manifest-judging.ts";
import { readJudgingTarget } from "./target.ts";

/** Judges manifests by a target; resolves with the exit code. */
export async function run(values: ManifestsValues, io: Io): Promise<0 | 3 | 4> {
  requireSources(values);
  if (values.fix) await requireWritable(values.paths);
  const report = await (namesCluster(values)
    ? withSession(values, io, (session) => buildReport(values, io, session))
    : buildReport(values, io));
  await printResult(values.output, (name, style) => manifestsFormats[name]({ report, version: VERSION, ...style }), io);
  const isIncomplete = report.unknowns.length > 0 || report.unread.some(leavesUnknown);
  return getExitCode([toVerdict(report.findings.some(countsAsRisk(report)), isIncomplete)], values["fail-on"]);
}

function requireSources({ paths, crds, helm, kustomize, since, fix, diff }: ManifestsValues): void {
  const isRendered = helm.length + kustomize.length > 0;
  if (paths.length === 0 && !isRendered)
    throw new UsageError("manifests needs PATH: a file or a folder, or - for stdin; or --helm or --kustomize");
  if (paths.includes("-") && crds === "-") throw new UsageError("only one of PATH and --crds can be stdin");
  if (since !== undefined && (isRendered || paths.includes("-")))
    throw new UsageError("--since compares files of a repository: give PATH alone, without -, --helm and --kustomize");
  if (fix && diff) throw new UsageError("--fix shows the difference, too: remove --diff");
}

/** A stream can't be read again once the files are mended, and nothing of it would be known then. */
async function requireWritable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = path === "-" ? undefined : await stat(path).catch(failWith(`${path} can't be read`));
    if (stats?.isFile() !== true && stats?.isDirectory() !== true)
      throw new UsageError(`--fix writes files, and ${path === "-" ? "stdin" : path} is none: give files and folders`);
  }
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
  const beside = session && (await openBeside(session));
  const judge = async (): Promise<JudgedFiles> => {
    const read = await collectManifests(readAll(values), listSources(values));
    return { ...read, ...(await judgeByTarget(read.manifests, target, beside)) };
  };
  const first = await judge();
  const changed = values.fix || values.diff ? await fixFiles(first.fixes, values.fix, io) : 0;
  const { manifests, unread, fixes: _fixes, findings, ...judged } = values.fix && changed > 0 ? await judge() : first;
  const since = await splitSince(findings, values, (before, given = target.given) =>
    judgeByTarget(before, { ...target, given }, beside),
  );
  return {
    paths: listSources(values).map((path) => (path === "-" ? "stdin" : path)),
    target: target.name,
    kubernetes: `1.${target.kubernetes}`,
    objects: manifests.length,
    ...judged,
    ...since,
    unread,
    accepted: findAccepted(findings, values, io),
  };
}

function listSources({ paths, helm, kustomize }: ManifestsValues): readonly string[] {
  return [...paths, ...helm, ...kustomize];
}

async function* readAll({ paths, helm, kustomize }: ManifestsValues): AsyncGenerator<FileManifest | UnreadManifest> {
  yield* readManifests(paths, process.stdin);
  for (const chart of helm) yield* renderManifests("helm", chart);
  for (const folder of kustomize) yield* renderManifests("kustomize", folder);
}

/** The findings that count, and those that an earlier commit has too. */
async function splitSince(
  findings: readonly PlacedFinding[],
  { since: ref, paths, crds }: ManifestsValues,
  judge: (before: readonly FileManifest[], crds?: readonly Crd[]) => Promise<Pick<ManifestsReport, "findings">>,
): Promise<Pick<ManifestsReport, "findings" | "since">> {
  if (ref === undefined) return { findings };
  const earlier = await collectAt(ref, paths);
  // What a changed CRD makes of an object is new, too.
  const isChanged = crds !== undefined && crds !== "-" && (await hasChangedSince(ref, crds));
  const given = isChanged ? (await collectAt(ref, [crds])).flatMap(({ object }) => parseCrd(object) ?? []) : undefined;
  const before = await judge(earlier, given);
  const { added, former } = splitBySince(findings, before.findings);
  return { findings: added, since: { ref, former } };
}

async function collectAt(ref: string, paths: readonly string[]): Promise<readonly FileManifest[]> {
  const manifests: FileManifest[] = [];
  for await (const one of readManifestsAt(ref, paths)) manifests.push(one);
  return manifests;
}

type JudgedFiles = ReadFiles & Awaited<ReturnType<typeof judgeByTarget<FileManifest>>>;

function findAccepted(findings: readonly PlacedFinding[], values: ManifestsValues, io: Io): readonly string[] {
  const byRisk = Map.groupBy(findings, ({ risk }) => risk);
  const listObjects = (risk: string): readonly string[] | undefined => {
    const own = byRisk.get(risk);
    return own && sortNames(own.map(({ object }) => formatRef(object)));
  };
  return [...selectAcceptedNames(judgeByRisk(collectAcceptances(values), formatTime(io.now()), listObjects))];
}
