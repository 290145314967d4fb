import { readManifests } from "../../../manifests/files/read-manifests.ts";
import { findFindingFiles } from "../../../manifests/finding-files.ts";
import type { ClusterOrigin } from "../../../format/view/view.ts";
import type { Finding } from "../../../model/check.ts";
import { quoteArgument } from "../../../model/commands.ts";
import { UsageError } from "../../../model/errors.ts";
import type { CheckedFiles } from "../../../model/finding-file.ts";
import { leavesUnknown } from "../../../model/manifest.ts";
import type { Release } from "../../../model/release.ts";
import { type Outcome, type Report, findingsOf } from "../../../model/report.ts";
import { buildRefKey, compareRefs } from "../../../model/resource.ts";
import { getPlatform } from "../../../model/version.ts";
import { runCycle } from "../../../runner/cycle.ts";
import type { CycleTarget } from "../../../runner/updates/update.ts";
import type { Repeat } from "../../session/session.ts";
import { formatRepeatedFlags } from "../../settings/repeated-flags.ts";
import { releaseSettings } from "../../settings/release-settings.ts";
import type { ReadFiles } from "../../session/manifest-judging.ts";
import { collectManifests, findKubernetesMinor, judgeByTarget } from "../../session/manifest-judging.ts";
import type { CheckCommandValues, LoadedCheckValues } from "./definition.ts";

const FLAG = "--manifests";

/** What a cycle is run with so that the objects of its findings are found in files. */
export type FileSearch = {
  /** Keeps the release that the cycle judges by. */
  readonly repeat: Repeat;
  readonly addFiles: (report: Report, cluster: ClusterOrigin | undefined) => Promise<SearchedReport>;
};

type SearchedReport = { readonly report: Report; readonly files: CheckedFiles };

/** Reads the files before the cluster, so that nobody waits for a path that is wrong. */
export async function startFileSearch(
  given: CheckCommandValues,
  values: LoadedCheckValues,
  isSideBySide: boolean,
): Promise<FileSearch> {
  const conflict = findConflict(given, isSideBySide);
  if (conflict !== undefined) throw new UsageError(`${FLAG} ${conflict}`);
  const { manifests: paths } = given;
  const read = await collectManifests(readManifests(paths), paths);
  let release: Release | undefined;
  return {
    repeat: () => (input) => runCycle({ ...input, target: watchSelect(input.target, (one) => (release = one)) }),
    addFiles: (report, cluster) =>
      searchFiles(report, read, release, { paths, command: buildCommand(paths, values, cluster) }),
  };
}

function findConflict({ manifests, watch }: CheckCommandValues, isSideBySide: boolean): string | undefined {
  if (manifests.includes("-")) return "reads files and folders: - is neither";
  if (watch) return "reads files once: remove --watch";
  if (isSideBySide) return "is for one target: give one";
  return undefined;
}

function watchSelect(target: CycleTarget, onSelect: (release: Release) => void): CycleTarget {
  if (target.kind === "failed") return target;
  const select: typeof target.select = (facts) => {
    const release = target.select(facts);
    onSelect(release);
    return release;
  };
  return { ...target, select };
}

/** The cluster is named as it was read: without it, the target may not be found. */
function buildCommand(
  paths: readonly string[],
  { checkSet: _checkSet, ...values }: LoadedCheckValues,
  cluster: ClusterOrigin | undefined,
): string {
  const flags = formatRepeatedFlags(releaseSettings, values);
  const files = paths.map(quoteArgument).join(" ");
  return ["preflight manifests", files, flags, ...listClusterFlags(values, cluster)]
    .filter((one) => one !== "")
    .join(" ");
}

function listClusterFlags(
  { kubeconfig }: Pick<LoadedCheckValues, "kubeconfig">,
  cluster: ClusterOrigin | undefined,
): readonly string[] {
  switch (cluster?.kind) {
    case "live": {
      const own = kubeconfig === undefined ? [] : [`--kubeconfig ${quoteArgument(kubeconfig)}`];
      return [...own, `--context ${quoteArgument(cluster.context)}`];
    }
    case "recorded":
      return [`--recorded ${quoteArgument(cluster.folder)}`];
    case "must-gather":
      return [`--must-gather ${quoteArgument(cluster.path)}`];
    case undefined:
      return [];
  }
}

async function searchFiles(
  report: Report,
  { manifests, unread }: ReadFiles,
  release: Release | undefined,
  { paths, command }: Pick<CheckedFiles, "paths" | "command">,
): Promise<SearchedReport> {
  const judged = await judgeByTarget(manifests, buildTarget(report, release), undefined);
  const findings = report.checks.flatMap(({ outcome }) => findingsOf(outcome));
  const { files, others, notJudged } = findFindingFiles(findings, { manifests, ...judged });
  const without = findings.filter((finding) => (files.get(finding) ?? []).length === 0).map(({ object }) => object);
  return {
    report: addToReport(report, files),
    files: {
      paths,
      objects: manifests.length,
      unread: unread.filter(leavesUnknown),
      withoutFile: [...new Map(without.map((object) => [buildRefKey(object), object])).values()].toSorted(compareRefs),
      otherFaults: others.length,
      notJudged,
      command,
    },
  };
}

function buildTarget({ target }: Report, release: Release | undefined): Parameters<typeof judgeByTarget>[1] {
  return {
    name: target.text,
    platform: getPlatform(target),
    kubernetes: findKubernetesMinor(target, release?.kubernetes),
    given: [],
    own: release?.crds ?? [],
  };
}

type FilesByFinding = ReturnType<typeof findFindingFiles>["files"];

function addToReport(report: Report, files: FilesByFinding): Report {
  const checks = report.checks.map((check) => ({ ...check, outcome: addToOutcome(check.outcome, files) }));
  return { ...report, checks };
}

function addToOutcome(outcome: Outcome, files: FilesByFinding): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  return { ...outcome, findings: outcome.findings.map((one) => addToFinding(one, files.get(one) ?? [])) };
}

function addToFinding(finding: Finding, files: NonNullable<Finding["files"]>): Finding {
  return files.length === 0 ? finding : { ...finding, files };
}
