import { type JsonObject, isObject, listAt } from "../model/json.ts";
import { acceptedOf, isUpdating, sourceOf } from "./cluster-version.ts";
import { conditionIn } from "../model/conditions.ts";
import type { Condition } from "./condition.ts";
import { conditionsOf } from "./conditions.ts";
import { RECOMMENDED } from "./exposure.ts";
import type { CrdFields } from "./fields.ts";
import { type Held, heldFor, heldOf } from "./held.ts";
import { type Offers, nameOf, offersOf, risksOf, versionOf } from "./offers.ts";
import { type TextForm, type Versions, originOf } from "./origin.ts";
import { type Placed, placeRisks } from "./place.ts";
import { type LiftProblem, fieldProblems, mergeProblems, roomProblems } from "./problems.ts";
import { type Reading, notOlder, readingOf } from "./reading.ts";
import type { DocumentState, RunnerState } from "./runner-state.ts";
import { settle } from "./settle.ts";
import { statusOf } from "./status.ts";
import { type Payload, type Target, notOffered, payloadOf } from "./target.ts";
import { withdraw } from "./withdraw.ts";

/** A preflight that is asked for, and how it stands. */
export type Preflight = {
  readonly target: Target;
  readonly runner: RunnerState;
  readonly document: DocumentState;
};

export type LiftInput = {
  readonly clusterVersion: JsonObject;
  readonly fields: CrdFields;
  /** Absent where nothing is asked for (any more): every trace is then taken back. */
  readonly preflight?: Preflight;
  /** What the last lift gave back. */
  readonly held?: Held;
  readonly now: Date;
  readonly form?: TextForm;
  /** How long a runner may be without a usable document before that is a failure, in seconds. */
  readonly patienceSeconds?: number;
};

export type Lifted = {
  /** ClusterVersion's whole status; only the lists of updates and risks, and our three conditions, may differ from the present one. */
  readonly status: JsonObject;
  /** PreflightRunning, PreflightCompleted and PreflightFailed, or none where nothing is asked for. */
  readonly conditions: readonly Condition[];
  readonly problems: readonly LiftProblem[];
  /** To be kept, and given to the next lift. */
  readonly held?: Held;
};

const PATIENCE_SECONDS = 600;

/**
 * ClusterVersion's status as an operator would have it that lifts what a preflight finds. The present status may hold an earlier
 * lift's risks or none, as an operator leaves it that knows nothing of them. The same input gives the same output.
 */
export function lift(input: LiftInput): Lifted {
  const { clusterVersion, preflight } = input;
  if (!preflight) return ended(input, []);
  if (isUpdating(clusterVersion))
    return ended(input, [{ reason: "UpdateStarted", message: "An update is under way: the preflight has ended." }]);
  const payload = payloadOf(clusterVersion, preflight.target);
  const found = find(input, preflight, payload);
  const shown = show(input, found, payload);
  const problems = shown.problems;
  const conditions = conditionsOf(
    {
      payload,
      runner: preflight.runner,
      reading: found.reading,
      risks: (found.held?.risks ?? []).map(nameOf),
      problems,
      patienceSeconds: input.patienceSeconds ?? PATIENCE_SECONDS,
      now: input.now,
    },
    aboutOf(found.versions, preflight.target, sourceOf(clusterVersion)),
    clusterVersion,
  );
  const status = statusOf(clusterVersion, shown.offers, conditions, input.fields);
  return { status, conditions, problems, ...(found.held ? { held: remembering(found.held, shown.offers) } : {}) };
}

/** Takes back every risk of any preflight, and the conditions. */
function ended(input: LiftInput, problems: readonly LiftProblem[]): Lifted {
  const { offers } = show(input, {}, undefined);
  return { status: statusOf(input.clusterVersion, offers, [], input.fields), conditions: [], problems };
}

type Found = { readonly reading: Reading; readonly versions?: Versions; readonly held?: Held };

/** Which result stands: the document's, or the one before it. */
function find(input: LiftInput, { target, document }: Preflight, payload: Payload): Found {
  const { clusterVersion, now, form = "versions" } = input;
  const source = sourceOf(clusterVersion);
  const version = payload.kind === "offered" ? payload.version : target.kind === "version" ? target.version : undefined;
  const image = payload.kind === "refused" ? undefined : payload.image;
  const read = readingOf(document, { source, version, image, now });
  const known = version ?? (image !== undefined && input.held?.image === image ? input.held.target : undefined);
  const versions = read.kind === "replaces" ? read.versions : versionsOf(source, known);
  if (!versions) return { reading: read };
  const before = heldFor(versions, image, input.held, offersOf(clusterVersion));
  const reading = notOlder(read, before, now);
  const held = reading.kind === "replaces" ? heldOf(reading.document, { versions, image, form, before, now }) : before;
  return { reading, versions, ...(held ? { held } : {}) };
}

function versionsOf(source: string | undefined, target: string | undefined): Versions | undefined {
  return source === undefined || target === undefined ? undefined : { source, target };
}

type Shown = { readonly offers: Offers; readonly problems: readonly LiftProblem[] };

/** One preflight at a time: risks of any other source or target leave, since a name can stand for one text only. */
function show(input: LiftInput, { held }: Partial<Found>, payload: Payload | undefined): Shown {
  const { clusterVersion, fields, now, form = "versions" } = input;
  const present = offersOf(clusterVersion);
  const union = listAt(clusterVersion, "status", "conditionalUpdateRisks").filter(isObject);
  const withdrawn = withdraw(present, (risk) => originOf(risk) !== undefined);
  const taken = union.filter((risk) => originOf(risk) === undefined);
  const isOffered = payload?.kind === "offered" && payload.version === held?.target;
  const placed: Placed =
    held && isOffered
      ? placeRisks(withdrawn.offers, held, taken, form)
      : { offers: withdrawn.offers, isMerged: false, problems: [], left: [] };
  const touched = new Set(withdrawn.touched);
  if (held && placed.isMerged) touched.add(held.target);
  const offers = settle(placed.offers, {
    present,
    standing: [...union, ...present.conditional.flatMap(risksOf), ...(held?.risks ?? [])],
    proposed: new Map(held?.recommended ? [[held.target, held.recommended]] : []),
    touched,
    accepted: new Set(acceptedOf(clusterVersion)),
    fields,
    now,
  });
  return { offers, problems: held ? problemsOf(held, placed, isOffered, payload, fields) : [] };
}

function problemsOf(
  held: Held,
  placed: Placed,
  isOffered: boolean,
  payload: Payload | undefined,
  fields: CrdFields,
): readonly LiftProblem[] {
  const hidden = payload?.kind === "refused" ? payload.message : notOffered(held.target);
  const message = `${hidden} So no update there can show the risks.`;
  return [
    ...(isOffered ? [] : [{ reason: "TargetNotOffered", message } as const]),
    ...roomProblems(placed.left),
    ...mergeProblems(placed.problems),
    ...(held.risks.length > 0 ? fieldProblems(fields) : []),
  ];
}

/** What the next lift needs to keep the times, wherever the status that it starts from has lost them. */
function remembering(held: Held, { conditional }: Offers): Held {
  const update = conditional.find((one) => versionOf(one) === held.target);
  const recommended = conditionIn(update, RECOMMENDED);
  const { recommended: _, ...rest } = held;
  return recommended && held.risks.length > 0 ? { ...rest, recommended } : rest;
}

/** What the conditions' texts begin with: as much of source and target as is known. */
function aboutOf(versions: Versions | undefined, target: Target, source: string | undefined): string {
  if (versions) return `${versions.source} -> ${versions.target}: `;
  const to = target.kind === "version" ? target.version : target.image;
  return source === undefined ? `${to}: ` : `${source} -> ${to}: `;
}
