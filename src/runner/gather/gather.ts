import { textAt } from "../../model/json.ts";
import { findHidden, findUnkept, isWithin } from "../../model/needed-fields.ts";
import type { Each, Gathered, GatherResult, Get, Raw, Read, Query } from "../../model/read.ts";
import { getReadPath, QUERIES_PATH } from "../../model/read.ts";
import type {
  Absence,
  FoundObject,
  HeldPart,
  KeptPart,
  LineVisitor,
  ReadFailure,
  Reader,
  Visitor,
  QueryAnswer,
  ReadFailureReason,
} from "../../model/reader.ts";
import type { ListCollector, TextCollector } from "./collectors.ts";
import { watchExpected, buildNotUnderstood, createListCollector, createTextCollector } from "./collectors.ts";
import { formatGroupResource } from "../../model/resource.ts";
import type { OwnerIndex, TurnLimit } from "./gathering.ts";
import type { Platform } from "../../model/version.ts";

/** How one distinct read ended: for progress, metrics and coverage. */
export type ReadStats = {
  readonly path: string;
  /** The kind's name, such as "networks.config.openshift.io"; absent if the read was of text or of what another object shows. */
  readonly kind?: string | undefined;
  readonly outcome: "found" | "absent" | "failed";
  readonly objects: number;
  readonly bytes: number;
};

export type GatherOptions = {
  readonly reader: Reader;
  readonly limit: TurnLimit;
  readonly signal: AbortSignal;
  /** How many objects of a kind, or lines of a text, one read may keep. */
  readonly maxKept: number;
  readonly onRead: (stats: ReadStats) => void;
  /** Told before a path is read for these reads. */
  readonly onPath?: (path: string, reads: readonly Read[]) => void;
  /** The reads of a higher one are performed first. */
  readonly rank?: number;
  /** Absent as long as it is not known. */
  readonly platform?: Platform;
  /** Told of each object of which a read keeps something. */
  readonly owners?: Pick<OwnerIndex, "add">;
};

const ABSENT_ON_PLATFORM: Absence = { kind: "absent", what: "resource" };

/**
 * Performs reads: each distinct object and kind once, no matter how many checks read it. Every read gets a result. Resources of the other
 * platform are never requested: they count as absent, whatever the account's rights.
 */
export async function gather(reads: readonly Read[], options: GatherOptions): Promise<Gathered> {
  return new Map((await Promise.all(startReads(reads, options))).flat());
}

export type ReadEntries = readonly (readonly [Read, GatherResult])[];

/** The same, path by path, in the order of the reads. */
export function startReads(reads: readonly Read[], options: GatherOptions): readonly Promise<ReadEntries>[] {
  const { platform, limit, rank } = options;
  const isHere = ({ only }: Read): boolean => only === undefined || platform === undefined || only === platform;
  const groups = Map.groupBy(reads.filter(isHere), getReadPath);
  const elsewhere = reads.filter((read) => !isHere(read)).map((read) => [read, ABSENT_ON_PLATFORM] as const);
  const started = [...groups].map(([path, group]) => limit(() => gatherGroup(path, group, options), rank));
  return elsewhere.length === 0 ? started : [Promise.resolve(elsewhere), ...started];
}

async function gatherGroup(path: string, group: readonly Read[], options: GatherOptions): Promise<ReadEntries> {
  options.onPath?.(path, group);
  return gatherFrom(path, group, selectHalf(group, options));
}

/** What has a subject is read where that is. Whom objects of the management cluster belong to is not known: names mean others there. */
function selectHalf(group: readonly Read[], options: GatherOptions): GatherOptions {
  const { management } = options.reader;
  if (management === undefined || group.every(({ subject }) => subject === undefined)) return options;
  const { owners: _owners, ...others } = options;
  return { ...others, reader: management };
}

async function gatherFrom(path: string, group: readonly Read[], options: GatherOptions): Promise<ReadEntries> {
  const gets = group.filter((read) => read.kind === "get");
  const objects = await gatherObject(path, gets, options);
  const lists = group.filter((read) => read.kind === "each");
  const listed = await gatherList(path, lists, options);
  const raws = group.filter((read) => read.kind === "raw");
  const texts = raws.length === 0 ? [] : await gatherText(path, raws, options);
  const queries = group.filter((read) => read.kind === "query");
  return [...objects, ...listed, ...texts, ...(await gatherQueries(queries, options))];
}

async function gatherObject(path: string, reads: readonly Get[], options: GatherOptions): Promise<ReadEntries> {
  const [first] = reads;
  if (!first) return [];
  const { resource, namespace, name } = first;
  const result = await options.reader.get({ resource, name, namespace }, options.signal);
  if (result.kind === "found") options.owners?.add(result.object);
  const entries = reads.map((read) => [read, result.kind === "found" ? applyKeep(read, result) : result] as const);
  const isCounted = result.kind === "found" && result.isDerived !== true;
  const stats = isCounted ? { objects: 1, bytes: result.bytes } : { objects: 0, bytes: 0 };
  const isDerived = result.kind === "found" && !isCounted;
  options.onRead({
    path,
    kind: isDerived ? undefined : formatGroupResource(resource),
    outcome: result.kind,
    ...stats,
  });
  return entries;
}

function applyKeep(read: Get, found: FoundObject): GatherResult {
  const lost = findLostFailure(read, found);
  if (lost !== undefined) return lost;
  const { object } = found;
  try {
    return { kind: "found", value: read.keep(object) };
  } catch (thrown) {
    return buildNotUnderstood(object, thrown);
  }
}

async function gatherList(path: string, reads: readonly Each[], options: GatherOptions): Promise<ReadEntries> {
  const [first] = reads;
  if (!first) return [];
  const abandoned = new AbortController();
  const abortSoon = (): void => queueMicrotask(() => abandoned.abort());
  let collectors: readonly ListCollector[] = [];
  let watch = watchExpected(undefined, first.resource);
  const begin = (held: HeldPart | undefined): Visitor => {
    for (const read of reads) read.begin?.();
    collectors = reads.map((read) => createListCollector(read, options.maxKept, held));
    // An archive that is known to hold a part of the objects need not have these.
    watch = watchExpected(held === undefined ? options.platform : undefined, first.resource);
    return (object) => {
      watch.see(textAt(object, "metadata", "name") ?? "");
      let isKept = false;
      for (const collector of collectors) isKept = collector.visit(object) || isKept;
      if (isKept) options.owners?.add(object);
      // Not at once: the reader is in the middle of a page.
      if (collectors.every(isOverfull)) abortSoon();
    };
  };
  // If one read needs whole objects, they are requested once and the other reads use their metadata.
  const part = reads.every(({ isMetadataOnly }) => isMetadataOnly) ? "metadata" : "whole";
  const signal = AbortSignal.any([options.signal, abandoned.signal]);
  const result = await options.reader.list(first.resource, begin, signal, part);
  for (const read of reads) read.done?.();
  const incomplete = result.kind === "listed" ? watch.failure() : undefined;
  const entries = reads.map((read, i) => {
    const collector = collectors[i];
    if (!collector || !(result.kind === "listed" || abandoned.signal.aborted))
      return [read, applyKeepFailure(read, toAbsentOrFailed(result))] as const;
    const lost = result.kind === "listed" && findLostFailure(read, result);
    if (lost) return [read, lost] as const;
    return [read, addManagedFieldsGap(read, addIncompleteness(read, collector.result(), incomplete), result)] as const;
  });
  const stats = result.kind === "listed" ? { objects: result.objects, bytes: result.bytes } : { objects: 0, bytes: 0 };
  const outcome = result.kind === "listed" ? "found" : result.kind;
  options.onRead({ path, kind: formatGroupResource(first.resource), outcome, ...stats });
  return entries;
}

function isOverfull(collector: ListCollector): boolean {
  return collector.failure()?.reason === "TooManyObjects";
}

/** What a recording left out of its objects is not absent, and what it hides has another value. */
function findLostFailure(read: Read, part: KeptPart): ReadFailure | undefined {
  const message = describeLost(read, part);
  return message === undefined ? undefined : { kind: "failed", reason: "NotRecorded", message };
}

function describeLost(
  { fields = [], isReducedEnough = false }: Read,
  { keptFields, hiddenFields = [], reducedFields = [], lacksManagedFields }: KeptPart,
): string | undefined {
  if (lacksManagedFields === true && fields.some(({ path }) => isWithin(path, MANAGED_FIELDS))) return NO_WRITERS;
  const unkept = keptFields && findUnkept(fields, keptFields);
  if (unkept !== undefined) return `the recording left out ${unkept}: record the cluster again, with this check`;
  const hidden = findHidden(fields, isReducedEnough ? hiddenFields : [...hiddenFields, ...reducedFields]);
  return hidden && `the recording hides ${hidden}, as a value that may be a secret or that no check read`;
}

const MANAGED_FIELDS = ["metadata", "managedFields"];

function applyKeepFailure(read: Each, result: GatherResult): GatherResult {
  const value = result.kind === "failed" ? read.keepFailure?.(result) : undefined;
  return value === undefined ? result : { kind: "found", values: [value] };
}

/** What is found in single objects is true whatever the others are; nothing else can be told from a part of a list. */
function addIncompleteness(read: Each, kept: GatherResult, incomplete: ReadFailure | undefined): GatherResult {
  if (incomplete === undefined || kept.kind !== "found" || !("values" in kept)) return kept;
  return read.soundInPart === "object" ? { ...kept, gaps: [...(kept.gaps ?? []), incomplete] } : incomplete;
}

function addManagedFieldsGap(
  read: Each,
  kept: GatherResult,
  result: Awaited<ReturnType<Reader["list"]>>,
): GatherResult {
  const isLacking = result.kind === "listed" && result.lacksManagedFields === true && read.readsManagedFields === true;
  if (!isLacking || kept.kind !== "found" || !("values" in kept)) return kept;
  return {
    ...kept,
    lacksManagedFields: true,
    gaps: [...(kept.gaps ?? []), { kind: "failed", reason: "NotRecorded", message: NO_WRITERS }],
  };
}

const NO_WRITERS = "the archive has its objects without managedFields, so who wrote them is not known";

function toAbsentOrFailed(result: Awaited<ReturnType<Reader["list"] | Reader["raw"]>>): GatherResult {
  return result.kind === "listed" || result.kind === "read"
    ? { kind: "failed", reason: "NotUnderstood", message: "nothing was collected" }
    : result;
}

async function gatherText(path: string, reads: readonly Raw[], options: GatherOptions): Promise<ReadEntries> {
  let texts: readonly TextCollector[] = [];
  const begin = (): LineVisitor => {
    texts = reads.map((read) => createTextCollector(read, options.maxKept));
    return (line) => texts.map((text) => text.visit(line)).includes(true);
  };
  const result = await options.reader.raw(path, begin, options.signal);
  const bytes = result.kind === "read" ? result.bytes : 0;
  options.onRead({ path, outcome: result.kind === "read" ? "found" : result.kind, objects: 0, bytes });
  return reads.map((read, i) => {
    const collected = texts[i]?.result();
    return [read, result.kind === "read" && collected ? collected : toAbsentOrFailed(result)] as const;
  });
}

type Answers = readonly (readonly [Query, { readonly kind: "found"; readonly value: QueryAnswer }])[];

/** Each expression once, one after another. Where the monitoring does not work, or not for this account, the others are not tried. */
async function gatherQueries(queries: readonly Query[], options: GatherOptions): Promise<Answers> {
  const answers = new Map<string, QueryAnswer>();
  let end: QueryAnswer | undefined;
  for (const { expression } of queries) {
    const answer = answers.get(expression) ?? end ?? (await askMonitoring(expression, options));
    if (answer.kind === "failed" && ENDS.has(answer.reason)) end = answer;
    answers.set(expression, answer);
  }
  return queries.map((query) => {
    const value = answers.get(query.expression) ?? { kind: "notAllowed" };
    return [query, { kind: "found", value }] as const;
  });
}

const ENDS: ReadonlySet<ReadFailureReason> = new Set([
  "Cancelled",
  "Forbidden",
  "ServerError",
  "TimedOut",
  "Unauthorized",
  "Unreachable",
]);

async function askMonitoring(expression: string, options: GatherOptions): Promise<QueryAnswer> {
  const { reader, signal, onRead } = options;
  if (reader.query === undefined) return { kind: "notAllowed" };
  const answer = await reader.query(expression, signal);
  const outcome = answer.kind === "failed" ? "failed" : "found";
  onRead({ path: QUERIES_PATH, outcome, objects: 0, bytes: 0 });
  return answer;
}
