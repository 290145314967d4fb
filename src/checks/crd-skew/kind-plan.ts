import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type JsonObject, at, objectAt, parseObject } from "../../model/json.ts";
import { findSchemaChanges, mayRefuseMore } from "../../schema/crd/index.ts";
import { type CrdPair, type Minors, findStorage } from "./crd-pair.ts";
import { type SchemaPart, JUDGING_ABSENCE, getChild, getField, listOtherDefaults } from "./schema-parts.ts";

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
  /** In this version, in which objects are stored, the target removes or changes defaults. */
  readonly changesDefaultsIn?: string | undefined;
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
  const common = pairVersions(pair).filter(({ before, after }) => before.served && after.served);
  const [first] = common;
  if (first === undefined) return planWithoutCommonVersion(pair);
  const hasSameDefinition = !isChangedForObjects(pair);
  if (hasSameDefinition && !mayServersRefuseMore(pair, minors)) return undefined;
  const plan = hasWebhook(pair) ? planConverted(pair, common, first) : planUnconverted(pair, common, first);
  const changesDefaultsIn = findDefaultsChanged(pair, plan);
  return { ...plan, hasSeveralVersions: common.length > 1, hasSameDefinition, changesDefaultsIn };
}

/** A version in which objects may be stored: a read gives them its defaults. */
function findDefaultsChanged(pair: CrdPair, { reads, storedIn }: PlannedReads): string | undefined {
  const [{ shown }] = reads;
  const names = storedIn.length === 0 && shown.storage ? [shown.name] : storedIn;
  const changed = pairVersions(pair).filter(({ before, after }) => before.schema !== after.schema);
  return names.find((name) =>
    changed.some(
      ({ before, after }) =>
        after.name === name && listOtherDefaults(parse(before), parse(after)).some(({ isKnown }) => isKnown),
    ),
  );
}

type PlannedReads = Pick<KindPlan, "reads" | "storedIn" | "converted">;

/** The versions that both CRDs have, served or not, the target's storage version first. */
function pairVersions({ installed, target }: CrdPair): readonly VersionPair[] {
  return sortStorageFirst(target).flatMap((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    return before ? [{ before, after }] : [];
  });
}

/** Any version counts, served or not: objects may be stored in it, and managed fields may name it. */
function isChangedForObjects(pair: CrdPair): boolean {
  const { installed, target } = pair;
  return (
    pairVersions(pair).some(isChanged) ||
    installed.preserveUnknownFields !== target.preserveUnknownFields ||
    isStoredElsewhere(installed, target)
  );
}

function mayServersRefuseMore({ target }: CrdPair, minors: Minors): boolean {
  return target.versions.some(({ schema }) => schema !== "" && mayRefuseMore(schema, minors.source, minors.target));
}

/** The API server accepts no CRD without a schema, so a version without one judges nothing. */
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

function hasWebhook({ installed, target }: CrdPair): boolean {
  return [installed, target].some(({ conversion }) => conversion.strategy === "Webhook");
}

/**
 * Managed fields tell what is stored where defaults go, and which other versions an apply converts an object to: that can newly refuse it if
 * any schema changes.
 */
export function readsManagedFields(pair: CrdPair, { changesDefaultsIn }: KindPlan): boolean {
  if (changesDefaultsIn !== undefined) return true;
  return (
    pair.target.versions.length > 1 && pairVersions(pair).some(({ before, after }) => before.schema !== after.schema)
  );
}

/** Without a webhook, conversion only changes apiVersion, so an object of one version can be judged by another. */
function planWithoutCommonVersion(pair: CrdPair): KindPlan | undefined {
  const before = sortStorageFirst(pair.installed).find(({ served }) => served);
  const [after] = sortStorageFirst(pair.target);
  if (before === undefined || after === undefined) return undefined;
  const isConverted = pair.target.conversion.strategy === "Webhook";
  if (!isConverted && !isChanged({ before, after })) return undefined;
  const stored = hasWebhook(pair) ? [] : listStoredPairs(pair);
  const plan: PlannedReads = {
    reads: [{ shown: before, judged: [{ before, after }] }],
    storedIn: stored.map(nameOf),
    converted: [],
  };
  const changesDefaultsIn = findDefaultsChanged(pair, plan);
  return { ...plan, hasSeveralVersions: false, hasSameDefinition: false, changesDefaultsIn };
}

function nameOf({ after }: VersionPair): string {
  return after.name;
}

function sortStorageFirst(crd: Crd): readonly CrdVersion[] {
  return crd.versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

/** Of versions that are alike, one. */
function listStoredPairs(pair: CrdPair): readonly VersionPair[] {
  const storage = findStorage(pair.installed)?.name;
  const names = new Set([...(storage === undefined ? [] : [storage]), ...pair.installed.storedVersions]);
  const all = pairVersions(pair);
  const stored = [...names].flatMap((name) => all.filter(({ after }) => after.name === name));
  const alike = Map.groupBy(stored, ({ before, after }) => JSON.stringify([before.schema, after.schema]));
  return [...alike.values()].flatMap(([one]) => one ?? []);
}

/** The version in which objects are stored hides nothing; one that shows fields which the list lacks is read by itself. */
function planUnconverted(pair: CrdPair, common: readonly VersionPair[], first: VersionPair): PlannedReads {
  const stored = listStoredPairs(pair);
  const shown = findServedStorage(pair.installed) ?? first.before;
  const hides = ({ before }: VersionPair): boolean =>
    stored.some((one) => hasHiddenField(parse(before), parse(one.before), parse(shown)));
  const alone = common.filter((one) => one.before.name !== shown.name && hides(one));
  const together = common.filter((one) => !alone.includes(one));
  return {
    reads: [{ shown, judged: together }, ...alone.map((one) => ({ shown: one.before, judged: [one] }))],
    storedIn: stored.map(nameOf),
    converted: [],
  };
}

/** The version in which objects are stored, if clients can read it today. */
function findServedStorage(installed: Crd): CrdVersion | undefined {
  const storage = findStorage(installed);
  return storage?.served ? storage : undefined;
}

function parse({ schema }: CrdVersion): JsonObject {
  return parseObject(schema) ?? {};
}

const CHILDREN = ["items", "additionalProperties"] as const;

/** Has a version a field that is stored, and that the version which is shown lacks? */
function hasHiddenField(version: SchemaPart, stored: SchemaPart, shown: SchemaPart): boolean {
  if (version === undefined || stored === undefined) return false;
  if (shown === undefined) return true;
  const fields = Object.keys(objectAt(version, "properties"));
  return (
    fields.some((name) => hasHiddenField(getField(version, name), getField(stored, name), getField(shown, name))) ||
    CHILDREN.some((keyword) =>
      hasHiddenField(at(version, keyword), getChild(stored, keyword), getChild(shown, keyword)),
    )
  );
}

/**
 * What is stored is judged as it is, and the others by what the webhook makes of it: nothing, if their schemas get no stricter. What a schema
 * drops of objects that are stored in another version, the webhook never sees.
 */
function planConverted(pair: CrdPair, common: readonly VersionPair[], first: VersionPair): PlannedReads {
  const judged = common.filter(({ before }) => before.storage);
  const isAmong = (pairs: readonly VersionPair[], { after }: VersionPair): boolean =>
    pairs.some((one) => one.after === after);
  const stored = listStoredPairs(pair).filter((one) => !isAmong(judged, one));
  const others = common.filter((one) => !isAmong([...judged, ...stored], one));
  const converted = [
    ...stored.flatMap(findStricterPath).map((one) => ({ ...one, isStored: true })),
    ...others.flatMap(findStricterPath),
  ];
  const shown = (judged[0] ?? first).before;
  return { reads: [{ shown, judged }], storedIn: [], converted };
}

/** Also where a field newly has a default, or has none any more, and something around it may refuse that. */
function findStricterPath({ before, after }: VersionPair): readonly ConvertedVersion[] {
  if (before.schema === after.schema) return [];
  if (before.schema === "") return [{ version: after.name, path: "" }];
  const [change] = findSchemaChanges(parse(before), parse(after));
  const gained = listOtherDefaults(parse(after), parse(before));
  const lost = listOtherDefaults(parse(before), parse(after), JUDGING_ABSENCE);
  const path = change?.path ?? [...gained, ...lost].find(({ isJudged }) => isJudged)?.path;
  return path === undefined ? [] : [{ version: after.name, path }];
}
