import schema from "../../../schemas/preflight-known-bugs-v1alpha1.schema.json" with { type: "json" };
import { findWordFault } from "../../data-checks/compile/command-words.ts";
import { findShellFault } from "../../data-checks/compile/shell-words.ts";
import { compileCheck } from "../../data-checks/compile/compile.ts";
import type { CheckText, CheckFault, DocumentPlace, PlacedFault } from "../../data-checks/format/fault.ts";
import { buildTextFault } from "../../data-checks/format/fault.ts";
import { type LocatedDocument, locateDocuments } from "../../data-checks/format/parse.ts";
import { createShapeJudge } from "../../data-checks/format/shape.ts";
import type { KindTable } from "../../data-checks/kinds/kind.ts";
import { type Json, isList, isObject, textAt } from "../../model/json.ts";
import { isOthersRisk } from "../../model/check-origin.ts";
import { type BugEntry, type BugList, type BugListHead, type InvalidBug, resolveVersions } from "./known-bug.ts";
import { buildDefinition } from "./rules.ts";

/** Ten times what the list of this build has. */
const MAX_CHARACTERS = 1 << 20;
const MAX_BUGS = 1_000;

/** A list that can be used, whatever some of its entries are; absent if nobody knows what it lists. `faults`: of both. */
export type LoadedList = { readonly list?: BugList; readonly faults: readonly CheckFault[] };

export type LoadOptions = {
  /** Names of risks that others have. */
  readonly taken?: ReadonlySet<string>;
  readonly compiles?: boolean;
  /** The kinds whose fields are known, if they are not Kubernetes' own alone. */
  readonly kinds?: KindTable;
};

/** Loads a list of known bugs: one document is its head, and the others are lists of entries. */
export async function loadBugList(
  texts: readonly CheckText[],
  { taken = new Set(), compiles = true, kinds }: LoadOptions = {},
): Promise<LoadedList> {
  const files = texts.map((text) => locateDocuments(text, MAX_CHARACTERS));
  const documents = files.flatMap((file) => file.documents);
  const head = await judgeHead(documents.filter(({ value }) => !isList(value)));
  const found = documents.flatMap(listEntries);
  const faults = [...files.flatMap((file) => file.faults), ...head.faults];
  if (head.value === undefined && faults.length === 0) faults.push(buildTextFault(texts[0] ?? NO_TEXT, NO_HEAD));
  if (found.length > MAX_BUGS) faults.push(buildTextFault(texts[0] ?? NO_TEXT, `it has more than ${MAX_BUGS} entries`));
  if (head.value === undefined || faults.length > 0) return { faults };
  const judged = await Promise.all(found.map((entry) => judgeEntry(entry, compiles, kinds)));
  const named = refuseNames(judged, taken);
  const invalid = await Promise.all(named.filter(({ faults: own }) => own.length > 0).map(toInvalid));
  return {
    list: {
      head: head.value,
      entries: named.flatMap(({ entry, faults: own }) => (own.length === 0 && entry !== undefined ? [entry] : [])),
      invalid,
    },
    faults: invalid.flatMap((one) => one.faults),
  };
}

const NO_TEXT: CheckText = { name: "", text: "" };
const NO_HEAD = "it has no head (kind: KnownBugs), which names the list and its date";

type HeadDocument = { readonly metadata: Pick<BugListHead, "name">; readonly spec: Omit<BugListHead, "name"> };

const { definitions } = schema;
const judgeHeadShape = createShapeJudge<HeadDocument>({ ...definitions.list, definitions });
const judgeEntryShape = createShapeJudge<BugEntry>({ ...definitions.bug, definitions });
const judgeVersions = createShapeJudge<BugEntry["versions"]>({ ...definitions.versions, definitions });

async function judgeHead(
  documents: readonly LocatedDocument[],
): Promise<{ readonly value?: BugListHead; readonly faults: readonly CheckFault[] }> {
  const [first, second] = documents;
  if (first === undefined) return { faults: [] };
  const shape = await judgeHeadShape(first.value);
  if (shape.kind === "faulty") return { faults: shape.faults.map(first.locate) };
  if (second !== undefined)
    return { faults: [second.locate({ severity: "error", place: ["kind"], message: "the list has a head already" })] };
  const { metadata, spec } = shape.definition;
  return { value: { ...metadata, ...spec }, faults: [] };
}

/** An entry as it stands in its document. */
type FoundEntry = { readonly value: Json; readonly locate: LocatedDocument["locate"] };

function listEntries({ value, locate }: LocatedDocument): readonly FoundEntry[] {
  if (!isList(value)) return [];
  return value.map((entry, i) => ({
    value: entry,
    locate: (fault) => locate({ ...fault, place: [i, ...fault.place] }),
  }));
}

type JudgedEntry = FoundEntry & { readonly entry?: BugEntry; readonly faults: readonly CheckFault[] };

async function judgeEntry(found: FoundEntry, compiles: boolean, kinds: KindTable | undefined): Promise<JudgedEntry> {
  const shape = await judgeEntryShape(found.value);
  if (shape.kind === "faulty") return { ...found, faults: shape.faults.map(found.locate) };
  const entry = shape.definition;
  if (!compiles) return { ...found, entry, faults: [] };
  const { faults } = compileCheck(buildDefinition(entry), false, kinds);
  return {
    ...found,
    entry,
    faults: [...faults, ...findFixFaults(entry)].map((fault) => found.locate({ ...fault, place: placeInEntry(fault) })),
  };
}

/** The placeholder of the object is a name that a shell needs no quotes for. */
function findFixFaults({ fix }: BugEntry): readonly PlacedFault[] {
  if (fix === undefined) return [];
  const words = `oc ${fix.command.replace("{object}", "node/a")}`;
  const found = findShellFault(words) ?? findWordFault(words, ["oc"]);
  if (found === undefined) return [];
  const { message, hint } = found;
  return [{ severity: "error", place: ["spec", "fix", "command"], message, hint }];
}

/** Where the part of an entry stands of which the definition is made. */
function placeInEntry({ place }: PlacedFault): DocumentPlace {
  const [, part, , ...inRisk] = place;
  return part === "risks" ? inRisk : place.slice(1);
}

/** A name belongs to nobody if two claim it. Accepting a risk of others must never accept a known bug. */
function refuseNames(judged: readonly JudgedEntry[], taken: ReadonlySet<string>): readonly JudgedEntry[] {
  const ids = countTexts(judged, "id");
  const names = countTexts(judged, "name");
  const published = new Set(judged.flatMap(({ entry }) => entry?.published ?? []));
  return judged.map((one) => {
    const id = getText(one, "id");
    const name = getText(one, "name");
    const isTaken = taken.has(name) || published.has(name) || isOthersRisk(name) || (names.get(name) ?? 0) > 1;
    const faults = [
      ...((ids.get(id) ?? 0) > 1 ? [refuseName(one, "id", id)] : []),
      ...(isTaken ? [refuseName(one, "name", name)] : []),
    ];
    return { ...one, faults: [...one.faults, ...faults] };
  });
}

function refuseName({ locate }: FoundEntry, field: "id" | "name", text: string): CheckFault {
  return locate({ severity: "error", place: [field], message: `the name ${text} is taken` });
}

function countTexts(judged: readonly FoundEntry[], field: "id" | "name"): ReadonlyMap<string, number> {
  const texts = judged.map((one) => getText(one, field)).filter((text) => text !== "");
  return new Map([...Map.groupBy(texts, (text) => text)].map(([text, group]) => [text, group.length]));
}

function getText({ value }: FoundEntry, field: "id" | "name"): string {
  return textAt(value, field) ?? "";
}

/** As in a sound entry: no other text may get into a document. */
const NAME = /^[A-Z][A-Za-z0-9]{2,59}$/;

async function toInvalid(one: JudgedEntry): Promise<InvalidBug> {
  const { faults, value } = one;
  const name = getText(one, "name");
  const versions = isObject(value) ? await judgeVersions(value["versions"] ?? null) : undefined;
  const known = versions?.kind === "sound" ? resolveVersions(versions.definition) : undefined;
  return { name: NAME.test(name) ? name : "without a name", versions: known, faults };
}
