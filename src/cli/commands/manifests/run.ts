import { readFile, realpath, stat } from "node:fs/promises";
import process from "node:process";
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from "diff";
import { manifestsFormats } from "../../../format/manifests/index.ts";
import { judgeByRisk, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { applyEdits } from "../../../manifests/files/edits.ts";
import type { FileManifest } from "../../../manifests/files/parse-manifests.ts";
import { hasChangedSince, readManifests, readManifestsAt } from "../../../manifests/files/read-manifests.ts";
import { renderManifests } from "../../../manifests/files/render.ts";
import { splitBySince } from "../../../manifests/files/since.ts";
import type { ManifestFix } from "../../../manifests/judge-manifests.ts";
import type { Check } from "../../../model/check.ts";
import { type Crd, parseCrd } from "../../../model/crd.ts";
import { UsageError, failWith } from "../../../model/errors.ts";
import type { ManifestsReport, PlacedFinding, UnreadManifest } from "../../../model/manifest.ts";
import { countsAsRisk, leavesUnknown } from "../../../model/manifest.ts";
import { VERSION } from "../../../model/program-version.ts";
import { formatRef, refOf } from "../../../model/resource.ts";
import { formatCount, sortNames } from "../../../model/text.ts";
import { formatTime } from "../../../model/time.ts";
import { toLine, toVisibleOutput } from "../../../model/visible-text.ts";
import { publish } from "../../../publish/atomic-file.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import { openBeside } from "../../session/cluster-beside.ts";
import { type ReadFiles, collectManifests, judgeByTarget } from "../../session/manifest-judging.ts";
import { getExitCode, printResult, toVerdict } from "../../session/result.ts";
import type { ManifestsValues } from "./definition.ts";
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
  const checks = { checks: await loadMarkedChecks(values, io), now: io.now() };
  const judge = async (): Promise<JudgedFiles> => {
    const read = await collectManifests(readAll(values), listSources(values));
    return { ...read, ...(await judgeByTarget(read.manifests, target, beside, checks)) };
  };
  const first = await judge();
  const changed = values.fix || values.diff ? await fixFiles(first.fixes, values.fix, io) : 0;
  const { manifests, unread, fixes: _fixes, findings, ...judged } = values.fix && changed > 0 ? await judge() : first;
  const since = await splitSince(findings, values, (before, given = target.given) =>
    judgeByTarget(before, { ...target, given }, beside, checks),
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

/** The checks that run on files. The others are named: nobody should take their silence for a verdict. */
async function loadMarkedChecks(values: ManifestsValues, io: Io): Promise<readonly Check[]> {
  if (values.checks.length === 0) return [];
  const { loadGivenChecks } = await import("../../checks/check-set.ts");
  const { marked = [], others = [] } = Object.groupBy(await loadGivenChecks(values, io), ({ special }) =>
    special?.onManifests === true ? "marked" : "others",
  );
  if (marked.length === 0)
    throw new UsageError(
      "no check of --checks runs on files: write onManifests: true into those that may, or leave --checks out",
    );
  if (others.length > 0)
    io.err(`preflight: not run on files, without onManifests: ${toLine(others.map(({ id }) => id).join(", "))}\n`);
  return marked;
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

type FileFix = ManifestFix<FileManifest>;

/** Shows what is certain to mend findings as a diff, and then writes it if `isWritten`; resolves with the number of files it is for. */
async function fixFiles(fixes: readonly FileFix[], isWritten: boolean, io: Io): Promise<number> {
  const byFile = Map.groupBy(fixes, ({ manifest }) => manifest.locate([]).file);
  let changed = 0;
  for (const [file, own] of byFile) changed += (await fixFile(file, own, isWritten, io)) ? 1 : 0;
  const done = isWritten ? "changed" : "not changed: --fix writes this";
  io.err(changed === 0 ? "Nothing is certain enough to write.\n" : `${formatCount(changed, "file")} ${done}\n`);
  return changed;
}

async function fixFile(file: string, fixes: readonly FileFix[], isWritten: boolean, io: Io): Promise<boolean> {
  const found = await readText(file);
  if (found === undefined) {
    io.err(`preflight: ${toLine(file)} is no file that can be written: mend what it was made of\n`);
    return false;
  }
  const { text: before, path, mode } = found;
  const after = fixes.reduce((text, { manifest, edits }) => {
    const edited = applyEdits(text, manifest, edits);
    if (edited.kind === "edited") return edited.text;
    io.err(
      `preflight: ${toLine(`${file}: ${formatRef(refOf(manifest.object))}`)} was left: ${toLine(edited.message)}\n`,
    );
    return text;
  }, before);
  if (after === before) return false;
  io.err(
    toVisibleOutput(
      createTwoFilesPatch(file, file, before, after, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY }),
    ),
  );
  if (isWritten) await publish(path, after, mode).catch(failWith(`${file} can't be written`));
  return true;
}

type FoundText = { readonly text: string; readonly path: string; readonly mode: number };

/** Of a regular file alone: what stands in an archive, a stream or a rendered chart has no file of its own. Links stay. */
async function readText(file: string): Promise<FoundText | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  return { text: await readFile(file, "utf8"), path: await realpath(file), mode: stats.mode & 0o777 };
}
