import type { LimitFunction } from "p-limit";
import { errorText } from "../model/errors.ts";
import { byText, type JsonObject, textAt } from "../model/json.ts";
import { metadataOf } from "../model/metadata.ts";
import type { Each, Get, Got, Listed, Raw, Read } from "../model/read.ts";
import type { LineVisitor, ReadFailure, Reader, Visitor } from "../model/reader.ts";
import { kindName, refOf, refText, resourcePath } from "../model/resource.ts";

export type Gathered<T = unknown> = Got<T> | Listed<T> | ReadFailure;

/** One distinct read as it ended: for progress, metrics and coverage. */
export type ReadEnd = {
  readonly path: string;
  /** The kind's name, such as "networks.config.openshift.io"; absent where objects are not what was read. */
  readonly kind?: string;
  readonly outcome: "found" | "absent" | "failed";
  readonly objects: number;
  readonly bytes: number;
};

export type GatherTools = {
  readonly reader: Reader;
  readonly limit: LimitFunction;
  readonly signal: AbortSignal;
  /** Milliseconds that one read may take. */
  readonly timeout: number;
  readonly onRead: (end: ReadEnd) => void;
};

/** Performs reads, each distinct object and kind once however many want it; every read gets an answer. */
export async function gather(reads: readonly Read[], tools: GatherTools): Promise<ReadonlyMap<Read, Gathered>> {
  const results = new Map<Read, Gathered>();
  const groups = [...Map.groupBy(reads, readPath)].toSorted(([a], [b]) => byText(a, b));
  await Promise.all(groups.map(([path, group]) => tools.limit(() => gatherGroup(path, group, tools, results))));
  return results;
}

/** The API's path of what is read: equal for reads that one request can answer. */
export function readPath(read: Read): string {
  if (read.kind === "raw") return read.path;
  return read.kind === "get" ? resourcePath(read.resource, read.namespace, read.name) : resourcePath(read.resource);
}

async function gatherGroup(
  path: string,
  group: readonly Read[],
  tools: GatherTools,
  results: Map<Read, Gathered>,
): Promise<void> {
  const signal = AbortSignal.any([tools.signal, AbortSignal.timeout(tools.timeout)]);
  const [gets, lists] = [group.filter((read) => read.kind === "get"), group.filter((read) => read.kind === "each")];
  if (gets.length > 0) await getOnce(path, gets, { ...tools, signal }, results);
  if (lists.length > 0) await listOnce(path, lists, { ...tools, signal }, results);
  const raws = group.filter((read) => read.kind === "raw");
  if (raws.length > 0) await rawOnce(path, raws, { ...tools, signal }, results);
}

async function getOnce(
  path: string,
  reads: readonly Get[],
  tools: GatherTools,
  results: Map<Read, Gathered>,
): Promise<void> {
  const [first] = reads;
  if (!first) return;
  const { resource, namespace, name } = first;
  const got = await tools.reader.get(
    { resource, name, ...(namespace === undefined ? {} : { namespace }) },
    tools.signal,
  );
  for (const read of reads) results.set(read, got.kind === "found" ? kept(read, got.object) : got);
  const end = got.kind === "found" ? { objects: 1, bytes: got.bytes } : { objects: 0, bytes: 0 };
  tools.onRead({ path, kind: kindName(resource), outcome: got.kind, ...end });
}

function kept(read: Get, object: JsonObject): Gathered {
  try {
    return { kind: "found", value: read.keep(object) };
  } catch (thrown) {
    return notUnderstood(object, thrown);
  }
}

async function listOnce(
  path: string,
  reads: readonly Each[],
  tools: GatherTools,
  results: Map<Read, Gathered>,
): Promise<void> {
  const [first] = reads;
  if (!first) return;
  let collectors = reads.map(collector);
  const begin = (): Visitor => {
    collectors = reads.map(collector);
    return (object) => {
      for (const collect of collectors) collect.visit(object);
    };
  };
  // What one wants whole is asked for once, and the others take their part of it.
  const part = reads.every(({ metadataOnly }) => metadataOnly) ? "metadata" : "whole";
  const done = await tools.reader.list(first.resource, begin, tools.signal, part);
  for (const read of reads) read.done?.();
  for (const [i, read] of reads.entries()) {
    const collected = collectors[i]?.result();
    results.set(read, done.kind === "listed" && collected ? collected : asAbsentOrFailed(done));
  }
  const end = done.kind === "listed" ? { objects: done.objects, bytes: done.bytes } : { objects: 0, bytes: 0 };
  const outcome = done.kind === "listed" ? "found" : done.kind;
  tools.onRead({ path, kind: kindName(first.resource), outcome, ...end });
}

function asAbsentOrFailed(done: Awaited<ReturnType<Reader["list"] | Reader["raw"]>>): Gathered {
  return done.kind === "listed" || done.kind === "read"
    ? { kind: "failed", reason: "NotUnderstood", message: "nothing was collected" }
    : done;
}

type Collector = { readonly visit: Visitor; readonly result: () => Gathered };

/** Holds what one read keeps of a list. What can't be kept fails that read alone, not the others that share the list. */
function collector(read: Each): Collector {
  const values: (readonly [string, unknown])[] = [];
  let failure: ReadFailure | undefined;
  const visit = (object: JsonObject): void => {
    if (failure) return;
    try {
      const value = read.keep(read.metadataOnly ? metadataOf(object) : object);
      if (value !== undefined) values.push([orderKey(object), value]);
    } catch (thrown) {
      failure = notUnderstood(object, thrown);
    }
  };
  const result = (): Gathered =>
    failure ?? { kind: "found", values: values.toSorted(([a], [b]) => byText(a, b)).map(([, value]) => value) };
  return { visit, result };
}

function orderKey(object: JsonObject): string {
  return `${textAt(object, "metadata", "namespace") ?? ""}\u0000${textAt(object, "metadata", "name") ?? ""}`;
}

async function rawOnce(
  path: string,
  reads: readonly Raw[],
  tools: GatherTools,
  results: Map<Read, Gathered>,
): Promise<void> {
  let texts = reads.map(textCollector);
  const begin = (): LineVisitor => {
    texts = reads.map(textCollector);
    return (line) => texts.map((text) => text.visit(line)).includes(true);
  };
  const done = await tools.reader.raw(path, begin, tools.signal);
  for (const [i, read] of reads.entries()) {
    const collected = texts[i]?.result();
    results.set(read, done.kind === "read" && collected ? collected : asAbsentOrFailed(done));
  }
  const bytes = done.kind === "read" ? done.bytes : 0;
  tools.onRead({ path, outcome: done.kind === "read" ? "found" : done.kind, objects: 0, bytes });
}

type TextCollector = { readonly visit: LineVisitor; readonly result: () => Gathered };

/** Holds the lines that one read wants of a text. */
function textCollector(read: Raw): TextCollector {
  const lines: string[] = [];
  let failure: ReadFailure | undefined;
  const visit = (line: string): boolean => {
    try {
      const wanted = read.wants(line);
      if (wanted) lines.push(`${line}\n`);
      return wanted;
    } catch (thrown) {
      failure ??= textNotUnderstood(thrown);
      return false;
    }
  };
  const result = (): Gathered => {
    if (failure) return failure;
    try {
      return { kind: "found", value: read.keep(lines.join("")) };
    } catch (thrown) {
      return textNotUnderstood(thrown);
    }
  };
  return { visit, result };
}

function textNotUnderstood(thrown: unknown): ReadFailure {
  return { kind: "failed", reason: "NotUnderstood", message: errorText(thrown) };
}

function notUnderstood(object: JsonObject, thrown: unknown): ReadFailure {
  return { kind: "failed", reason: "NotUnderstood", message: `${refText(refOf(object))}: ${errorText(thrown)}` };
}
