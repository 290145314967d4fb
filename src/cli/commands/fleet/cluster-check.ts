import { formatError, FailedError, UsageError } from "../../../model/errors.ts";
import type { ImageCache } from "../../../release/image/image-cache.ts";
import { type ReadTarget, printSkipped, readTarget, buildVersionRelease } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";
import type { ParentMessage, ReachableCluster } from "../../process/messages.ts";
import type { Parent } from "../../process/parent.ts";
import type { ChecksAndTarget, ReleaseValues } from "../../target-release/checks-and-target.ts";
import { requireGivenTarget, completeTarget } from "../../target-release/checks-and-target.ts";
import type { LoadedFleetValues } from "./definition.ts";
import { buildJson } from "../../../format/programs/json.ts";
import { formatJsonText, toVisibleOutput } from "../../../model/visible-text.ts";
import type { ClusterOrigin } from "../../../format/view/view.ts";
import type { CycleFailure, CycleResult, Report } from "../../../model/report.ts";
import type { Version } from "../../../model/version.ts";
import { publish } from "../../../publish/atomic-file.ts";
import { matchesRequest, parseTargetRequest } from "../../../release/graph/target-request.ts";
import type { CycleTarget } from "../../../runner/updates/update.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { buildResultDocument } from "../../session/result.ts";
import { buildFailedCycle, type CycleValues, judgeTarget, tryOpenCluster } from "../../session/session.ts";
import { buildResultOrigin } from "./results.ts";
import { dirname, relative, resolve, sep } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster } from "../../../format/fleet/cluster.ts";
import { formats } from "../../../format/index.ts";
import { selectAcceptedNames, judgeAcceptances } from "../../../format/view/acceptances.ts";
import type { PreflightDocument } from "../../../model/document.ts";
import { listKnownChecks } from "../../checks/check-set.ts";
import { buildRiskBackgrounds } from "../../checks/check-metadata.ts";
import { collectAcceptances } from "../../session/acceptances.ts";

/** A child process of `fleet`: checks one cluster after the other, until it is stopped. The target is read once for all of them. */
export async function serveClusters(values: LoadedFleetValues, io: Io, parent: Parent): Promise<0> {
  const shared = await requireGivenTarget(values);
  // The parent says for all of its children why there is no cache.
  const openImageCache = async (): Promise<ImageCache> => ({
    ...(await io.openImageCache()),
    takeWarning: () => undefined,
  });
  const cached = createTargetCache();
  const check = async ({ cluster, file }: Extract<ParentMessage, { kind: "cluster" }>): Promise<void> => {
    const warnings: string[] = [];
    const quietIo: Io = { ...io, isErrTerminal: false, openImageCache, err: (text) => void warnings.push(text) };
    printSkipped(shared?.target.warnings, quietIo);
    const checked = await checkCluster({ cluster, file, shared, readTarget: cached }, values, quietIo).then(
      (unreadImage) => ({ problem: undefined, unreadImage }),
      (thrown: unknown) => ({ problem: formatError(thrown) }),
    );
    parent.send({ kind: "checked", warnings, ...checked });
  };
  await new Promise<void>((resolve) => {
    io.stopSignal.addEventListener("abort", () => resolve(), { once: true });
    parent.onMessage((message) => {
      if (message.kind === "cluster") void check(message);
    });
    parent.send({ kind: "ready", target: undefined });
  });
  return 0;
}

/** Most clusters of a fleet go to the same release: the last folder that was read is kept. Its name is its digest. */
function createTargetCache(): ReadTarget {
  let last: { readonly folder: string; readonly target: ReturnType<ReadTarget> } | undefined;
  return (options) => {
    const folder = options.folders.join();
    if (last?.folder === folder) return last.target;
    const target = readTarget(options);
    last = { folder, target };
    return target;
  };
}

/** `shared`: the target of all clusters; undefined if it depends on the cluster (--to). */
type ClusterCheck = {
  readonly cluster: ReachableCluster;
  readonly file: string;
  readonly shared: ChecksAndTarget | undefined;
  readonly readTarget: ReadTarget;
};

/** Checks one cluster and writes its result, which says so if the cluster can't be checked. Resolves with the image that can't be read. */
async function checkCluster(check: ClusterCheck, values: LoadedFleetValues, io: Io): Promise<string | undefined> {
  const { result, origin } = await judgeCluster(check, values, io);
  await writeResult(result, check, values, io, origin);
  return result.kind === "failed" ? result.failure.image : undefined;
}

type Place = Pick<ClusterCheck, "cluster" | "file">;

/** For a cluster whose process ended, or that no process can open. */
export async function writeFailure(
  failure: CycleFailure,
  place: Place,
  values: LoadedFleetValues,
  io: Io,
): Promise<void> {
  await writeResult(buildFailedCycle(failure, io), place, values, io);
}

async function judgeCluster(
  { cluster: { name: _name, ...place }, shared, readTarget }: ClusterCheck,
  values: LoadedFleetValues,
  io: Io,
): Promise<{ readonly result: CycleResult; readonly origin?: ClusterOrigin }> {
  const session = await tryOpenCluster({ ...values, ...NOWHERE, ...place, verbose: false, readTarget }, io);
  if ("kind" in session) return { result: session };
  try {
    const target = await findTarget(session, shared);
    const result = "kind" in target ? target : await judgeTarget(session, target);
    return { result, origin: session.origin };
  } finally {
    session.close();
  }
}

/** The flags are lists of a fleet's kubeconfigs and contexts. */
const NOWHERE = { kubeconfig: undefined, context: undefined };

/** Reads the cluster first: one that can't be read is not one without an update. */
async function findTarget(
  session: ClusterSession<ReleaseValues & CycleValues>,
  shared: ChecksAndTarget | undefined,
): Promise<ChecksAndTarget | Extract<CycleResult, { kind: "failed" }>> {
  const { values, io } = session;
  if (shared !== undefined && values.graph === undefined) return shared;
  const first = await judgeTarget(session, { checks: [], leftOut: [], target: OWN_RELEASE });
  if (first.kind === "failed") return first;
  const { source } = first.report;
  const running = findRunningRelease(source, values.to);
  const own = { ...parseChecks(values), target: OWN_RELEASE };
  if (running === "release") return own;
  try {
    return await completeTarget(shared, session);
  } catch (thrown) {
    // The flags were parsed before the first cluster, so both are about this one.
    if (!(thrown instanceof FailedError || thrown instanceof UsageError)) throw thrown;
    if (thrown instanceof UsageError && running === "minor") return own;
    const reason = thrown instanceof UsageError ? "TargetNotOffered" : "PayloadUnreadable";
    return { ...buildFailedCycle({ reason, message: thrown.message }, io), source };
  }
}

/** Whether the cluster runs the release that --to names, or one of the minor: then there may be a later one of it. */
function findRunningRelease(source: Version, to: string | undefined): "release" | "minor" | undefined {
  const request = to === undefined ? undefined : parseTargetRequest(to);
  if (request === undefined || request.kind === "latest" || !matchesRequest(request, source)) return undefined;
  return request.kind;
}

/** The release that a cluster runs: enough to read the facts that every cycle begins with. */
const OWN_RELEASE: CycleTarget = {
  kind: "read",
  select: (facts) => buildVersionRelease(facts.version, undefined, RUNS_TARGET, facts),
};

const RUNS_TARGET = "the cluster runs the target already, so its manifests were not read";

async function writeResult(
  result: CycleResult,
  { cluster, file }: Place,
  values: LoadedFleetValues,
  io: Io,
  origin?: ClusterOrigin,
): Promise<void> {
  const document = buildResultDocument(result, values, io.now());
  const fleet = buildResultOrigin(cluster, values);
  const common = { document, accepted: new Set<string>(), hasUnknownRisks: values["unknown-risks"] };
  const content =
    result.kind === "completed" ? buildJson({ ...common, report: result.report, cluster: origin }) : document;
  await publish(file, formatJsonText({ ...content, fleet }));
  if (result.kind === "completed") await writeClusterPage({ file, report: result.report, document, origin }, values);
}

/** What a cluster's page is made of, and the file of its result. */
type PageInput = {
  readonly file: string;
  readonly report: Report;
  readonly document: PreflightDocument;
  readonly origin: ClusterOrigin | undefined;
};

/** Writes the cluster's page beside its result, if the fleet has a page in a file, which leads to it. */
async function writeClusterPage(input: PageInput, values: LoadedFleetValues): Promise<void> {
  if (!values.output.files.some(({ format }) => format === "html")) return;
  const { file, report, document, origin } = input;
  const acceptances = judgeAcceptances(collectAcceptances(values), report);
  const page = formats.html({
    report,
    document,
    cluster: origin,
    hasUnknownRisks: values["unknown-risks"],
    acceptances,
    accepted: selectAcceptedNames(acceptances),
    backgrounds: buildRiskBackgrounds(listKnownChecks(values.checkSet), report),
    colour: false,
    width: 0,
  });
  await publish(getPagePath(file), toVisibleOutput(page));
}

function getPagePath(file: string): string {
  return file.replace(/\.json$/, ".html");
}

const MAX_BYTES = 64 * 1024 * 1024;

/** The paths of the clusters' pages, by the names of the clusters. A page of another result than the cluster's is left out. */
export async function findClusterPages(clusters: readonly FleetCluster[]): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const { name, file, observedAt } of clusters) {
    if (file === undefined || observedAt === undefined || !file.endsWith(".json")) continue;
    const path = getPagePath(file);
    const text = await readTextFile(path, MAX_BYTES).catch(() => "");
    if (text.includes(`<time datetime="${observedAt}">`)) pages.set(name, path);
  }
  return pages;
}

/** The addresses of pages as seen from a file. */
export function buildPageLinks(pages: ReadonlyMap<string, string>, file: string): ReadonlyMap<string, string> {
  const links = [...pages].map(([name, path]) => {
    const way = relative(dirname(resolve(file)), resolve(path));
    return [name, way.split(sep).map(encodeURIComponent).join("/")] as const;
  });
  return new Map(links);
}
