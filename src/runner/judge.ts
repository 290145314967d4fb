import type { Blind, Check, Context, Judgement } from "../model/check.ts";
import { errorText } from "../model/errors.ts";
import { byText } from "../model/json.ts";
import type { Read, Reads, Values } from "../model/read.ts";
import { kindName } from "../model/resource.ts";
import type { Outcome } from "../model/report.ts";
import { crosses, minorText, type UpdateKind } from "../model/version.ts";
import { type Gathered, readPath } from "./gather.ts";
import { sortFindings } from "./naming.ts";
import type { Plan } from "./plan.ts";

/** Undefined where the check speaks of this update, else why it doesn't. */
export function whyNotApplicable(check: Check, { source, target, update }: Context): string | undefined {
  if (check.applies.kind === "crosses") {
    const { minor } = check.applies;
    if (crosses(source, minor, target)) return undefined;
    return `It is about a change made in ${minor}; an update from ${source.text} to ${target.text} doesn't cross it.`;
  }
  if (check.applies.kinds.includes(update)) return undefined;
  return `It says nothing about ${KIND_TEXT[update]} (${minorText(source)} to ${minorText(target)}).`;
}

const KIND_TEXT: Readonly<Record<UpdateKind, string>> = {
  patch: "patch updates",
  minor: "updates to a later minor",
  rollback: "rollbacks",
};

/** The values that `evaluate` gets, or why it can't be asked. */
export function valuesFor(reads: Reads, gathered: ReadonlyMap<Read, Gathered>): Values<Reads> | readonly Blind[] {
  const blind = Object.values(reads).flatMap((read) => blindFor(read, gathered.get(read)));
  if (blind.length > 0) return blind;
  return Object.fromEntries(Object.entries(reads).flatMap(([key, read]) => entryOf(key, gathered.get(read))));
}

function entryOf(key: string, result: Gathered | undefined): [string, Exclude<Gathered, { kind: "failed" }>][] {
  return result === undefined || result.kind === "failed" ? [] : [[key, result]];
}

function blindFor(read: Read, result: Gathered | undefined): readonly Blind[] {
  if (result === undefined) return [{ reason: "NotRead", where: readPath(read), message: "it was not read" }];
  return result.kind === "failed" ? [{ reason: result.reason, where: whereOf(read), message: result.message }] : [];
}

/** "networks.config.openshift.io cluster", as `oc get` takes it. */
function whereOf(read: Read): string {
  const kind = kindName(read.resource);
  if (read.kind === "each") return kind;
  return `${kind} ${read.namespace === undefined ? "" : `${read.namespace}/`}${read.name}`;
}

export function judge(plan: Plan, gathered: ReadonlyMap<Read, Gathered>, context: Context): Outcome {
  const { check, reads, followed, broken } = plan;
  if (broken) return unknown([broken]);
  const values = valuesFor(reads, gathered);
  const unreadable = check.needsManifests ? context.release.problems : [];
  if (isBlind(values)) return unknown([...values, ...unreadable]);
  const more = Object.entries(followed).flatMap(([key, read]) => entryOf(key, gathered.get(read)));
  const missed = Object.values(followed).flatMap((read) => blindFor(read, gathered.get(read)));
  try {
    const judgement = check.evaluate(values, context, Object.fromEntries(more));
    return outcomeOf(check, judgement, [...(judgement.blind ?? []), ...missed, ...unreadable]);
  } catch (thrown) {
    return unknown([crashed(check, thrown)]);
  }
}

export function isBlind(values: Values<Reads> | readonly Blind[]): values is readonly Blind[] {
  return Array.isArray(values);
}

/** A check that throws is a fault of ours: it says nothing of the cluster, and must not look like "nothing found". */
export function crashed(check: Check, thrown: unknown): Blind {
  const message = `the check failed (${errorText(thrown)}): this is a fault of preflight, please report it`;
  return { reason: "CheckFailed", where: `check ${check.id}`, message };
}

function unknown(blind: readonly Blind[]): Outcome {
  return { kind: "unknown", blind: distinct(blind), findings: [], notices: [] };
}

/** One request may answer several reads, and its failure is told once. */
function distinct(blind: readonly Blind[]): readonly Blind[] {
  return [...new Map(blind.map((one) => [[one.reason, one.where, one.message].join("\u0000"), one])).values()];
}

function outcomeOf(check: Check, judgement: Judgement, blind: readonly Blind[]): Outcome {
  const notices = (judgement.notices ?? []).toSorted(byText);
  const findings = sortFindings(judgement.findings ?? []);
  const stray = findings.find(({ risk }) => !check.risks.some(({ name }) => name === risk));
  if (stray) return unknown([crashed(check, new Error(`it found ${stray.risk}, a risk that it doesn't declare`))]);
  if (blind.length > 0) return { kind: "unknown", blind: distinct(blind), findings, notices };
  if (judgement.notApplicable !== undefined) return { kind: "notApplicable", reason: judgement.notApplicable };
  return findings.length > 0 ? { kind: "risk", findings, notices } : { kind: "clear", notices };
}
