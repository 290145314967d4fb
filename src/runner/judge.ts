import type { Blind, Check, Context, Judgement } from "../model/check.ts";
import { errorText } from "../model/errors.ts";
import { byText } from "../model/json.ts";
import type { Read, Reads, Values } from "../model/read.ts";
import { kindName } from "../model/resource.ts";
import type { Outcome } from "../model/report.ts";
import { crosses, leavesMinor, kubernetesMinor, minorText, parseMinor, type UpdateKind } from "../model/version.ts";
import { type Gathered, readPath } from "./gather.ts";
import { sortFindings } from "../model/findings.ts";
import type { Plan } from "./plan.ts";

/** Undefined where the check speaks of this update, else why it doesn't. */
export function whyNotApplicable(check: Check, context: Context): string | undefined {
  const { source, target, update } = context;
  if (context.platform === "kubernetes") {
    const why = whyNotOnKubernetes(check, context);
    if (why !== undefined || check.applies.kind === "crosses") return why;
  }
  if (check.applies.kind === "crosses") {
    const { minor } = check.applies;
    if (crosses(source, minor, target)) return undefined;
    return `It is about a change made in ${minor}; an update from ${source.text} to ${target.text} doesn't cross it.`;
  }
  const speaks = check.applies.kind === "updates" ? check.applies.kinds.includes(update) : leavesMinor(context);
  if (speaks) return undefined;
  return `It says nothing about ${KIND_TEXT[update]} (${minorText(source)} to ${minorText(target)}).`;
}

/** There a release has no manifests of its own, and a minor of OpenShift stands for the Kubernetes that it brought. */
function whyNotOnKubernetes(check: Check, { kubernetes, release }: Context): string | undefined {
  if (!check.portable) return "This is no OpenShift cluster.";
  const { manifests, problems } = release;
  if (check.needsManifests && manifests.length === 0 && problems.length === 0)
    return "No folder with manifests was given with --target, and Kubernetes itself brings none.";
  const boundary = check.applies.kind === "crosses" ? parseMinor(check.applies.minor) : undefined;
  if (boundary === undefined) return undefined;
  const minor = kubernetesMinor(boundary);
  if (kubernetes.source < minor && minor <= kubernetes.target) return undefined;
  return `It is about a change made in Kubernetes 1.${minor}; an update from 1.${kubernetes.source} to 1.${kubernetes.target} doesn't cross it.`;
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
  if (read.kind === "raw") return read.path;
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
  try {
    const judgement = check.evaluate(values, context, Object.fromEntries(more));
    const missed = missedOf(followed, judgement.needless ?? [], gathered);
    return outcomeOf(check, judgement, [...(judgement.blind ?? []), ...missed, ...unreadable]);
  } catch (thrown) {
    return unknown([crashed(check, thrown)]);
  }
}

/** The followed reads that failed, but for those that would not have changed anything. */
function missedOf(
  followed: Reads,
  needless: readonly string[],
  gathered: ReadonlyMap<Read, Gathered>,
): readonly Blind[] {
  const spared = new Set(needless);
  const missed = Object.entries(followed).filter(([key]) => !spared.has(key));
  return missed.flatMap(([, read]) => blindFor(read, gathered.get(read)));
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
