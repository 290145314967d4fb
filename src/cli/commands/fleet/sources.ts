import type { Dirent } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import { type EntryBudget, createEntryBudget, readEntries } from "../../../files/named-folder.ts";
import type { FleetCluster, FleetContext } from "../../../format/fleet/cluster.ts";
import { buildMoment } from "../../../format/fleet/fleet.ts";
import { type FleetMoment, WAVES } from "../../../format/fleet/waves.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { type JsonObject, compareText, isObject, listAt, parseObject, textAt } from "../../../model/json.ts";
import { formatTime, parseTimestamp } from "../../../model/time.ts";
import { withSession } from "../../client/connection.ts";
import { requireHostedClusters } from "../../client/hosted-cluster.ts";
import { type RecordingKind, findRecordingKind, isArchiveFile, isRecordingFile } from "../../client/recordings.ts";
import type { Io } from "../../io/io.ts";
import type { ListedCluster } from "./fleet-clusters.ts";
import { judgeItem, readWrittenItems } from "./written-results.ts";

/** A file of results, or a cluster that was recorded; `name`: after its file or folder. */
export type FleetSource = { readonly kind: "results" | RecordingKind; readonly name: string; readonly path: string };

/** What the paths name, and what is in the folders among them and below. Throws a FailedError if a path has nothing. */
export async function findSources(flag: "from" | "since", paths: readonly string[]): Promise<readonly FleetSource[]> {
  const sources: FleetSource[] = [];
  for (const path of paths) {
    const own = await findIn(path).catch((thrown: unknown) => refusePath(flag, path, thrown));
    if (own.length === 0)
      throw new FailedError(
        `${path} has no result: name a folder with .json files, recordings or must-gathers, or a list of ConfigMaps`,
      );
    sources.push(...own);
  }
  return sources;
}

function refusePath(flag: string, path: string, thrown: unknown): never {
  const why = errorCode(thrown) === "ENOENT" ? "it does not exist" : formatError(thrown);
  throw new FailedError(
    `--${flag} ${path} can't be read: ${why}: name a file of "preflight check -o json", or a folder of them`,
  );
}

async function findIn(path: string): Promise<readonly FleetSource[]> {
  const stats = await stat(path, { bigint: true });
  if (stats.isDirectory()) {
    const walk: Walk = { root: path, budget: createEntryBudget(), seen: new Set([`${stats.dev}:${stats.ino}`]) };
    return findInFolder(path, walk);
  }
  if (isArchiveFile(path)) return [{ kind: "must-gather", name: nameFile(basename(path)), path }];
  const kind = basename(path) === "cluster.json" && (await isRecordingFile(path)) ? "recorded" : "results";
  return [{ kind, name: kind === "recorded" ? nameFolder(dirname(path)) : nameFile(basename(path)), path }];
}

/** `seen`: folders, each of which is read once, so that loops of links end. */
type Walk = { readonly root: string; readonly budget: EntryBudget; readonly seen: Set<string> };

/** A recorded cluster is one thing: what is in its folder is not looked at. */
async function findInFolder(folder: string, walk: Walk): Promise<readonly FleetSource[]> {
  const entries = await readEntries(folder, walk.budget);
  const kind = await findRecordingKind(folder, entries);
  if (kind !== undefined) return [{ kind, name: nameFolder(relative(walk.root, folder) || folder), path: folder }];
  const found: FleetSource[] = [];
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name)))
    // A hidden file is one that is being written.
    if (!entry.name.startsWith(".")) found.push(...(await findEntry(folder, entry, walk)));
  return found;
}

async function findEntry(folder: string, entry: Dirent, walk: Walk): Promise<readonly FleetSource[]> {
  const path = join(folder, entry.name);
  if (entry.isDirectory() || entry.isSymbolicLink()) {
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    if (stats?.isDirectory() === true) {
      const id = `${stats.dev}:${stats.ino}`;
      if (walk.seen.has(id)) return [];
      walk.seen.add(id);
      return findInFolder(path, walk);
    }
  }
  if (isArchiveFile(path)) return [{ kind: "must-gather", name: nameFile(relative(walk.root, path)), path }];
  return path.endsWith(".json") ? [{ kind: "results", name: nameFile(relative(walk.root, path)), path }] : [];
}

/** "prod-1" of prod-1.json and of prod-1.tar.gz; "prod-1/preflight-v1" of prod-1/preflight-v1.json. */
function nameFile(path: string): string {
  const name = path.replace(/\.(?:json|tar|tar\.gz|tgz)$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What tools call the folder of an archive says nothing of its cluster. */
const ARCHIVE_FOLDER = /^must-gather(?:\.local\.\d+)?$|^inspect\.local\.\d+$/;

/** "prod-1" of prod-1/ and of prod-1/must-gather.local.123/. */
function nameFolder(path: string): string {
  const parts = (path === "." || path.startsWith("..") ? resolve(path) : path).split(sep).filter(Boolean);
  const own = parts.length > 1 && ARCHIVE_FOLDER.test(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts;
  return path.startsWith(sep) || path.startsWith(".") ? (own.at(-1) ?? path) : own.join("/");
}

/**
 * The hosted clusters of management clusters. One whose hosted clusters can't be listed is a cluster that can't be checked, so that nobody
 * misses them.
 */
export async function listHosted(management: readonly ListedCluster[], io: Io): Promise<readonly ListedCluster[]> {
  const lists = await Promise.all(management.map((one) => listOf(one, management.length === 1, io)));
  return lists.flat().toSorted((a, b) => compareText(a.name, b.name));
}

async function listOf(management: ListedCluster, isOnlyOne: boolean, io: Io): Promise<readonly ListedCluster[]> {
  if (management.kind === "unusable") return [management];
  const { name, kubeconfig, context } = management;
  try {
    const hosted = await withSession({ kubeconfig, context, verbose: false }, io, ({ reader }) =>
      requireHostedClusters(reader, io.stopSignal),
    );
    return hosted.map((one) => ({ ...management, name: isOnlyOne ? one : `${name}/${one}`, "hosted-cluster": one }));
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    return [{ kind: "unusable", name, message: thrown.message }];
  }
}

/** The fleet at earlier times: what `fleet -o json` wrote, or results. Throws a FailedError if a path says nothing of a time. */
export async function readEarlier(paths: readonly string[], context: FleetContext): Promise<readonly FleetMoment[]> {
  const moments: FleetMoment[] = [];
  for (const path of paths) moments.push(await readMoment(path, context));
  return moments;
}

async function readMoment(path: string, context: FleetContext): Promise<FleetMoment> {
  const sources = await findSources("since", [path]);
  const [source] = sources;
  if (sources.length === 1 && source?.kind === "results") {
    const fleet = await readFleetFile(source.path);
    if (fleet !== undefined) return parseMoment(fleet, path);
  }
  const now = await findNewestTime(sources);
  if (now === undefined)
    throw new FailedError(
      `--since ${path} has no result that says when a cluster was read: name a folder of earlier results, or what "preflight fleet -o json" wrote`,
    );
  const clusters: FleetCluster[] = [];
  // As they were judged when the last of them was written.
  for await (const item of readWrittenItems(sources)) {
    if (item.kind === "none") clusters.push(item.cluster);
    if (item.kind === "result") clusters.push(await judgeItem(item, { ...context, now }));
  }
  return buildMoment(clusters, formatTime(now));
}

async function findNewestTime(sources: readonly FleetSource[]): Promise<Date | undefined> {
  let newest = -Infinity;
  for await (const item of readWrittenItems(sources)) {
    const time = item.kind === "result" ? textAt(parseObject(item.text), "observedAt") : undefined;
    newest = Math.max(newest, parseTimestamp(time) ?? -Infinity);
  }
  return newest === -Infinity ? undefined : new Date(newest);
}

const MAX_BYTES = 512 * 1024 * 1024;

async function readFleetFile(path: string): Promise<JsonObject | undefined> {
  const value = parseObject(await readTextFile(path, MAX_BYTES).catch(() => ""));
  return textAt(value, "format") === "preflight-fleet-v1-json" ? value : undefined;
}

function parseMoment(fleet: JsonObject, path: string): FleetMoment {
  const clusters = listAt(fleet, "clusters")
    .filter(isObject)
    .map((cluster) => {
      const wave = WAVES.find((one) => one === textAt(cluster, "wave"));
      if (wave !== undefined) return [textAt(cluster, "name") ?? "", wave] as const;
      throw new FailedError(
        `--since ${path} does not say how far its clusters were from being clear: name the folder of its results`,
      );
    });
  return { observedAt: textAt(fleet, "observedAt") ?? "", clusters };
}
