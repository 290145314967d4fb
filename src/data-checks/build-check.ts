import type { Check, Context, Judgement, Unknown } from "../model/check.ts";
import { buildCheckName } from "../model/check.ts";
import { findOwn } from "../model/json.ts";
import { formatGroupResource } from "../model/resource.ts";
import { formatMinor, getKubernetesMinor, parseMinor } from "../model/version.ts";
import { buildApplicability, findOrdinals, listPlatforms } from "./format/applies.ts";
import { type AppliesDefinition, type CheckDefinition, type CheckRules, isAffected } from "./format/definition.ts";
import { type CompiledCheck, compileCheck } from "./compile/compile.ts";
import type { CompiledRead } from "./compile/reads.ts";
import type { CompiledRisk } from "./compile/rules.ts";
import { formatPlace } from "./format/fault.ts";
import {
  type CheckLimits,
  type OriginPool,
  createBudget,
  createTextBudgets,
  listRefusals,
  mayName,
} from "./run/limits.ts";
import { type CheckRead, type ReadLimits, buildReads, deferReads, isOfCluster } from "./run/reads.ts";
import { readTarget } from "./run/target-reads.ts";
import type { IsNameable } from "./run/commands.ts";
import { findNotApplicable, judge, listUnasked } from "./run/judge.ts";
import { buildRiskText } from "./run/risk-text.ts";
import type { KeptResult } from "./run/values.ts";
import { type KeptResults, createState, evaluate, listUnserved, listValues } from "./run/state.ts";

export type CheckReads = Readonly<Record<string, CheckRead>>;

type AnyCheck = Check<CheckReads, CheckReads>;
export type DataCheck = AnyCheck & Required<Pick<AnyCheck, "mayRead" | "follow">>;

/** A check whose definition has no faults. Its expressions are compiled when they are first needed. */
export function buildCheck(definition: CheckDefinition, given: CheckLimits = {}): DataCheck {
  const { metadata, spec } = definition;
  const limits = { ...given, id: metadata.name };
  const { risks = [], seenAfterUpdate, applies } = spec;
  const { versions = [] } = applies;
  const { mostFindings, trust } = limits;
  const isOwn = trust === undefined;
  const findBudget = createTextBudgets(limits.pool !== undefined);
  let compiled: CompiledCheck | undefined;
  const compile = (): CompiledCheck => (compiled ??= requireSound(definition, limits));
  const isNameable: IsNameable = (ref, verb) => compile().reads.some((read) => mayName(read, ref, verb, limits.scope));
  const texts = {
    versions,
    ordinals: findOrdinals(applies),
    mostFindings,
    findBudget,
    isNameable: trust === "others" ? isNameable : undefined,
    isOwn,
  };
  return {
    id: metadata.name,
    name: spec.name ?? buildCheckName(metadata.name),
    title: spec.title,
    risks: risks.map((risk) => buildRiskText(risk, () => findRisk(compile(), risk.name), texts)),
    applies: buildApplicability(applies),
    basis: findBasis(spec, isOwn),
    platforms: listPlatforms(applies),
    seenAfterUpdate,
    special: { mostFindings, subject: applies.subject, onManifests: spec.onManifests },
    reads() {
      limits.pool?.begin(metadata.name);
      return hasConditions(spec) ? buildReads(compile(), (read) => isFirst(compile(), read), limits) : {};
    },
    mayRead() {
      const build = (): CheckReads => buildReads(compile(), (read) => !isFirst(compile(), read), limits);
      if (hasConditions(spec)) return build();
      let built: CheckReads | undefined;
      return deferReads(spec, limits.scope, (key) => findOwn((built ??= build()), key));
    },
    follow: (values, context) =>
      isConcerned(applies, context)
        ? buildReads(compile(), selectFollowed(compile(), context, values, limits), limits)
        : {},
    evaluate: (values, context, followed) =>
      isConcerned(applies, context)
        ? judgeUpdate(definition, compile(), context, { ...values, ...followed }, limits)
        : { notApplicable: formatNotConcerned(context) },
  };
}

/** What this build's own tables know of releases, the runner says of all of them alike. */
function findBasis({ reads = {}, applies }: CheckDefinition["spec"], isOwn: boolean): AnyCheck["basis"] {
  if (Object.values(reads).some((read) => read.of === "target")) return "manifests";
  return isOwn && applies.knownUpTo !== undefined ? "table" : undefined;
}

/** Then some reads come before others, and follow from their expressions. */
function hasConditions({ reads = {} }: CheckRules): boolean {
  return Object.values(reads).some(({ when }) => when !== undefined);
}

function requireSound(definition: CheckDefinition, { unserved }: CheckLimits): CompiledCheck {
  const { check, faults } = compileCheck(definition, true);
  const [fault] = faults;
  if (fault === undefined)
    return unserved === "empty" ? { ...check, served: new Set(check.reads.map(({ key }) => key)) } : check;
  throw new Error(`check ${definition.metadata.name}: ${formatPlace(fault.place)}: ${fault.message}`);
}

function findRisk({ risks }: CompiledCheck, name: string): CompiledRisk {
  const risk = risks.find(({ definition }) => definition.name === name);
  if (risk === undefined) throw new Error(`${name} is not compiled`);
  return risk;
}

/** Whether one of the check's versions, if it has some, is the target. */
function isConcerned({ versions }: AppliesDefinition, context: Context): boolean {
  return versions === undefined || isAffected(versions, context);
}

function formatNotConcerned({ source, target }: Context): string {
  return `This check does not concern an update from ${source.text} to ${target.text}.`;
}

/** Whether the conditions of other reads use it. */
function isFirst({ reads }: CompiledCheck, { key, definition }: CompiledRead): boolean {
  if (definition.when !== undefined) return false;
  const name = key.startsWith("@") ? "cluster" : key;
  const uses = ({ when }: CompiledRead): boolean =>
    when !== undefined && [name, ...FLAGS].some((one) => when.names.has(one));
  return reads.some(uses);
}

const FLAGS = ["served", "readable"];

/** What no condition excludes. */
function selectFollowed(
  check: CompiledCheck,
  context: Context,
  given: KeptResults,
  limits: ReadLimits,
): (read: CompiledRead) => boolean {
  const isExcluded = findExcluded(check, context, { ...readTarget(check, context, limits), ...given }, limits.pool);
  return (read) => !isFirst(check, read) && !isExcluded(read);
}

/** Only a condition that is false excludes a read: one that has no value decides nothing. */
function findExcluded(
  check: CompiledCheck,
  context: Context,
  results: KeptResults,
  pool: OriginPool | undefined,
): (read: CompiledRead) => boolean {
  const state = createState("", listValues(check, context, results), createBudget(pool));
  return ({ when }) => when !== undefined && evaluate(state, when, check.firstNames) === false;
}

/** The result of each read: those that a condition excludes found nothing, and those that failed have none. `given`: those of the cluster. */
export function completeResults(
  check: CompiledCheck,
  context: Context,
  given: KeptResults,
  limits: ReadLimits,
): KeptResults {
  const results = { ...readTarget(check, context, limits), ...given };
  const isExcluded = findExcluded(check, context, results, limits.pool);
  return Object.fromEntries(check.reads.map((read) => [read.key, isExcluded(read) ? EXCLUDED : results[read.key]]));
}

const EXCLUDED: KeptResult = { kind: "absent", what: "object" };

/** What files of the target that could not be read hold, could decide otherwise, also whether the check applies. */
function judgeUpdate(...given: Parameters<typeof judgeReads>): Judgement {
  const [, check, { release }] = given;
  const judgement = judgeReads(...given);
  const { leftOut = [] } = release;
  if (leftOut.length === 0 || check.reads.every(isOfCluster)) return judgement;
  return { ...judgement, unknowns: [...leftOut, ...(judgement.unknowns ?? [])] };
}

function judgeReads(
  { metadata, spec }: CheckDefinition,
  check: CompiledCheck,
  context: Context,
  given: KeptResults,
  limits: ReadLimits,
): Judgement {
  const { pool, scope, trust } = limits;
  const results = completeResults(check, context, given, limits);
  const reason = check.reads.flatMap((read) => findRequirement(read, results[read.key]) ?? [])[0];
  if (reason !== undefined) return { notApplicable: reason, irrelevantReads: listUnasked(check) };
  const unserved = listUnserved(check, context.platform, results);
  const excluded = unserved.length === 0 ? undefined : findExclusion(check, context, results, pool);
  if (excluded !== undefined) return { notApplicable: excluded, irrelevantReads: listUnasked(check) };
  const state = createState(metadata.name, listValues(check, context, results, unserved), createBudget(pool));
  const judgement = judge(check, state, results);
  const refusals = listRefusals(check.reads, scope, context.platform);
  const unknowns = [
    ...refusals,
    ...unserved.filter(({ key }) => state.missing.has(key)).map(buildUnserved),
    ...(judgement.unknowns ?? []),
    ...(trust === undefined ? [] : findUnknownTarget(spec.applies, context)),
  ];
  return judgement.notApplicable === undefined ? { ...judgement, unknowns } : judgement;
}

/** Why the check does not apply where nothing is served that it reads: that it has none says what this means. */
function findExclusion(
  check: CompiledCheck,
  context: Context,
  results: KeptResults,
  pool: OriginPool | undefined,
): string | undefined {
  return findNotApplicable(check, createState("", listValues(check, context, results), createBudget(pool)));
}

function buildUnserved({ resource, definition }: CompiledRead): Unknown {
  const why =
    definition.of === "target"
      ? "the target neither has nor defines objects of it"
      : "the API server does not serve it";
  const message = `${why}, and the check does not say what that means`;
  return { reason: "NotServed", where: formatGroupResource(resource), message };
}

/** Why a check that requires the read does not apply. */
function findRequirement({ definition, resource }: CompiledRead, result: KeptResult): string | undefined {
  if (definition.required !== true || result?.kind !== "absent") return undefined;
  const kind = formatGroupResource(resource);
  if (definition.of === "target")
    return `The target has no ${kind}${definition.name === undefined ? "" : ` ${definition.name}`}.`;
  return result.what === "resource" || definition.name === undefined
    ? `The API server does not serve ${kind}.`
    : `The cluster has no ${kind} ${definition.name}.`;
}

/** What a check says about a release after the last one that it knows, it says by its silence. */
function findUnknownTarget({ knownUpTo }: AppliesDefinition, { target, kubernetes }: Context): readonly Unknown[] {
  const last = knownUpTo === undefined ? undefined : parseMinor(knownUpTo);
  if (last === undefined) return [];
  const lastMinor = last.major === 1 ? last.minor : getKubernetesMinor(last);
  if (kubernetes.target <= lastMinor) return [];
  const message = `the check knows releases up to ${formatMinor(last)}`;
  return [{ reason: "TargetUnknown", where: `release ${formatMinor(target)}`, message }];
}
