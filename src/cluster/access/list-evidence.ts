import { randomInt } from "node:crypto";
import { type Json, type JsonObject, at, isList, isObject, textAt } from "../../model/json.ts";
import type { ListPart, ReadFailure } from "../../model/reader.ts";
import { type Resource, formatGroupResource } from "../../model/resource.ts";
import { hashText } from "../../model/text.ts";
import { buildFailure } from "./failures.ts";
import { findKindMismatch, findListMismatch, inheritKind, isMetadataItem } from "./response-identity.ts";

// The one place that decides whether a list is whole: of an API server, a recording or an archive. A list is evidence of what is not in
// it, so it must show itself that it is whole: nothing remains, it is the list that was requested, and each object has a name of its own.

/** The list that was requested. */
export type RequestedList = {
  /** What answers, for messages: "/api/v1/nodes was answered". */
  readonly subject: string;
  readonly resource: Resource;
  readonly part?: ListPart;
  /** The only namespace that its objects may have. */
  readonly namespace?: string;
  /** `anyVersion`: an archive has objects in the version that the API server preferred. `untyped`: a recording may leave out apiVersion and kind. */
  readonly accepts?: "anyVersion" | "untyped";
};

/** Each function returns why the list is not whole, or not the requested one; undefined as long as nothing shows that. */
export type ListEvidence = {
  /** Of each object once, with apiVersion and kind filled in. */
  readonly addItem: (item: JsonObject) => ReadFailure | undefined;
  /** Of a page's own apiVersion, kind and metadata, after its objects. */
  readonly endPage: (head: JsonObject) => ReadFailure | undefined;
  /** The same of a list that has no other page. */
  readonly endList: (head: JsonObject) => ReadFailure | undefined;
};

export function createListEvidence(list: RequestedList): ListEvidence {
  const judgeKind = createKindJudge(list);
  const findNameFault = createNameJudge(list);
  // What a page said to follow, and how many objects have followed it and came in all.
  let announced = 0;
  let followed = 0;
  let lastToken = "";
  let count = 0;
  const endList = (head: JsonObject): ReadFailure | undefined => {
    const fault = findRemainder(head) ?? (announced > 0 && followed === 0 ? describeMissing(announced) : undefined);
    return judgeHead(list, head) ?? incomplete(list, fault ?? (isLive(list) ? findGap(head, count) : undefined));
  };
  return {
    addItem(item) {
      followed += 1;
      count += 1;
      return judgeKind(item) ?? incomplete(list, findNameFault(item));
    },
    endPage(head) {
      const token = textAt(head, "metadata", "continue") ?? "";
      if (token === "") return endList(head);
      const fault = token === lastToken ? "a page names itself as the next one (metadata.continue)" : undefined;
      [announced, followed, lastToken] = [Number(at(head, "metadata", "remainingItemCount") ?? 0), 0, token];
      return judgeHead(list, head) ?? incomplete(list, fault);
    },
    endList,
  };
}

/** The same of a list that is at hand, or of one page. `items` may be null, which is how Go writes a list without any. */
export function findListFailure(list: RequestedList, value: JsonObject, isPage = false): ReadFailure | undefined {
  const evidence = createListEvidence(list);
  const items = value["items"] ?? (Object.hasOwn(value, "items") ? [] : undefined);
  if (!isList(items) || !items.every(isObject)) return judgeHead(list, value) ?? incomplete(list, "it has no items");
  for (const item of items) {
    const failure = evidence.addItem(inheritKind(item, value) ?? item);
    if (failure !== undefined) return failure;
  }
  return isPage ? evidence.endPage(value) : evidence.endList(value);
}

export function buildIncompleteFailure(subject: string, fault: string): ReadFailure {
  return buildFailure("Incomplete", `${subject} with a list that is not whole: ${fault}`);
}

function incomplete({ subject }: RequestedList, fault: string | undefined): ReadFailure | undefined {
  return fault === undefined ? undefined : buildIncompleteFailure(subject, fault);
}

function judgeHead(list: RequestedList, head: JsonObject): ReadFailure | undefined {
  if (isUntyped(list, head)) return undefined;
  return notUnderstood(list, findListMismatch(selectResource(list, head), head, list.part));
}

/** Nearly all objects of a list are of one version and kind, which are judged once. */
function createKindJudge(list: RequestedList): (item: JsonObject) => ReadFailure | undefined {
  let version: Json | undefined;
  let kind: Json | undefined;
  return (item) => {
    if (version !== undefined && item["apiVersion"] === version && item["kind"] === kind) return undefined;
    const failure = judgeItem(list, item);
    if (failure === undefined) [version, kind] = [item["apiVersion"], item["kind"]];
    return failure;
  };
}

function judgeItem(list: RequestedList, item: JsonObject): ReadFailure | undefined {
  if (isUntyped(list, item) || (list.part === "metadata" && isMetadataItem(item))) return undefined;
  return notUnderstood(list, findKindMismatch(selectResource(list, item), item));
}

function notUnderstood({ subject }: RequestedList, mismatch: string | undefined): ReadFailure | undefined {
  return mismatch === undefined ? undefined : buildFailure("NotUnderstood", `${subject} ${mismatch}`);
}

function isUntyped({ accepts }: RequestedList, { apiVersion, kind }: JsonObject): boolean {
  return accepts === "untyped" && !apiVersion && !kind;
}

function selectResource({ resource, accepts }: RequestedList, object: JsonObject): Resource {
  if (accepts !== "anyVersion") return resource;
  const apiVersion = textAt(object, "apiVersion") ?? "";
  return { ...resource, version: apiVersion.slice(apiVersion.indexOf("/") + 1) };
}

function isLive({ accepts }: RequestedList): boolean {
  return accepts === undefined;
}

/** What every API server writes into a list, and a file may lack. Without metadata, nothing shows whether more objects follow. */
function findGap({ kind, metadata }: JsonObject, count: number): string | undefined {
  if (!isObject(metadata)) return "it has no metadata";
  return count === 0 && kind === "List" ? "it has neither objects nor a kind that shows of what it is" : undefined;
}

/** What the last page says to follow. An API server leaves both fields out, or empty. */
function findRemainder(head: JsonObject): string | undefined {
  const token = at(head, "metadata", "continue");
  const count = at(head, "metadata", "remainingItemCount");
  if (!isEmpty(count)) return describeMissing(count);
  return isEmpty(token) ? undefined : "it says that more objects follow (metadata.continue)";
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || value === 0;
}

function describeMissing(count: Json | undefined): string {
  return `it says that ${JSON.stringify(count)} more objects follow (metadata.remainingItemCount), and they don't`;
}

/** Kinds whose objects are no stored ones: packageserver lists a package once for each catalog that has it. */
const REPEATED_NAMES: ReadonlySet<string> = new Set(["packagemanifests.packages.operators.coreos.com"]);

/** Says what is wrong with the name of an object, among those before it. */
function createNameJudge({ resource, namespace: wanted }: RequestedList): (item: JsonObject) => string | undefined {
  const names = REPEATED_NAMES.has(formatGroupResource(resource)) ? undefined : createTextSet();
  let isNamespaced: boolean | undefined;
  return (item) => {
    const name = textAt(item, "metadata", "name");
    const namespace = textAt(item, "metadata", "namespace") ?? "";
    if (!name) return "one of its objects has no name";
    const fullName = namespace === "" ? name : `${namespace}/${name}`;
    if (wanted !== undefined && namespace !== wanted) return `${fullName} is not of namespace ${wanted}`;
    isNamespaced ??= namespace !== "";
    if (isNamespaced !== (namespace !== ""))
      return `${fullName} has ${namespace === "" ? "no" : "a"} namespace, unlike ${isNamespaced ? "all" : "any"} of its kind`;
    return names === undefined || names.add(fullName) ? undefined : `${fullName} is in it twice`;
  };
}

/** Tells whether a text was added before. Two different texts of a million look equal once in some 18,000 lists, never the other way. */
export type TextSet = { readonly add: (text: string) => boolean };

const FIRST_SIZE = 64;
/** Differs from process to process, so that nobody can choose names that look equal. */
const SEED = randomInt(2 ** 32);

/** Holds a hash of 53 bits of each text, 16 MiB for a million, where the texts would take ten times as much. `add` returns false for a text that was added before. */
export function createTextSet(): TextSet {
  let slots = new Float64Array(FIRST_SIZE);
  let count = 0;
  return {
    add(text) {
      if (!insert(slots, computeHash(text))) return false;
      count += 1;
      if (count * 4 > slots.length * 3) slots = grow(slots);
      return true;
    },
  };
}

/** Open addressing: 0 marks a free slot. */
function insert(slots: Float64Array, hash: number): boolean {
  const last = slots.length - 1;
  let slot = hash % slots.length;
  for (;;) {
    const present = slots[slot];
    if (present === hash) return false;
    if (present === 0) {
      slots[slot] = hash;
      return true;
    }
    slot = slot === last ? 0 : slot + 1;
  }
}

function grow(slots: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(slots.length * 2);
  for (const hash of slots) if (hash !== 0) insert(larger, hash);
  return larger;
}

/** 53 bits; never 0. */
function computeHash(text: string): number {
  const [low, high] = hashText(text, SEED);
  return (high >>> 11) * 2 ** 32 + low || 1;
}
