import { formatCount } from "../../../model/count.ts";
import type { Io } from "../../io/io.ts";

/** Shows on stderr, if that is a terminal, how many clusters are done and which are under way, and for how long. */
export type FleetProgress = {
  readonly start: (name: string) => void;
  readonly end: (name: string, isFailed: boolean) => void;
  /** Some that failed are checked again. */
  readonly repeat: (failures: number) => void;
  /** Clears the line, prints others and draws it again. */
  readonly print: (text: string) => void;
  readonly done: () => void;
};

const REDRAW_MS = 1_000;
const MAX_WIDTH = 120;

export function createFleetProgress(total: number, io: Io): FleetProgress {
  const running = new Map<string, number>();
  const clock = () => io.now().getTime();
  let finished = 0;
  let failed = 0;
  const draw = (): void => {
    if (io.isErrTerminal) io.progress(formatProgress({ running, finished, failed, total }, clock(), io.width));
  };
  const timer = io.isErrTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();
  return {
    start(name) {
      running.set(name, clock());
      draw();
    },
    end(name, isFailed) {
      running.delete(name);
      finished += 1;
      if (isFailed) failed += 1;
      draw();
    },
    repeat(failures) {
      finished -= failures;
      failed -= failures;
    },
    print(text) {
      if (io.isErrTerminal) io.progress("");
      io.err(text);
      draw();
    },
    done() {
      clearInterval(timer);
      if (io.isErrTerminal) io.progress("");
    },
  };
}

type State = {
  readonly running: ReadonlyMap<string, number>;
  readonly finished: number;
  readonly failed: number;
  readonly total: number;
};

/** "37 of 40 clusters checked, 2 failed; checking prod-1 (12s), lab" */
export function formatProgress({ running, finished, failed, total }: State, now: number, width: number): string {
  const lead = `${finished} of ${formatCount(total, "cluster")} checked${failed > 0 ? `, ${failed} failed` : ""}`;
  const names = [...running].map(([name, start]) => {
    const seconds = Math.floor((now - start) / 1_000);
    return seconds < 2 ? name : `${name} (${seconds}s)`;
  });
  const line = names.length === 0 ? lead : `${lead}; checking ${names.join(", ")}`;
  const room = Math.min(width, MAX_WIDTH) - 1;
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}
