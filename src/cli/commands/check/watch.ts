import { buildComparedResult, type ComparedResult } from "../../../format/comparison/compared-result.ts";
import {
  collectSeen,
  formatVerdict,
  listChanges,
  listFound,
  type SeenRisks,
  stampLines,
} from "../../../format/comparison/look-lines.ts";
import { buildRecheck } from "../../../format/comparison/recheck.ts";
import { formats } from "../../../format/index.ts";
import { formatJson } from "../../../format/programs/json.ts";
import { formatRecheckCounts, type Recheck } from "../../../format/view/recheck-page.ts";
import { decide } from "../../../format/view/decision.ts";
import type { View } from "../../../format/view/view.ts";
import { UsageError } from "../../../model/errors.ts";
import { parseObject } from "../../../model/json.ts";
import type { CycleResult } from "../../../model/report.ts";
import { formatCount } from "../../../model/text.ts";
import { type ChangeWatch, type ReadPlace, createChangeWatch, noteReads } from "../../../cluster/live/change-watch.ts";
import { systemClock } from "../../../network/retry.ts";
import { type CycleInput, runCycle } from "../../../runner/cycle.ts";
import { hasColour, type Io, reportLine } from "../../io/io.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { getExitCode, getPlainStyle, writeOutputFiles } from "../../session/result.ts";
import { buildFailedError, checkTarget } from "../../session/session.ts";
import { type Completed, buildCheckView, printFailure } from "./check-view.ts";
import type { CheckCommandValues, LoadedCheckValues } from "./definition.ts";

const WATCH = "--watch";

/** Throws a UsageError for what does not go together with looking again and again. */
export function requireWatchable(values: CheckCommandValues, isSideBySide: boolean): void {
  const conflict = findConflict(values, isSideBySide);
  if (conflict !== undefined) throw new UsageError(`${WATCH} ${conflict}`);
}

function findConflict(values: CheckCommandValues, isSideBySide: boolean): string | undefined {
  const { recorded, "must-gather": archive, output } = values;
  if (recorded !== undefined || archive !== undefined)
    return "follows a live cluster: remove --recorded or --must-gather";
  if (values["guest-recorded"] !== undefined) return "follows a live guest: remove --guest-recorded";
  if (isSideBySide) return "is for one target: give one";
  if (values.recheck !== undefined || values.all) return "compares with its own first look: remove --recheck and --all";
  if (values.quiet || output.stdout !== "table")
    return 'shows the table, and lines where no terminal is: give -o a file ("-o json=FILE" is renewed by each look)';
  return undefined;
}

/** What the looks up to now have said; `result`: that of the last one, which may have failed. */
type Looks = {
  readonly first: ComparedResult;
  readonly last: ComparedResult;
  readonly seen: SeenRisks;
  readonly verdict: string;
  readonly result: CycleResult;
};

/** Looks again whenever something changes that was read, until it is told to stop; the last look then is the result. */
export async function runWatch(values: LoadedCheckValues, io: Io): Promise<0 | 1 | 3 | 4> {
  const told = { ...io, err: createOnce(io.err) };
  let view: View | undefined;
  const { result } = await checkTarget(values, io, (session, origin) => {
    const changes = openChanges(session, io);
    const showLook = (completed: Completed, looks: Looks | undefined): Promise<Looks> => {
      view = { ...buildCheckView(completed, origin, values, told), ...getPlainStyle(io) };
      return show({ result: completed, view, looks, values, io, changes });
    };
    return (input, isWhole) => lookRepeatedly({ input, isWhole, changes, values, io, showLook });
  });
  // A look that failed has said so.
  if (result.kind === "failed") return view === undefined ? printFailure(result, values, io) : 1;
  if (view === undefined) throw new Error("a completed look has been shown");
  showEnd(view, io);
  return getExitCode([decide(view.report, view).kind], values["fail-on"]);
}

function openChanges({ watchPlace: watch }: ClusterSession, { stopSignal: signal }: Io): ChangeWatch {
  if (watch === undefined) throw new UsageError(`${WATCH} follows a live cluster`);
  return createChangeWatch({ watch, sleep: systemClock.sleep, now: systemClock.now, signal });
}

type Watching = {
  readonly input: CycleInput;
  readonly isWhole: boolean;
  readonly changes: ChangeWatch;
  readonly values: LoadedCheckValues;
  readonly io: Io;
  readonly showLook: (result: Completed, looks: Looks | undefined) => Promise<Looks>;
};

/** Resolves with the last result: what was seen before a look that failed is not what is there now. */
async function lookRepeatedly({ input, isWhole, changes, values, io, showLook }: Watching): Promise<CycleResult> {
  const { stopSignal: signal } = io;
  let looks: Looks | undefined;
  for (;;) {
    const startedAt = systemClock.now();
    const places: ReadPlace[] = [];
    changes.clear();
    const result = await look(input, io, looks === undefined, places);
    if (io.isErrTerminal) io.progress("");
    // A look that was cut short says nothing.
    if (signal.aborted && looks === undefined) throw buildFailedError("stopped", io);
    if (signal.aborted) return looks?.result ?? result;
    if (result.kind === "failed") {
      if (looks === undefined) return result;
      await printFailure(result, values, io);
      looks = { ...looks, verdict: "", result };
    } else {
      changes.follow(places);
      looks = await showLook(result, looks);
    }
    if (!isWhole) reportLine(`${WATCH} ends here, since a check runs in a process of its own: check again`, io);
    if (!isWhole || !(await waitForChange(changes, systemClock.now() - startedAt, signal))) return result;
  }
}

/** The first one begins when the command did. */
function look(input: CycleInput, io: Io, isFirst: boolean, places: ReadPlace[]): Promise<CycleResult> {
  const reader = noteReads(input.reader, (place) => places.push(place));
  return runCycle({ ...input, reader, now: isFirst ? input.now : io.now() });
}

/** Who mends an object often mends the next one at once. */
const SETTLE_MS = 1_000;
/** However often something changes, at most a fifth of the time is spent on looking. */
const PAUSE_PER_LOOK = 4;
const LEAST_PAUSE_MS = 2_000;
/** What nobody can watch is read again then: metrics, the clock, a kind without the right to watch it. */
const MOST_PAUSE_MS = 60_000;

/** Resolves with whether to look again. `took`: milliseconds of the look before. */
async function waitForChange(changes: ChangeWatch, took: number, signal: AbortSignal): Promise<boolean> {
  const pause = Math.max(LEAST_PAUSE_MS, PAUSE_PER_LOOK * took);
  await systemClock.sleep(pause, signal);
  const early = new AbortController();
  const rest = systemClock.sleep(Math.max(0, MOST_PAUSE_MS - pause), AbortSignal.any([signal, early.signal]));
  await Promise.race([changes.changed(), rest]);
  early.abort();
  await systemClock.sleep(SETTLE_MS, signal);
  return !signal.aborted;
}

type Shown = {
  readonly result: Completed;
  readonly view: View;
  readonly looks: Looks | undefined;
  readonly values: LoadedCheckValues;
  readonly io: Io;
  readonly changes: ChangeWatch;
};

async function show({ result, view, looks, values, io, changes }: Shown): Promise<Looks> {
  const now = buildComparedResult(parseObject(formatJson(view)) ?? {}, { label: "", accept: [], now: io.now() });
  const { report, accepted } = view;
  const since = (before: ComparedResult): Recheck => buildRecheck({ before, report, accepted }, true);
  const recheck = since(looks?.last ?? now);
  const verdict = formatVerdict(view);
  const changed = looks === undefined ? listFound(recheck) : listChanges(recheck, looks.seen);
  await writeOutputFiles(values.output.files, (format) => formats[format](view));
  const at = report.observedAt;
  if (io.isOutTerminal) {
    const counts = looks === undefined ? [] : [`Since the first look: ${formatRecheckCounts(since(looks.first))}.`];
    const news = looks === undefined ? [] : stampLines(changed.slice(-MOST_NEWS), at);
    showScreen(view, [...news, ...counts, describeWatch(changes)], io);
  } else {
    const lines = stampLines([...(verdict === looks?.verdict ? [] : [verdict]), ...changed], at);
    io.out(lines.map((line) => `${line}\n`).join(""));
  }
  return { first: looks?.first ?? now, last: now, seen: collectSeen(recheck), verdict, result };
}

const MOST_NEWS = 5;

function describeWatch(changes: ChangeWatch): string {
  const { watched, unwatched } = changes.count();
  const rest = unwatched === 0 ? "" : `; ${unwatched} more can't be watched`;
  return `Watching ${formatCount(watched, "list or object", "lists and objects")}${rest}. All is read again every minute. Ctrl-C ends with the result.`;
}

/** The top of the page, as much as the terminal shows. */
function showScreen(view: View, footer: readonly string[], io: Io): void {
  const page = formats
    .table({ ...view, colour: hasColour(io) })
    .trimEnd()
    .split("\n");
  const room = Math.max(1, io.height - footer.length - 2);
  const isCut = page.length > room;
  const shown = isCut ? [...page.slice(0, room - 1), `(${page.length - room + 1} more lines, shown at the end)`] : page;
  io.clear();
  io.outStyled([...shown, "", ...footer, ""].join("\n"));
}

/** For warnings, which each look would repeat. */
function createOnce(write: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    write(text);
  };
}

/** What is said when the command was told to stop: the page for a person, and the decision for a program. */
function showEnd(view: View, io: Io): void {
  if (!io.isOutTerminal) return io.out(`${stampLines([formatVerdict(view)], view.report.observedAt).join("\n")}\n`);
  io.clear();
  io.outStyled(formats.table({ ...view, colour: hasColour(io) }));
}
