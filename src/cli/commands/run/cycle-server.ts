import { type Logger, createChangeLogger } from "../../../model/logger.ts";
import type { Reader } from "../../../model/reader.ts";
import { getPlatform, parseTargetVersion } from "../../../model/version.ts";
import { type CycleInput, runCycle } from "../../../runner/cycle.ts";
import type { CycleTarget, FailedCycle } from "../../../runner/updates/update.ts";
import { runUntilUpdate } from "./work-end.ts";
import { CLIENT_AUTHORITIES, selectClientAuthorities } from "../../client/cluster-network.ts";
import type { ClusterSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { createJsonLogger } from "../../io/monitoring-server.ts";
import type { ChildMessage, ParentMessage } from "../../process/messages.ts";
import { type Parent, createProgressSender } from "../../process/parent.ts";
import { buildCycle, tryOpenCluster } from "../../session/session.ts";
import { parseTargetOptions, readTarget } from "../../target-release/target.ts";
import type { CycleRunner } from "./child-cycles.ts";
import type { RunValues } from "./definition.ts";
import { isolateCheck, leaveOutSeparate } from "../../../runner/isolation.ts";
import type { CheckFault } from "../../../data-checks/format/fault.ts";
import { UsageError } from "../../../model/errors.ts";
import { toLine } from "../../../model/visible-text.ts";
import { isInRegistry } from "../../checks/given-files.ts";
import { type CheckSelection, isFoundLater, parseChecks } from "../../checks/check-selection.ts";
import { createBuiltInSet, getFinderOptions, listFaults, reloadCheckSet } from "../../checks/check-set.ts";

/** The child process of a runner: runs a cycle whenever the parent asks for one, until it is stopped. */
export async function serveCycles(values: RunValues, io: Io, parent: Parent): Promise<0> {
  const cycles = await createCycles(values, io, parent);
  try {
    await new Promise<void>((resolve, reject) => {
      io.stopSignal.addEventListener("abort", () => resolve(), { once: true });
      parent.onMessage((message) => {
        if (message.kind === "cycle" || message.kind === "separate")
          cycles.answer(message).then((answer) => parent.send(answer), reject);
      });
      parent.send({ kind: "ready", target: cycles.target() });
    });
    return 0;
  } finally {
    cycles.close();
  }
}

type CycleMessage = Extract<ParentMessage, { readonly kind: "cycle" | "separate" }>;

type CycleServer = Pick<CycleRunner, "target" | "close"> & {
  readonly answer: (message: CycleMessage) => Promise<ChildMessage>;
};

/** Reads the target and opens the cluster once; if one fails, the next cycle tries again. */
async function createCycles(values: RunValues, io: Io, parent: Parent): Promise<CycleServer> {
  const log = createJsonLogger(io.err, io.now);
  const loadChecks = createCheckLoader(values, io, log);
  await loadChecks();
  // Risks are accepted in ClusterVersion.
  for (const { risk } of values.config?.accept ?? [])
    log.warn("the configuration accepts a risk, which the document has no place for", { risk });
  const progress = createProgressSender(parent);
  let target = await readTargetAndWarn(values, log);
  let session: ClusterSession<RunValues> | undefined;
  const prepare = async (observedAt: Date): Promise<CycleInput | FailedCycle> => {
    if (target.kind === "failed") target = await readTargetAndWarn(values, log);
    const opened = session ?? (await tryOpenCluster(values, { ...io, warn: log.warn }));
    if ("kind" in opened) return { ...opened, observedAt, target: target.version };
    session = opened;
    if (values["listen-cert"] !== undefined) await sendClientAuthorities(session.reader, io, parent);
    const selection = await loadChecks();
    const cycle = buildCycle({ observedAt, ...session }, selection, progress);
    return { ...cycle, target: target.kind === "read" ? { ...target, isOneUpdate: true } : target };
  };
  const answer = async (message: CycleMessage): Promise<ChildMessage> => {
    const input = await prepare(message.observedAt);
    if ("kind" in input) return { kind: "result", result: input };
    if (message.kind === "cycle") {
      const isolation = leaveOutSeparate(message.separate);
      const end = { ...input, image: values["release-image"] };
      return { kind: "result", result: await runUntilUpdate(end, () => runCycle({ ...input, isolation })) };
    }
    const { isolation, updates } = isolateCheck(message.check);
    const result = await runCycle({ ...input, isolation });
    return result.kind === "failed" ? { kind: "result", result } : { kind: "judged", updates };
  };
  return { answer, target: () => target.version, close: () => session?.close() };
}

async function sendClientAuthorities(reader: Reader, { stopSignal }: Io, parent: Parent): Promise<void> {
  const read = await reader.get(CLIENT_AUTHORITIES, stopSignal);
  const pem = read.kind === "found" ? selectClientAuthorities(read.object) : undefined;
  if (pem !== undefined) parent.send({ kind: "progress", events: [{ kind: "clientAuthorities", pem }] });
}

/** Folders of a release image that hold the target's manifests. */
const CONTAINER_FOLDERS = ["/release-manifests", "/manifests"];

async function readTargetAndWarn(values: RunValues, log: Logger): Promise<CycleTarget> {
  const target = await readTarget(parseTargetOptions(values, selectDefaultFolders(values["target-version"])));
  for (const why of target.warnings ?? []) log.warn("a file of the target was skipped", { why });
  return target;
}

/** Kubernetes has no release image. */
function selectDefaultFolders(version: string | undefined): readonly string[] {
  const targetVersion = parseTargetVersion(version ?? "");
  return targetVersion !== undefined && getPlatform(targetVersion.version) === "kubernetes" ? [] : CONTAINER_FOLDERS;
}

/**
 * Reads the files of --checks and --known-bugs again whenever it is called, so that each cycle runs what they hold then, and logs what is wrong with them
 * whenever that changes. --only and --skip may name checks that are not there yet.
 */
export function createCheckLoader(
  values: Pick<RunValues, "checks" | "known-bugs" | "known-bugs-older" | "only" | "skip" | "config"> &
    Partial<Pick<RunValues, "checks-from">>,
  io: Io,
  log: Pick<Logger, "warn">,
): () => Promise<CheckSelection> {
  const warn = createChangeLogger((problems) =>
    log.warn("checks could not be loaded", { problems: problems.split("\n") }),
  );
  requireFiles(values);
  let checkSet = createBuiltInSet(getFinderOptions(values));
  return async () => {
    const { absent, ...loaded } = await reloadCheckSet(values, io, checkSet);
    checkSet = loaded.checkSet;
    const missing = absent.map((path) => `${toLine(path)} does not exist`);
    const unused = checkSet.knownBugs?.list.unused;
    const problems = unused === undefined ? missing : [...missing, toLine(unused.message)];
    warn([...problems, ...listFaults(checkSet).map(formatFaultLine)].join("\n"));
    return parseChecks({ ...values, checkSet }, mayBeAbsent);
  };
}

/** Its pods have no credentials of registries, and would ask one in every cycle. */
function requireFiles({ checks, "known-bugs": list }: Pick<RunValues, "checks" | "known-bugs">): void {
  const remote = [...checks, ...(list === undefined ? [] : [list])].find(isInRegistry);
  if (remote === undefined) return;
  throw new UsageError(
    `${remote}: the runner reads files only: mount the archive that "skopeo copy docker://... oci-archive:FILE.tar" makes`,
  );
}

function formatFaultLine({ file, line, column, place, message }: CheckFault): string {
  return toLine(`${file}:${line}:${column}: ${place === "" ? "" : `${place}: `}${message}`);
}

function mayBeAbsent(id: string): boolean {
  return id.startsWith("site-") || isFoundLater(id);
}
