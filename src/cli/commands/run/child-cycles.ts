import type { Unknown } from "../../../model/check.ts";
import type { Logger } from "../../../model/logger.ts";
import { defined } from "../../../model/optional.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { SeparateResult } from "../../../runner/separate.ts";
import { type ChildWords, describeChildEnd, formatChildEnd } from "../../process/child-failure.ts";
import type { Answer } from "../../process/worker.ts";
import { createCycleChild, type CycleChild, type CycleChildInput } from "./cycle-child.ts";
import {
  type CheckGroup,
  countCompleted,
  type Isolation,
  isolateSuspects,
  narrowSuspects,
  NO_ISOLATION,
} from "./isolation.ts";

/** Runs a cycle whenever it is asked for one. */
export type CycleRunner = Pick<CycleChild, "target" | "clientAuthorities" | "close"> & {
  readonly cycle: () => Promise<CycleResult>;
};

export type ChildCyclesInput = Omit<CycleChildInput, "timeout"> & {
  readonly now: () => Date;
  readonly log: Pick<Logger, "warn">;
  /** Milliseconds after which a cycle fails by itself. */
  readonly cycleTimeout: number;
};

/** Beyond the cycle's own timeout, for reading the target. */
const GRACE_MS = 30_000;

type GroupRun = { readonly results: ReadonlyMap<string, SeparateResult>; readonly isolation: Isolation };

/**
 * Runs the cycles in a child process, which stays between cycles. If it ends, that cycle has failed. In the next one, the checks that it ran
 * then have a child of their own, before the common one: one at a time, so that each has the container's memory. A check whose own child
 * ends is unknown, and the others' results stand. A child that exits before its first cycle has said why: the runner then ends too.
 */
export async function createChildCycles(input: ChildCyclesInput): Promise<CycleRunner | { readonly exitCode: number }> {
  const timeout = input.cycleTimeout + GRACE_MS;
  const child = createCycleChild({ ...input, timeout });
  let isolation = NO_ISOLATION;
  const fail = (answer: Answer, observedAt: Date): CycleResult => {
    const failure = buildFailure(answer, timeout);
    return { kind: "failed", failure, observedAt, ...defined({ target: child.target() }) };
  };
  const runGroup = async (group: CheckGroup, observedAt: Date): Promise<GroupRun | CycleResult> => {
    child.close();
    const { answer, work } = await child.ask({ kind: "separate", observedAt, checks: group.checks });
    child.close();
    if (answer.kind === "result") return answer.result;
    if (answer.kind === "judged") {
      const judged = [...answer.results].map(([id, result]) => [id, { kind: "judged", result }] as const);
      return { results: new Map(judged), isolation: countCompleted(isolation, group) };
    }
    if (!isEnd(answer) || work.running.length === 0) return fail(answer, observedAt);
    const why = answer.kind === "ended" ? formatChildEnd(answer.end) : `it ${formatLate(timeout)}`;
    input.log.warn("the process of checks that run apart from the others ended", { checks: group.checks, why });
    const unknowns = group.checks.map(
      (id) => [id, { kind: "unknown", unknown: buildUnknown(id, group, answer, why) }] as const,
    );
    return { results: new Map(unknowns), isolation: narrowSuspects(isolation, group, work) };
  };
  const cycle = async (): Promise<CycleResult> => {
    const observedAt = input.now();
    const separate = new Map<string, SeparateResult>();
    for (const group of isolation.groups) {
      const run = await runGroup(group, observedAt);
      if ("kind" in run) return run;
      for (const [id, result] of run.results) separate.set(id, result);
      isolation = run.isolation;
    }
    const { answer, work } = await child.ask({ kind: "cycle", observedAt, separate });
    isolation = isEnd(answer) ? isolateSuspects(isolation, work) : { ...isolation, hasCommonEnded: false };
    return answer.kind === "result" ? answer.result : fail(answer, observedAt);
  };
  const answer = await child.start();
  if (answer.kind === "ended" && answer.end.kind === "exited") return { exitCode: answer.end.code };
  return { cycle, target: child.target, clientAuthorities: child.clientAuthorities, close: child.close };
}

type EndAnswer = Extract<Answer, { readonly kind: "ended" | "late" }>;

function isEnd(answer: Answer): answer is EndAnswer {
  return answer.kind === "ended" || answer.kind === "late";
}

function buildFailure(answer: Answer, timeout: number): CycleFailure {
  if (answer.kind === "ended") return describeChildEnd(answer.end, WORDS);
  return { reason: "CycleTimedOut", message: `The process that runs the cycle ${formatLate(timeout)}.` };
}

function formatLate(timeout: number): string {
  return `did not answer within ${timeout / 1_000} seconds and was ended`;
}

/** Memory is the administrator's to give; anything else is a bug. */
function buildUnknown(id: string, { checks }: CheckGroup, answer: EndAnswer, why: string): Unknown {
  const others = checks.length - 1;
  const company = others === 0 ? "" : ` and ${others} other ${others === 1 ? "check" : "checks"}`;
  const isMemory = answer.kind === "ended" && (answer.end.kind === "outOfMemory" || answer.end.kind === "killed");
  const message = `the process that ran it${company} ended: ${why}${isMemory ? "" : ", which is a bug in preflight: please report it"}`;
  return { reason: isMemory ? "OutOfMemory" : "CheckFailed", where: `check ${id}`, message };
}

const LESS_MEMORY = "or leave out checks with --skip (PREFLIGHT_SKIP).";

const WORDS: ChildWords = {
  work: "cycle",
  process: "The process that runs the cycle",
  log: "The log",
  describeMoreHeap: (option) => `Raise the memory limit of the container, or set ${option}, ${LESS_MEMORY}`,
  moreMemory: `Raise the memory limit of the container, ${LESS_MEMORY}`,
};
