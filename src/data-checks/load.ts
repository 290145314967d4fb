import { type Check, type Unknown, buildCheckName, getUnknownRiskName } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { buildCheck } from "./build-check.ts";
import { compileCheck } from "./compile/compile.ts";
import type { KindTable } from "./kinds/kind.ts";
import { type CommandTrust, PROGRAMS, findTrustFaults } from "./compile/command-rules.ts";
import { findImitations } from "./compile/imitations.ts";
import { findManifestFaults } from "./compile/manifest-rules.ts";
import { findSilentRules } from "./compile/rule-conditions.ts";
import type { CheckDefinition, RiskDefinition } from "./format/definition.ts";
import type { CheckText, CheckFault, DocumentPlace, PlacedFault } from "./format/fault.ts";
import { type CheckDocument, parseChecks } from "./format/parse.ts";
import { type CheckLimits, createOriginPool } from "./run/limits.ts";
import { type CheckSource, getIdPrefix, isOthersRisk } from "../model/check-origin.ts";
import { OPERATOR_NAME } from "../model/cluster-version-risks.ts";

/** A sound check with the text that it came from, under the names of its origin. */
export type LoadedDefinition = { readonly file: string; readonly definition: CheckDefinition };

type LoadedChecks = {
  /** Those that could not be loaded are there too, and are unknown for every cluster. */
  readonly checks: readonly Check[];
  readonly definitions: readonly LoadedDefinition[];
  readonly faults: readonly CheckFault[];
};

/** A text that can't be read, and why: nobody knows which checks it holds. `unknown`: as the check of that reports it. */
type UnreadText = { readonly name: string; readonly problem: string; readonly unknown?: Unknown };

/** A text that may hold checks. `digest`: "sha256:...". */
export type SourceText = (CheckText | UnreadText) & {
  readonly digest?: string;
  /** Of an artefact or a ConfigMap, which others may write. */
  readonly isShared?: boolean;
};

/**
 * Of checks that this build does not have. `programs`: those that commands may run in files that the administrator names. `preflight`: the
 * version that runs them, this one's by default.
 */
export type GivenLimits = Pick<CheckLimits, "scope" | "pool"> & {
  readonly programs?: readonly string[];
  readonly preflight?: string;
  /** The kinds whose fields are known, if they are not Kubernetes' own alone. */
  readonly kinds?: KindTable;
};

/** Loads the checks of texts. `taken`: ids and names of risks that others have already. `given`: what they may read and spend, if that is limited further. */
export async function loadChecks(
  texts: readonly SourceText[],
  source: CheckSource,
  taken: ReadonlySet<string>,
  { programs = PROGRAMS, preflight, kinds, ...given }: GivenLimits = {},
): Promise<LoadedChecks> {
  const shared = new Set(texts.flatMap(({ name, isShared }) => (isShared === true ? name : [])));
  const getTrust = (file: string): CommandTrust | undefined => {
    if (source.kind === "embedded") return undefined;
    return source.kind === "site" && !shared.has(file) ? { kind: "named", programs } : { kind: "others" };
  };
  const files = await Promise.all(
    texts.map(async (text) => ({ file: text.name, ...(await parseText(text, preflight)) })),
  );
  const parsed = files.flatMap(({ file, checks }) => checks.map((check) => ({ ...check, file })));
  const judged = judgeNames(
    parsed.map((one) => judge(one, source, getTrust(one.file), kinds)),
    new Set([...taken, buildWholeId(source)]),
  );
  const whole = files.flatMap(({ faults }) => (faults.length === 0 ? [] : [{ id: buildWholeId(source), faults }]));
  const definitions = judged.flatMap(({ file, definition }) =>
    definition === undefined ? [] : [{ file, definition }],
  );
  const invalid = [...judged.filter(({ definition }) => definition === undefined), ...whole];
  const limits =
    source.kind === "embedded" ? {} : { ...given, pool: given.pool ?? createOriginPool(), mostFindings: MOST_FINDINGS };
  const limit = (file: string): CheckLimits => ({ ...limits, trust: getTrust(file)?.kind });
  const describe = (file: string): Pick<Check, "origin"> => buildOrigin(file, texts, source);
  const byId = Map.groupBy(invalid, ({ id }) => id);
  const checks = [
    ...definitions.map(({ file, definition }) => ({ ...buildCheck(definition, limit(file)), ...describe(file) })),
    ...[...byId].map(([id, group]) => {
      const faults = group.flatMap((one) => one.faults.filter(({ severity }) => severity === "error"));
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

async function parseText(text: SourceText, preflight: string | undefined): ReturnType<typeof parseChecks> {
  if ("text" in text) return parseChecks(text, preflight);
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

function judge(
  document: CheckDocument & { readonly file: string },
  source: CheckSource,
  trust: CommandTrust | undefined,
  kinds: KindTable | undefined,
): Judged {
  const { id, definition, locate } = document;
  const isNamed = id !== undefined && ID.test(id);
  const judged = { ...document, id: isNamed ? buildSourceId(id, source) : buildWholeId(source), isNamed };
  if (definition === undefined) return judged;
  const found = [...judgeDefinition(definition, kinds), ...findSourceFaults(definition, source, trust)];
  return addFaults({ ...judged, definition: addSource(definition, source) }, found.map(locate));
}

/** Warnings only if nothing is wrong. */
function judgeDefinition(definition: CheckDefinition, kinds: KindTable | undefined): readonly PlacedFault[] {
  const { check, faults, warnings } = compileCheck(definition, false, kinds);
  if (faults.length > 0) return faults;
  const silent = [...findSilentRules(definition, check), ...findManifestFaults(definition, check)];
  const errors = silent.filter(({ severity }) => severity === "error");
  return errors.length > 0 ? errors : [...silent, ...warnings];
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
      const hint = "say what is wrong with what is yours";
      return isTaken ? [{ severity: "error", place, message: `the name ${name} is taken`, hint }] : [];
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

/** The id of a check of a source: "site-quotas", "olm-strimzi-kafka-operator-listeners". */
export function buildSourceId(name: string, source: CheckSource): string {
  return `${getIdPrefix(source)}${name}`;
}

/** Before the names of risks. Those of the target are the release's own. */
function getPrefix(source: CheckSource): string {
  return source.kind === "payload" ? "" : buildCheckName(getIdPrefix(source).slice(0, -1));
}

/** A check under the names that its source gives it, which nobody else's are. */
function addSource(definition: CheckDefinition, source: CheckSource): CheckDefinition {
  const { metadata, spec } = definition;
  const prefix = getPrefix(source);
  const { name = buildCheckName(metadata.name), risks = [] } = spec;
  return {
    metadata: { ...metadata, name: buildSourceId(metadata.name, source) },
    spec: {
      ...spec,
      name: `${prefix}${name}`,
      risks: risks.map((risk) => ({ ...risk, name: `${prefix}${risk.name}` })),
    },
  };
}

/** Fields that only this project's checks may have. */
const EMBEDDED_FIELDS = ["hosted", "published", "liftedAs"] as const;

/** What a check of a source may not say. */
function findSourceFaults(
  definition: CheckDefinition,
  source: CheckSource,
  trust: CommandTrust | undefined,
): readonly PlacedFault[] {
  if (trust === undefined) return [];
  const ofRisks = (definition.spec.risks ?? []).flatMap((risk, i) => findRiskFaults(risk, i, source));
  return [...ofRisks, ...findTrustFaults(definition, trust), ...findImitations(definition)];
}

function findRiskFaults(risk: RiskDefinition, i: number, { kind }: CheckSource): readonly PlacedFault[] {
  const place = ["spec", "risks", i];
  const own = kind === "payload" ? findNameFaults(risk.name, [...place, "name"]) : [];
  const fields = EMBEDDED_FIELDS.filter((field) => risk[field] !== undefined).map((field) =>
    buildFault([...place, field], "only the checks of preflight itself may have it"),
  );
  if (risk.effect !== "refused" || kind === "payload") return [...own, ...fields];
  const message = "only the cluster-version operator refuses updates, and its own checks say so";
  return [...fields, { ...buildFault([...place, "effect"], message), hint: "use stuck, broken or notRecommended" }];
}

/** The name of a risk of the target stands alone. */
function findNameFaults(name: string, place: DocumentPlace): readonly PlacedFault[] {
  if (isOthersRisk(name))
    return [buildFault(place, "names that begin with Site, Olm or Ns are those of administrators and vendors")];
  if (!name.startsWith("Preflight") && !OPERATOR_NAME.test(name)) return [];
  return [buildFault(place, `${name} is a name of preflight's or the cluster-version operator's own`)];
}

function buildFault(place: DocumentPlace, message: string): PlacedFault {
  return { severity: "error", place, message };
}

/** A check that can't be loaded under its id, and why. */
type Invalid = { readonly id: string; readonly faults: readonly CheckFault[] };

/** A check that is unknown for every cluster: what can't be loaded is never clear. */
function buildInvalidCheck({ id, faults }: Invalid): Check {
  const check = buildUnknownCheck(id, `The check ${id} can be loaded`, faults.map(buildUnknown));
  // Nobody knows whether it was meant for files, too.
  return { ...check, special: { onManifests: true } };
}

function buildUnknown({ file, line, column, place, message, unknown }: CheckFault): Unknown {
  if (unknown !== undefined) return unknown;
  const where = `${file}:${line}:${column}`;
  return { reason: "CheckInvalid", where, message: `${place === "" ? "" : `${place}: `}${message}` };
}

/** `title`: what would be true if it was clear. */
export function buildUnknownCheck(id: string, title: string, unknowns: readonly Unknown[]): Check {
  return buildSettledCheck(id, title, { unknowns });
}

/** A check whose verdict does not depend on what it reads. */
export function buildSettledCheck(id: string, title: string, verdict: ReturnType<Check["evaluate"]>): Check {
  return {
    id,
    name: buildCheckName(id),
    title,
    risks: [],
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    platforms: ["openshift", "kubernetes"],
    reads: () => ({}),
    evaluate: () => verdict,
  };
}
