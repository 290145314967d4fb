import { collectBytes } from "../../files/named-file.ts";
import { FailedError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { Reader } from "../../model/reader.ts";
import { type ArchiveFile, openArchiveFiles } from "./archive-files.ts";
import { type ArchiveIndex, buildArchiveIndex } from "./archive-index.ts";
import { readKind } from "./archive-objects.ts";
import { type HeldFacts, buildHeldFacts } from "./held-kinds.ts";
import { createMustGatherReader } from "./must-gather-reader.ts";

export type MustGather = {
  readonly reader: Reader;
  /** When it was complete; absent if it does not say. */
  readonly takenAt?: Date;
  /** Folders within it that describe other clusters, and are left out. */
  readonly otherClusters: readonly string[];
  readonly close: () => Promise<void>;
};

/** Opens what `oc adm must-gather` or `oc adm inspect` wrote, as a folder or a tar. Throws a FailedError if it is neither. */
export async function openMustGather(path: string, signal: AbortSignal): Promise<MustGather> {
  const files = await openArchiveFiles(path, signal);
  try {
    const index = buildArchiveIndex(files, path);
    await requireOneCluster(index, path, signal);
    const times = (await readFacts(index.timestamps)).flatMap(parseTimes);
    const takenAt = times.toSorted((a, b) => a.getTime() - b.getTime()).at(-1);
    const isFinished = index.timestamps.length === 0 ? index.ends.length > 0 : times.length > 1;
    const facts = await readHeldFacts(index, isFinished, signal);
    const reader = createMustGatherReader(index, facts);
    return { reader, otherClusters: index.innerRoots, close: files.close, takenAt };
  } catch (thrown) {
    await files.close();
    throw thrown;
  }
}

async function readFacts(files: ArchiveIndex["versions"]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map(readFactFile));
  return texts.flatMap((text) => text ?? []);
}

async function readHeldFacts(index: ArchiveIndex, isFinished: boolean, signal: AbortSignal): Promise<HeldFacts> {
  const [counts] = (await readFacts(index.objectCounts)).map(parseObjectCounts);
  const isStandard = (await readFacts(index.versions)).some(isStandardImage);
  const operators = await readAll(index, "clusteroperators.config.openshift.io", signal).catch(() => []);
  return buildHeldFacts(operators, { isStandard, isFinished, objectCounts: counts });
}

/** Archives of two clusters in one folder would be judged as one cluster that does not exist. */
async function requireOneCluster(index: ArchiveIndex, path: string, signal: AbortSignal): Promise<void> {
  const files = index.kinds.get("clusterversions.config.openshift.io");
  if (files === undefined) return;
  const ids = new Set<string>();
  for (const root of index.roots) {
    const lists = files.lists.filter((file) => file.root === root);
    const objects = files.objects.filter((file) => file.root === root);
    for await (const object of readKind({ lists, objects, links: files.links }, signal))
      ids.add(textAt(object, "spec", "clusterID") ?? "");
  }
  if (ids.size < 2) return;
  throw new FailedError(
    `${path} holds archives of ${ids.size} clusters (${[...ids].join(", ")}): name the folder of one of them`,
  );
}

async function readAll(index: ArchiveIndex, key: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const files = index.kinds.get(key);
  const objects = new Array<JsonObject>();
  if (files !== undefined) for await (const object of readKind(files, signal)) objects.push(object);
  return objects;
}

const MAX_FACT_BYTES = 1 << 20;

/** A small text file; undefined if it is larger than any such file is, or can't be read. */
export async function readFactFile(file: ArchiveFile): Promise<string | undefined> {
  const bytes = await collectBytes(file.read(), MAX_FACT_BYTES).catch(() => undefined);
  return bytes?.toString("utf8");
}

/** The image that gathered, and its version: the two lines of its version file. */
export function isStandardImage(version: string): boolean {
  return version.split("\n", 1).join().trim() === "openshift/must-gather";
}

/** The times at which `oc adm must-gather` began and ended, as Go prints a time. The second is absent while it runs, or if it was stopped. */
export function parseTimes(timestamp: string): readonly Date[] {
  return timestamp.split("\n").flatMap((line) => {
    const [, date, time, hours, minutes] =
      /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d+)? ([+-]\d{2})(\d{2})\b/.exec(line) ?? [];
    // oxlint-disable-next-line no-restricted-globals -- reading a written time
    const instant = new Date(`${date}T${time}${hours}:${minutes}`);
    return Number.isNaN(instant.getTime()) ? [] : [instant];
  });
}

/** Lines such as "   1203 pods", as `uniq -c` writes them. */
export function parseObjectCounts(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").flatMap((line) => {
    const [, count, prefix] = /^\s*(\d+) ([\w.-]+)\s*$/.exec(line) ?? [];
    return count === undefined || prefix === undefined ? [] : [[prefix, Number(count)] as const];
  });
  return new Map(lines);
}
