import { type Check, type Unknown, buildCheckName, getUnknownRiskName } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { buildCheck } from "./build-check.ts";
import { compileCheck } from "./compile/compile.ts";
import type { CheckDefinition } from "./definition.ts";
import type { CheckText, CheckFault, DocumentPlace, PlacedFault } from "./fault.ts";
import { type CheckDocument, parseChecks } from "./format/parse.ts";
import { buildInvalidCheck } from "./invalid-check.ts";
import { type CheckLimits, createOriginPool } from "./run/budget.ts";
import type { CheckSource } from "../model/check-origin.ts";
import { addSource, buildSourceId, findSourceFaults } from "./origin.ts";

/** A sound check with the text that it came from, under the names of its origin. */
export type LoadedDefinition = { readonly file: string; readonly definition: CheckDefinition };

export type LoadedChecks = {
  /** Those that could not be loaded are there too, and are unknown for every cluster. */
  readonly checks: readonly Check[];
  readonly definitions: readonly LoadedDefinition[];
  readonly faults: readonly CheckFault[];
};

/** A text that can't be read, and why: nobody knows which checks it holds. `unknown`: as the check of that reports it. */
type UnreadText = { readonly name: string; readonly problem: string; readonly unknown?: Unknown };

/** A text that may hold checks. `digest`: "sha256:...". */
export type SourceText = (CheckText | UnreadText) & { readonly digest?: string };

/** Loads the checks of texts. `taken`: ids and names of risks that others have already. `given`: what they may read and spend, if that is limited further. */
export async function loadChecks(
  texts: readonly SourceText[],
  source: CheckSource,
  taken: ReadonlySet<string>,
  given: Pick<CheckLimits, "scope" | "pool"> = {},
): Promise<LoadedChecks> {
  const files = await Promise.all(texts.map(async (text) => ({ file: text.name, ...(await parseText(text)) })));
  const parsed = files.flatMap(({ file, checks }) => checks.map((check) => ({ ...check, file })));
  const judged = judgeNames(
    parsed.map((one) => judge(one, source)),
    new Set([...taken, buildWholeId(source)]),
  );
  const whole = files.flatMap(({ faults }) => (faults.length === 0 ? [] : [{ id: buildWholeId(source), faults }]));
  const definitions = judged.flatMap(({ file, definition }) =>
    definition === undefined ? [] : [{ file, definition }],
  );
  const invalid = [...judged.filter(({ definition }) => definition === undefined), ...whole];
  const limits =
    source.kind === "embedded" ? {} : { ...given, pool: given.pool ?? createOriginPool(), mostFindings: MOST_FINDINGS };
  const describe = (file: string): Pick<Check, "origin"> => buildOrigin(file, texts, source);
  const byId = Map.groupBy(invalid, ({ id }) => id);
  const checks = [
    ...definitions.map(({ file, definition }) => ({ ...buildCheck(definition, limits), ...describe(file) })),
    ...[...byId].map(([id, group]) => {
      const faults = group.flatMap((one) => one.faults);
      return { ...buildInvalidCheck({ id, faults }), ...describe(faults[0]?.file ?? id) };
    }),
  ];
  return {
    checks: checks.toSorted((a, b) => compareText(a.id, b.id)),
    definitions,
    faults: [...whole, ...judged].flatMap(({ faults }) => faults).toSorted(compareFaults),
  };
}

function buildOrigin(file: string, texts: readonly SourceText[], source: CheckSource): Pick<Check, "origin"> {
  const digest = texts.find(({ name }) => name === file)?.digest;
  return source.kind === "embedded" ? {} : { origin: { ...source, file, digest } };
}

async function parseText(text: SourceText): ReturnType<typeof parseChecks> {
  if ("text" in text) return parseChecks(text);
  const place = { line: 1, column: 1, length: 0, place: "", lineText: "" };
  const { name: file, problem: message, unknown } = text;
  return { checks: [], faults: [{ severity: "error", file, message, ...place, unknown }] };
}

export function compareFaults(a: CheckFault, b: CheckFault): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** A check with all its faults; with an error it has no definition. `isNamed`: it has a name of its own that can be read. */
type Judged = Omit<CheckDocument, "id"> & { readonly file: string; readonly id: string; readonly isNamed: boolean };

/** What a text without a readable name stands for. */
function buildWholeId(source: CheckSource): string {
  return buildSourceId("checks", source);
}

function judge(document: CheckDocument & { readonly file: string }, source: CheckSource): Judged {
  const { id, definition, locate } = document;
  const isNamed = id !== undefined && ID.test(id);
  const judged = { ...document, id: isNamed ? buildSourceId(id, source) : buildWholeId(source), isNamed };
  if (definition === undefined) return judged;
  const { faults: errors, warnings } = compileCheck(definition);
  const found = [...errors, ...findSourceFaults(definition, source), ...(errors.length === 0 ? warnings : [])];
  return addFaults({ ...judged, definition: addSource(definition, source) }, found.map(locate));
}

/** As the schema has it: no other id may get into a document. */
const ID = /^(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function addFaults(judged: Judged, faults: readonly CheckFault[]): Judged {
  const isSound = faults.every(({ severity }) => severity === "warning");
  return { ...judged, definition: isSound ? judged.definition : undefined, faults: [...judged.faults, ...faults] };
}

/** More than anybody reads. */
const MOST_CHECKS = 100;
const MOST_FINDINGS = 1_000;

/** A name belongs to nobody if two claim it. */
function judgeNames(judged: readonly Judged[], taken: ReadonlySet<string>): readonly Judged[] {
  const names = judged.map(listNames);
  const claimed = Map.groupBy(names.flat(), ({ name }) => name);
  return judged.map((one, i) => {
    const repeated = (names[i] ?? []).flatMap(({ name, place }): readonly PlacedFault[] => {
      const isTaken = taken.has(name) || (claimed.get(name)?.length ?? 0) > 1;
      return isTaken ? [{ severity: "error", place, message: `the name ${name} is taken` }] : [];
    });
    const excess: readonly PlacedFault[] =
      i < MOST_CHECKS
        ? []
        : [{ severity: "error", place: ["metadata", "name"], message: `there are more than ${MOST_CHECKS} checks` }];
    return addFaults(one, [...repeated, ...excess].map(one.locate));
  });
}

/** The names that a check claims, and where it does. One that can't be loaded is reported under its id, if it has one. */
function listNames({
  id,
  isNamed,
  definition,
}: Judged): readonly { readonly name: string; readonly place: DocumentPlace }[] {
  if (!isNamed) return [];
  const { name = buildCheckName(id), risks = [] } = definition?.spec ?? {};
  return [
    { name: id, place: ["metadata", "name"] },
    { name: getUnknownRiskName({ name }), place: ["metadata", "name"] },
    ...risks.map((risk, i) => ({ name: risk.name, place: ["spec", "risks", i, "name"] })),
  ];
}
