import { UnsupportedError } from "./value.ts";

/**
 * What an evaluation takes of the machine beyond the API server's costs: work that they leave out, in the same units, of which a second has
 * some ten million; and bytes that it makes, whether or not they are let go again.
 */
export type Meter = { worked: number; made: number; readonly workLimit: number; readonly memoryLimit: number };

/** For one evaluation of what an API server would evaluate, too. */
export const WORK_LIMIT = 25_000_000;
export const MEMORY_LIMIT = 64 << 20;

/** An evaluation took more than its meter allows; no operator can absorb this. */
export class ExhaustedError extends UnsupportedError {}

/** Work on something within another value, which the costs of calls don't see. */
export function countWork(meter: Meter, units: number): void {
  meter.worked += units;
  if (meter.worked > meter.workLimit) throw new ExhaustedError("it costs too much to evaluate");
}

/** To be called before something is made that may be large. */
export function countMemory(meter: Meter, bytes: number): void {
  meter.made += bytes;
  if (meter.made > meter.memoryLimit) throw new ExhaustedError("it takes too much memory to evaluate");
}

/** Of an operator for which the API server charges nothing. */
export const FREE_WORK = 0.3;
/** Of each value on the way through all that a value holds, which may hold others many times. */
export const STEP_WORK = 0.5;
/** Reading a text or a list takes so much of a unit for each character or item. */
export const READ_WORK = 0.03;

/** Of a reference in a list, of an entry of a map, and of a number or a short text. */
export const BYTES = { item: 8, entry: 150, scalar: 32 } as const;
