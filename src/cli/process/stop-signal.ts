import { constants } from "node:os";
import process from "node:process";
import type { Parent } from "./parent.ts";

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** One Ctrl-C reaches a process by itself and by those that started it. */
const ONE_CTRL_C_MS = 200;

/** Time for a command to end by itself: something that it waits for may never come. */
const GRACE_MS = 3_000;

/** Why a process is to stop, and the exit code by which shells know it: 130 of SIGINT, 143 of SIGTERM. */
export class StopError extends Error {
  override readonly name = "StopError";
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Has signals that arrive while the program is loaded wait for it. The kernel drops them otherwise if the process is a container's first. */
export function keepStopSignals(): void {
  for (const name of STOP_SIGNALS) process.on(name, () => process.exit(128 + constants.signals[name]));
}

/** Aborted when the process receives a stop signal, or its parent does. A second signal ends the process at once. */
export function createStopSignal(parent?: Parent): AbortSignal {
  const stop = new AbortController();
  let received: { readonly name: string; readonly at: number } | undefined;
  parent?.onStop(({ why, exitCode }) => stop.abort(new StopError(why, exitCode)));
  for (const name of STOP_SIGNALS) {
    const exitCode = 128 + constants.signals[name];
    const earlier = process.listeners(name);
    process.on(name, () => {
      const isSame = received?.name === name && performance.now() - received.at < ONE_CTRL_C_MS;
      if (received !== undefined && !isSame) process.exit(exitCode);
      received ??= { name, at: performance.now() };
      stop.abort(new StopError(`stopped by ${name}`, exitCode));
    });
    for (const listener of earlier) process.off(name, listener);
  }
  return stop.signal;
}

/** Undefined unless the process was told to stop. */
export function getStopExitCode({ reason }: AbortSignal): number | undefined {
  return reason instanceof StopError ? reason.exitCode : undefined;
}

type Stoppable = { readonly stopSignal: AbortSignal; readonly exit: (code: number) => void };

/** Ends a command that was told to stop and goes on. `report` says on stderr why. */
export function endAfterGrace({ stopSignal: signal, exit }: Stoppable, report: (reason: unknown) => void): void {
  const end = (): void => {
    report(signal.reason);
    exit(getStopExitCode(signal) ?? 1);
  };
  const startTimer = (): void => void setTimeout(end, GRACE_MS).unref();
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
}
