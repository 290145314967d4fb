import { formatError } from "../../model/errors.ts";
import { compareText, type JsonObject, textAt } from "../../model/json.ts";
import { selectMetadata } from "../../model/object.ts";
import type { Each, GatherResult, Raw } from "../../model/read.ts";
import type { HeldPart, LineVisitor, ReadFailure } from "../../model/reader.ts";
import { type Resource, formatRef, refOf, formatResource } from "../../model/resource.ts";
import type { Platform } from "../../model/version.ts";

export type ListCollector = {
  /** Whether something of the object is kept. */
  readonly visit: (object: JsonObject) => boolean;
  readonly failure: () => ReadFailure | undefined;
  readonly result: () => GatherResult;
};

/** Collects the values that one read keeps of a list. If its `keep` throws, that read fails alone, not the others that share the list. */
export function createListCollector(read: Each, maxKept: number, held: HeldPart | undefined): ListCollector {
  let keys: string[] = [];
  let values: unknown[] = [];
  let failure: ReadFailure | undefined;
  const fail = (why: ReadFailure): false => {
    failure = why;
    [keys, values] = [[], []];
    return false;
  };
  const gap: ReadFailure | undefined = held && { kind: "failed", reason: "NotRecorded", message: held.message };
  if (gap !== undefined && read.soundInPart === undefined) fail(gap);
  // Not once more for each object, of which there may be very many.
  const { keep, isMetadataOnly } = read;
  const visit = (object: JsonObject): boolean => {
    if (failure || (held !== undefined && !isSoundWith(object, read, held))) return false;
    try {
      const value = keep(isMetadataOnly ? selectMetadata(object) : object);
      if (value === undefined) return false;
      if (values.length === maxKept) return fail(buildTooMany(maxKept));
      keys.push(getSortKey(object));
      values.push(value);
      return true;
    } catch (thrown) {
      return fail(buildNotUnderstood(object, thrown));
    }
  };
  const result = (): GatherResult => {
    if (failure) return failure;
    return {
      kind: "found",
      values: sortByKey(keys, values),
      ...(held && gap ? { gaps: [gap], heldNamespaces: held.wholeNamespaces } : {}),
    };
  };
  return { visit, failure: () => failure, result };
}

function buildTooMany(maxKept: number): ReadFailure {
  const message = `there are too many to judge: a check keeps at most ${maxKept.toLocaleString("en-US")} of them`;
  return { kind: "failed", reason: "TooManyObjects", message };
}

function isSoundWith(object: JsonObject, { soundInPart }: Each, { wholeNamespaces }: HeldPart): boolean {
  return soundInPart === "object" || wholeNamespaces.has(textAt(object, "metadata", "namespace") ?? "");
}

/** Keys apart from values, and joined rather than concatenated: of very many objects, pairs and ropes would take most of the memory. */
function getSortKey(object: JsonObject): string {
  return [textAt(object, "metadata", "namespace") ?? "", textAt(object, "metadata", "name") ?? ""].join("\u0000");
}

function sortByKey(keys: readonly string[], values: readonly unknown[]): readonly unknown[] {
  const order = Uint32Array.from(keys.keys()).toSorted((a, b) => compareText(keys[a] ?? "", keys[b] ?? ""));
  return Array.from(order, (i) => values[i]);
}

export function buildNotUnderstood(object: JsonObject, thrown: unknown): ReadFailure {
  return { kind: "failed", reason: "NotUnderstood", message: `${formatRef(refOf(object))}: ${formatError(thrown)}` };
}

export type TextCollector = {
  readonly visit: LineVisitor;
  readonly result: () => GatherResult;
};

/** Collects the lines of a text that are relevant to one read. */
export function createTextCollector(read: Raw, maxKept: number): TextCollector {
  const lines: string[] = [];
  let failure: ReadFailure | undefined;
  const visit = (line: string): boolean => {
    try {
      const isRelevant = failure === undefined && read.isRelevant(line);
      if (isRelevant && lines.length === maxKept) failure = buildTooMany(maxKept);
      else if (isRelevant) lines.push(`${line}\n`);
      return isRelevant;
    } catch (thrown) {
      failure ??= buildTextNotUnderstood(thrown);
      return false;
    }
  };
  const result = (): GatherResult => {
    if (failure) return failure;
    try {
      return { kind: "found", value: read.keep(lines.join("")) };
    } catch (thrown) {
      return buildTextNotUnderstood(thrown);
    }
  };
  return { visit, result };
}

function buildTextNotUnderstood(thrown: unknown): ReadFailure {
  return { kind: "failed", reason: "NotUnderstood", message: formatError(thrown) };
}

/** By resource, an object that every cluster has, since no API server lets anybody delete this namespace. */
const EVERYWHERE: Readonly<Record<string, string>> = { "v1/namespaces": "kube-system" };

/** ClusterVersion, by which OpenShift is known, is a custom resource. */
const ON_OPENSHIFT: typeof EVERYWHERE = {
  ...EVERYWHERE,
  "apiextensions.k8s.io/v1/customresourcedefinitions": "clusterversions.config.openshift.io",
};

/** Watches the objects of a list for the one that it must have: without it, it is not the whole list. */
type ExpectationWatch = {
  readonly see: (name: string) => void;
  /** Undefined if nothing is missing. */
  readonly failure: () => ReadFailure | undefined;
};

/** Without a platform, nothing is expected. */
export function watchExpected(platform: Platform | undefined, resource: Resource): ExpectationWatch {
  const expected = platform && (platform === "openshift" ? ON_OPENSHIFT : EVERYWHERE)[formatResource(resource)];
  let isMissing = expected !== undefined;
  const see = (name: string): void => {
    if (name === expected) isMissing = false;
  };
  const message = `the list lacks ${expected}, which every such cluster has: it is not the whole list`;
  return { see, failure: () => (isMissing ? { kind: "failed", reason: "Incomplete", message } : undefined) };
}
