import type { Unknown } from "../../model/check.ts";
import type { SeparateResult } from "../../runner/isolation.ts";
import { formatChildEnd } from "./child-end.ts";
import type { CycleChild, Answer } from "./cycle-child.ts";

export type IsolationInput = {
  readonly observedAt: Date;
  /** The checks that run alone from the start. */
  readonly suspects: readonly string[];
  readonly onDeath: (death: Death) => void;
  readonly signal: AbortSignal;
};

/** The end of a process that ran checks: `alone` one, or all that are left, and then these at that moment. */
export type Death = { readonly kind: "alone" | "together"; readonly checks: readonly string[]; readonly why: string };

/** The last answer, and what was judged apart before it. */
export type IsolatedAnswer = { readonly answer: Answer; readonly separate: ReadonlyMap<string, SeparateResult> };

/** After that many ends, memory is filled by other checks than those that ask for more: then all that had begun run alone. */
const MAX_ENDS = 2;

/**
 * Asks a child for a cycle. If it ends, the checks that it ran then run alone, each once, and the rest together: one process at a time, so
 * that each has all memory. A check whose own process ends is unknown. If no check ran, it is no check's fault, and the end is the answer.
 */
export async function askInIsolation(
  child: Pick<CycleChild, "ask" | "finish">,
  { observedAt, suspects, onDeath, signal }: IsolationInput,
): Promise<IsolatedAnswer> {
  const separate = new Map<string, SeparateResult>();
  const tried = new Set<string>();
  let next = suspects;
  for (let ends = 1; ; ends += 1) {
    for (const id of next) {
      tried.add(id);
      const answer = await askAlone(child, id, observedAt);
      if (signal.aborted || !(answer.kind === "judged" || isEnd(answer))) return { answer, separate };
      if (answer.kind !== "judged") onDeath({ kind: "alone", checks: [id], why: formatEnd(answer) });
      separate.set(id, answer.kind === "judged" ? answer : { kind: "unknown", unknown: buildUnknown(id, answer) });
    }
    const { answer, work } = await child.ask({ kind: "cycle", observedAt, separate: new Map(separate) });
    if (signal.aborted || !isEnd(answer) || hasEndedItself(answer)) return { answer, separate };
    next = (ends > MAX_ENDS ? work.begun : work.running).filter((id) => !tried.has(id));
    if (next.length === 0) return { answer, separate };
    onDeath({ kind: "together", checks: next, why: formatEnd(answer) });
  }
}

async function askAlone(child: Pick<CycleChild, "ask" | "finish">, check: string, observedAt: Date): Promise<Answer> {
  await child.finish();
  const { answer } = await child.ask({ kind: "separate", observedAt, check });
  await child.finish();
  return answer;
}

type EndAnswer = Extract<Answer, { readonly kind: "ended" | "late" }>;

function isEnd(answer: Answer): answer is EndAnswer {
  return answer.kind === "ended" || answer.kind === "late";
}

/** Node exits with 1 at an error that nobody expected; every other code is the command's own. */
function hasEndedItself(answer: EndAnswer): boolean {
  return answer.kind === "ended" && answer.end.kind === "exited" && answer.end.code !== 1;
}

function formatEnd(answer: EndAnswer): string {
  return answer.kind === "ended" ? formatChildEnd(answer.end) : `it ${formatLate(answer.timeout)}`;
}

/** `timeout`: in milliseconds. */
export function formatLate(timeout: number): string {
  return `did not answer within ${timeout / 1_000} seconds and was ended`;
}

/** Memory is the administrator's to give; anything else is a bug. */
function buildUnknown(id: string, answer: EndAnswer): Unknown {
  const isMemory = answer.kind === "ended" && (answer.end.kind === "outOfMemory" || answer.end.kind === "killed");
  const blame = isMemory ? "" : ", which is a bug in preflight: please report it";
  const message = `the process that ran it alone ended: ${formatEnd(answer)}${blame}`;
  return { reason: isMemory ? "OutOfMemory" : "CheckFailed", where: `check ${id}`, message };
}
