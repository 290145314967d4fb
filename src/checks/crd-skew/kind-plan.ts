import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type Json, type JsonObject, at, flagAt, objectAt, parseObject } from "../../model/json.ts";
import { findSchemaChanges, mayRefuseMore } from "../../schema/crd/index.ts";
import type { CrdPair, Minors } from "./crd-pair.ts";
import { losesDefaults } from "./removed-defaults.ts";

/** A version through which clients write today and under the target; of two names only if the two CRDs have no served version in common. */
export type VersionPair = { readonly before: CrdVersion; readonly after: CrdVersion };

/** One list of a kind's objects, and the versions that are judged by it. */
export type KindRead = { readonly shown: CrdVersion; readonly judged: readonly VersionPair[] };

/** A version that a webhook converts to, or in which objects are stored that it converts; and what changes there. */
export type ConvertedVersion = { readonly version: string; readonly path: string; readonly isStored?: boolean };

/** How a kind's objects are judged. */
export type KindPlan = {
  readonly reads: readonly [KindRead, ...(readonly KindRead[])];
  /** The versions in which objects may be stored today, the current one first; none if a webhook converts what is shown. */
  readonly storedIn: readonly string[];
  /** Several versions are served by both CRDs, so that findings name theirs. */
  readonly hasSeveralVersions: boolean;
  /** Only the API servers change. */
  readonly hasSameDefinition: boolean;
  /** In this version, in which objects are stored, the target removes defaults. */
  readonly losesDefaultsIn?: string | undefined;
  /** Only a webhook knows what objects are in these versions, whose schemas get stricter. */
  readonly converted: readonly ConvertedVersion[];
};

/**
 * Every version that both serve is judged if the target may refuse more in any of them: managed fields of one version refuse applies through
 * another. Undefined if nothing can change for objects, or if scope or kind change: the API server then refuses the target's CRD, which is a
 * separate finding.
 */
export function planKind(pair: CrdPair, minors: Minors): KindPlan | undefined {
  const { installed, target } = pair;
  if (installed.scope !== target.scope || installed.kind !== target.kind) return undefined;
  const common = listCommonVersions(pair);
  if (common.length === 0) return planWithoutCommonVersion(pair);
  const hasSameDefinition = !isChangedForObjects(pair);
  if (hasSameDefinition && !mayServersRefuseMore(pair, minors)) return undefined;
  const plan = hasWebhook(pair) ? planConverted(pair, common) : planUnconverted(pair, common);
  const losesDefaultsIn = findDefaultsLost(pair, plan);
  return { ...plan, hasSeveralVersions: common.length > 1, hasSameDefinition, losesDefaultsIn };
}

/** A version in which objects may be stored: a read gives them its defaults. */
function findDefaultsLost({ installed, target }: CrdPair, { reads, storedIn }: PlannedReads): string | undefined {
  const [{ shown }] = reads;
  const names = storedIn.length === 0 && shown.storage ? [shown.name] : storedIn;
  return names.find((name) => {
    const before = installed.versions.find((version) => version.name === name);
    const after = target.versions.find((version) => version.name === name);
    return before && after && before.schema !== after.schema && losesDefaults(parse(before), parse(after));
  });
}

type PlannedReads = Pick<KindPlan, "reads" | "storedIn" | "converted">;

/** The target's storage version first. The API server accepts no CRD without a schema, so a version without one judges nothing. */
function listCommonVersions({ installed, target }: CrdPair): readonly VersionPair[] {
  return sortStorageFirst(target).flatMap((after) => {
    const before = installed.versions.find(({ served, name }) => served && name === after.name);
    return before && after.served ? [{ before, after }] : [];
  });
}

/** Any version counts, served or not: objects may be stored in it, and managed fields may name it. */
function isChangedForObjects({ installed, target }: CrdPair): boolean {
  const versions = target.versions.flatMap((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    return before ? [{ before, after }] : [];
  });
  return (
    versions.some(isChanged) ||
    installed.preserveUnknownFields !== target.preserveUnknownFields ||
    isStoredElsewhere(installed, target)
  );
}

function mayServersRefuseMore({ target }: CrdPair, minors: Minors): boolean {
  return target.versions.some(({ schema }) => schema !== "" && mayRefuseMore(schema, minors.source, minors.target));
}

function isChanged({ before, after }: VersionPair): boolean {
  const isSameScale = JSON.stringify(before.scale) === JSON.stringify(after.scale);
  return after.schema !== "" && (before.schema !== after.schema || !isSameScale);
}

/** Writes are stored in another version, which may lack fields. */
function isStoredElsewhere(installed: Crd, target: Crd): boolean {
  const storage = findStorage(target);
  const before = target.versions.find(({ name }) => name === findStorage(installed)?.name);
  return before !== undefined && storage !== undefined && before.schema !== storage.schema;
}

export function findStorage({ versions }: Crd): CrdVersion | undefined {
  return versions.find(({ storage }) => storage);
}

export function hasWebhook({ installed, target }: CrdPair): boolean {
  return [installed, target].some(({ conversion }) => conversion.strategy === "Webhook");
}

/** Can managed fields of one version newly refuse an apply through another? Not if no schema changes. */
export function hasManagedTypes({ installed, target: { versions } }: CrdPair): boolean {
  if (versions.length < 2) return false;
  return versions.some((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    return before !== undefined && before.schema !== after.schema;
  });
}

/** Without a webhook, conversion only changes apiVersion, so an object of one version can be judged by another. */
function planWithoutCommonVersion(pair: CrdPair): KindPlan | undefined {
  const before = sortStorageFirst(pair.installed).find(({ served }) => served);
  const [after] = sortStorageFirst(pair.target);
  if (before === undefined || after === undefined) return undefined;
  const isConverted = pair.target.conversion.strategy === "Webhook";
  if (!isConverted && !isChanged({ before, after })) return undefined;
  const judged = [{ before, after }];
  const storedIn = hasWebhook(pair) ? [] : listStoredVersions(pair);
  return {
    reads: [{ shown: before, judged }],
    storedIn,
    hasSeveralVersions: false,
    hasSameDefinition: false,
    converted: [],
  };
}

function sortStorageFirst(crd: Crd): readonly CrdVersion[] {
  return crd.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

/** Of versions that are alike, one. */
function listStoredVersions({ installed, target }: CrdPair): readonly string[] {
  const storage = findStorage(installed)?.name;
  const names = [...(storage === undefined ? [] : [storage]), ...installed.storedVersions];
  const getSchemas = (name: string): readonly (string | undefined)[] =>
    [installed, target].map(({ versions }) => versions.find((version) => version.name === name)?.schema);
  const known = [...new Set(names)].filter((name) => target.versions.some((version) => version.name === name));
  return [...Map.groupBy(known, (name) => JSON.stringify(getSchemas(name))).values()].flatMap(([name]) => name ?? []);
}

/** The version in which objects are stored hides nothing; one that shows fields which the list lacks is read by itself. */
function planUnconverted(pair: CrdPair, common: readonly VersionPair[]): PlannedReads {
  const storedIn = listStoredVersions(pair);
  const stored = pair.installed.versions.filter(({ name }) => storedIn.includes(name));
  const shown = findServedStorage(pair.installed) ?? findFirst(common).before;
  const hides = ({ before }: VersionPair): boolean =>
    stored.some((version) => hasHiddenField(parse(before), parse(version), parse(shown)));
  const alone = common.filter((one) => one.before.name !== shown.name && hides(one));
  const together = common.filter((one) => !alone.includes(one));
  return {
    reads: [{ shown, judged: together }, ...alone.map((one) => ({ shown: one.before, judged: [one] }))],
    storedIn,
    converted: [],
  };
}

/** The version in which objects are stored, if clients can read it today. */
function findServedStorage(installed: Crd): CrdVersion | undefined {
  const storage = findStorage(installed);
  return storage?.served ? storage : undefined;
}

function findFirst(common: readonly VersionPair[]): VersionPair {
  const [first] = common;
  if (first === undefined) throw new Error("no version is served by both releases");
  return first;
}

function parse({ schema }: CrdVersion): JsonObject {
  return parseObject(schema) ?? {};
}

/** A part of a schema; undefined if the schema lacks it. */
type Part = Json | undefined;

/** Has a version a field that is stored, and that the version which is shown lacks? */
function hasHiddenField(version: Part, stored: Part, shown: Part): boolean {
  if (version === undefined || stored === undefined || keepsUnknown(shown)) return false;
  if (shown === undefined) return true;
  const fields = Object.keys(objectAt(version, "properties"));
  return (
    fields.some((name) => hasHiddenField(getField(version, name), getField(stored, name), getField(shown, name))) ||
    ["items", "additionalProperties"].some((keyword) =>
      hasHiddenField(at(version, keyword), keepsUnknown(stored) ? stored : at(stored, keyword), at(shown, keyword)),
    )
  );
}

function keepsUnknown(schema: Part): boolean {
  return flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
}

/** What keeps unknown fields has any. */
function getField(schema: Part, name: string): Part {
  return (
    at(schema, "properties", name) ?? at(schema, "additionalProperties") ?? (keepsUnknown(schema) ? schema : undefined)
  );
}

/**
 * What is stored is judged as it is, and the others by what the webhook makes of it: nothing, if their schemas get no stricter. What a schema
 * drops of objects that are stored in another version, the webhook never sees.
 */
function planConverted(pair: CrdPair, common: readonly VersionPair[]): PlannedReads {
  const isStored = ({ before, after }: VersionPair): boolean => before.storage && after.name === before.name;
  const judged = common.filter(isStored);
  const stored = listStoredPairs(pair).filter(({ after }) => !judged.some((one) => one.after === after));
  const others = common.filter((one) => !isStored(one) && !stored.some(({ after }) => after === one.after));
  const converted = [
    ...stored.flatMap(findStricterPath).map((one) => ({ ...one, isStored: true })),
    ...others.flatMap(findStricterPath),
  ];
  const shown = (judged[0] ?? findFirst(common)).before;
  return { reads: [{ shown, judged }], storedIn: [], converted };
}

function listStoredPairs(pair: CrdPair): readonly VersionPair[] {
  return listStoredVersions(pair).flatMap((name) => {
    const before = pair.installed.versions.find((version) => version.name === name);
    const after = pair.target.versions.find((version) => version.name === name);
    return before && after ? [{ before, after }] : [];
  });
}

function findStricterPath({ before, after }: VersionPair): readonly ConvertedVersion[] {
  if (before.schema === after.schema) return [];
  const [change] = before.schema === "" ? [{ path: "" }] : findSchemaChanges(parse(before), parse(after));
  return change === undefined ? [] : [{ version: after.name, path: change.path }];
}
