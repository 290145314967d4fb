import type { JsonObject } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { createFieldMask } from "../../model/secrets/redact-text.ts";
import { sortNames } from "../../model/text.ts";
import type { FieldError, UnevaluatedRule, ValidationResult } from "../../schema/crd/index.ts";
import { decodeConverted, decodeStored, newPruneState } from "../../schema/crd/index.ts";
import { VERSIONLESS_MANAGERS, listWriters } from "../shared/api-use.ts";
import { listManagedVersions } from "./conversions.ts";
import type { JudgedVersions, KindSchemas } from "./kind-schemas.ts";
import { type DefaultedField, findDefaultedFields, removeDefaulted } from "./changed-defaults.ts";
import {
  type ObjectApplyFault,
  type ObjectError,
  type PlayedWrites,
  NO_OUTCOMES,
  hasRule,
  isPathUnder,
  isSameError,
  playWrites,
} from "./writes.ts";

/** Rejected: the API server refuses even a write that only changes a label. Ratcheted: only writes that change the fields. */
export type WriteEffect = "rejected" | "ratcheted";

/**
 * applyRefused: as ratcheted, and because of this field every server-side apply of the object fails. unreadable: the API server can neither
 * read nor write nor delete the object, nor list its kind.
 */
export type FieldEffect = WriteEffect | "applyRefused" | "unreadable";

/** What the target changes for one object in a version, or in several that are alike. */
export type VersionVerdict = {
  /** None if the kind has one version alone. */
  readonly versions: readonly string[];
  /** Who writes in them, by the object's managed fields. */
  readonly managers: readonly string[];
  /** Errors at paths that are valid today, and those that refuse a write which passes today. */
  readonly errors: readonly ObjectError[];
  readonly effect: WriteEffect;
  /** The errors for which scaling fails, and passes today. */
  readonly scaleErrors: readonly ObjectError[];
  /** What makes every server-side apply fail, and does not today. */
  readonly applyFaults: readonly ObjectApplyFault[];
  /** Fields that the target's schema lacks, so that they are pruned. */
  readonly prunedPaths: readonly string[];
  /** Fields of embedded resources that the target's API servers drop when they read the object. */
  readonly droppedFields: ValidationResult["droppedFields"];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
};

/** The target's verdict on one object. Objects with nothing to report are not kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  readonly versions: readonly VersionVerdict[];
  /** Those that are lost, and all if they decide what is told: they are then open. */
  readonly defaultedFields: readonly DefaultedField[];
  /** Are there also errors at paths that are invalid under the installed schema? */
  readonly hasErrorsToday: boolean;
  /** The verdict would be another one if the object were stored in this version, in which it may be. */
  readonly mayBeStoredIn?: string | undefined;
};

/** `pathsOfOtherCheck`: paths that another check judges. */
export function judgeObject(
  object: JsonObject,
  schemas: KindSchemas,
  pathsOfOtherCheck: readonly string[],
): ObjectVerdict | undefined {
  const isOwn = pathsOfOtherCheck.length === 0 ? isAny : createFilter(pathsOfOtherCheck);
  const defaulted = findChangedDefaults(object, schemas, isOwn);
  const stored = removeDefaulted(object, defaulted);
  const possible = selectStored(stored, schemas);
  const judged = judgeStored(stored, schemas, possible[0], isOwn);
  const other = possible.length < 2 ? undefined : findOther(judged, stored, schemas, possible, isOwn);
  if (stored === object && judged === NOTHING && other === undefined) return undefined;
  const asShown = stored === object ? judged : judgeStored(object, schemas, possible[0], isOwn);
  const told = leaveOpen(judged, asShown, defaulted);
  if (told.versions.length + told.defaultedFields.length === 0 && !told.hasErrorsToday && other === undefined)
    return undefined;
  return { object: refOf(object), ...told, mayBeStoredIn: other };
}

/** A version in which it would be judged otherwise. */
function findOther(
  judged: Judged,
  stored: JsonObject,
  schemas: KindSchemas,
  possible: readonly string[],
  isOwn: FaultFilter,
): string | undefined {
  return possible.find((name) => !isSame(judged, judgeStored(stored, schemas, name, isOwn)));
}

/**
 * A write may have stored a default without a trace. Where that decides more than whether a field is there, what holds either way is told,
 * and the rest is open.
 */
function leaveOpen(
  judged: Judged,
  asShown: Judged,
  defaulted: readonly DefaultedField[],
): Judged & Pick<ObjectVerdict, "defaultedFields"> {
  if (isSame(judged, asShown)) return { ...judged, defaultedFields: defaulted.filter(({ isLost }) => isLost) };
  const known = new Set(asShown.versions.map((one) => JSON.stringify(one)));
  return {
    versions: judged.versions.filter((one) => known.has(JSON.stringify(one))),
    hasErrorsToday: judged.hasErrorsToday,
    defaultedFields: defaulted.map((field) => ({ ...field, isUnwritten: false })),
  };
}

function findChangedDefaults(
  object: JsonObject,
  { today, target, changesDefaultsIn, storedIn }: KindSchemas,
  isOwn: FaultFilter,
): readonly DefaultedField[] {
  if (changesDefaultsIn === undefined) return [];
  const before = today.get(changesDefaultsIn);
  const after = target.get(changesDefaultsIn);
  if (before === undefined || after === undefined) return [];
  const webhookVersion = storedIn.length === 0 ? changesDefaultsIn : undefined;
  const written = listManagedVersions(object).flatMap((version) => today.get(version) ?? []);
  return findDefaultedFields(object, before, after, written, webhookVersion).filter(isOwn);
}

function isSame(a: Judged, b: Judged): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

type Judged = Pick<ObjectVerdict, "versions" | "hasErrorsToday">;
type FaultFilter = (fault: { readonly path: string }) => boolean;

const isAny: FaultFilter = () => true;

function createFilter(pathsOfOtherCheck: readonly string[]): FaultFilter {
  return ({ path }) => !pathsOfOtherCheck.some((other) => isPathUnder(path, other));
}

const NOTHING: Judged = { versions: [], hasErrorsToday: false };

/** The versions in which an object may be stored: not those whose schema lacks what is shown. */
function selectStored(object: JsonObject, { today, storedIn }: KindSchemas): readonly string[] {
  if (storedIn.length < 2) return storedIn;
  const possible = storedIn.filter((name) => {
    const schema = today.get(name);
    const state = newPruneState();
    if (schema !== undefined) decodeStored(object, schema.root, schema.isPruning, state);
    return state.pruned.length === 0;
  });
  return possible.length === 0 ? storedIn.slice(0, 1) : possible;
}

function judgeStored(
  object: JsonObject,
  schemas: KindSchemas,
  storedIn: string | undefined,
  isOwn: FaultFilter,
): Judged {
  const [only] = schemas.judged;
  if (only !== undefined && schemas.judged.length === 1) return judgeVersions(object, schemas, only, storedIn, isOwn);
  return judgeSeveral(object, schemas, storedIn, isOwn);
}

function judgeSeveral(
  object: JsonObject,
  schemas: KindSchemas,
  storedIn: string | undefined,
  isOwn: FaultFilter,
): Judged {
  const all = schemas.judged.map((versions) => judgeVersions(object, schemas, versions, storedIn, isOwn));
  if (all.every((one) => one === NOTHING)) return NOTHING;
  return {
    versions: all.flatMap(({ versions }) => versions),
    hasErrorsToday: all.some(({ hasErrorsToday }) => hasErrorsToday),
  };
}

/** `storedIn` is absent if only a webhook converts objects, so that they are judged as they are shown. */
function judgeVersions(
  object: JsonObject,
  schemas: KindSchemas,
  { names, before, after }: JudgedVersions,
  storedIn: string | undefined,
  isOwn: FaultFilter,
): Judged {
  const { today, target, hasSeveralVersions } = schemas;
  const copy = showIn(before, object, schemas);
  const all = playWrites(object, target, after, storedIn ?? after, copy);
  if (all === NO_OUTCOMES) return NOTHING;
  const next = selectOwn(all, isOwn);
  if (isEmpty(next)) return NOTHING;
  const current = playWrites(object, today, before, storedIn ?? before, copy);
  const known = [...current.created, ...current.written];
  const errors = selectWorse(next, current, known);
  const changes = {
    errors,
    applyFaults: next.applyFaults.filter(isAtNoPathOf(current.applyFaults)),
    // As in the API server, rules do not run on objects that are already invalid.
    unevaluatedRules:
      known.length > 0 ? [] : next.unevaluatedRules.filter((rule) => !hasRule(current.unevaluatedRules, rule)),
    prunedPaths: next.prunedPaths.filter((path) => !current.prunedPaths.includes(path)),
    droppedFields: next.droppedFields.filter(isAtNoPathOf(current.droppedFields)),
  };
  const hasErrorsToday = listErrors(next).some(isAtNoPathOf(errors));
  if (Object.values(changes).every((faults) => faults.length === 0)) return hasErrorsToday ? FAILS_TODAY : NOTHING;
  const effect = findEffect(errors, next);
  const scaleErrors = current.scaled.length + current.written.length > 0 ? [] : next.scaled;
  const versions = hasSeveralVersions ? names : [];
  const verdict = { ...changes, effect, scaleErrors, versions, managers: listManagers(object, versions) };
  return { versions: [{ ...verdict, errors: maskErrors(errors, object) }], hasErrorsToday };
}

/** The object as a version shows it today. */
function showIn(version: string, object: JsonObject, { today, shown }: KindSchemas): JsonObject {
  const schema = today.get(version);
  return schema === undefined || schema === today.get(shown)
    ? object
    : decodeConverted(object, schema.root, schema.isPruning);
}

/** Such objects can be many, so only their names are kept. */
const FAILS_TODAY: Judged = { versions: [], hasErrorsToday: true };

function selectOwn(outcomes: PlayedWrites, isOwn: FaultFilter): PlayedWrites {
  const { created, written, applyFaults } = outcomes;
  if (created.length + written.length + applyFaults.length === 0) return outcomes;
  return {
    ...outcomes,
    created: created.filter(isOwn),
    written: written.filter(isOwn),
    applyFaults: applyFaults.filter(isOwn),
  };
}

function isEmpty(outcomes: PlayedWrites): boolean {
  const { created, written, scaled, applyFaults, prunedPaths, droppedFields, unevaluatedRules } = outcomes;
  const faults = created.length + written.length + scaled.length + applyFaults.length;
  return faults + prunedPaths.length + droppedFields.length + unevaluatedRules.length === 0;
}

/** Everything that refuses a create or a label. */
function listErrors({ created, written }: PlayedWrites): readonly ObjectError[] {
  return joinErrors(created, written);
}

function joinErrors(known: readonly ObjectError[], more: readonly ObjectError[]): readonly ObjectError[] {
  const added = more.filter((error) => !known.some((one) => isSameError(one, error)));
  return added.length === 0 ? known : [...known, ...added];
}

/** Errors at paths without any today; and where a label, another scale or a create passes today, all that refuse it. */
function selectWorse(next: PlayedWrites, current: PlayedWrites, known: readonly ObjectError[]): readonly ObjectError[] {
  const isNew = isAtNoPathOf(known);
  const isLabelWorse = current.written.length === 0;
  const worse = [
    ...(isLabelWorse ? next.written : []),
    ...(current.created.every(isHidden) ? next.created.filter((error) => !isHidden(error)) : []),
  ];
  const errors = listErrors(next).filter((error) => isNew(error) || worse.some((one) => isSameError(one, error)));
  return isLabelWorse && current.scaled.length === 0 ? joinErrors(errors, next.scaled) : errors;
}

function isHidden(error: ObjectError): boolean {
  return error.isHidden === true;
}

/** Selects what is at a path where nothing is known yet. */
function isAtNoPathOf(known: readonly { readonly path: string }[]): FaultFilter {
  const paths = new Set(known.map(({ path }) => path));
  return ({ path }) => !paths.has(path);
}

function findEffect(errors: readonly ObjectError[], { written }: PlayedWrites): WriteEffect {
  return written.some((error) => errors.some((one) => isSameError(one, error))) ? "rejected" : "ratcheted";
}

function listManagers(object: JsonObject, versions: readonly string[]): readonly string[] {
  if (versions.length === 0) return [];
  const writers = listWriters(object).filter(({ version }) => versions.some((name) => version.endsWith(`/${name}`)));
  const names = writers.map(({ manager }) => manager).filter((manager) => !VERSIONLESS_MANAGERS.has(manager));
  return sortNames(names);
}

/** The schema's messages quote values. */
function maskErrors(errors: readonly ObjectError[], object: JsonObject): readonly ObjectError[] {
  if (errors.length === 0) return errors;
  const mask = createFieldMask(object);
  return errors.map((error) => ({ ...error, message: mask(error.message) }));
}

export function getFieldEffect(
  { effect, applyFaults }: VersionVerdict,
  { path, isUnreadable }: FieldError,
): FieldEffect {
  if (isUnreadable) return "unreadable";
  return effect === "ratcheted" && applyFaults.some((fault) => fault.path === path) ? "applyRefused" : effect;
}
