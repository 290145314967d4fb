import type { Span } from "./ast.ts";

/**
 * An expression that can't be compiled: the message says why, and `start` and `end` where in its text. The API server doesn't compile it
 * either, unless `isUndecided`: then preflight can't tell.
 */
export class CompileError extends Error {
  override readonly name = "CompileError";
  readonly start: number;
  readonly end: number;
  readonly isUndecided: boolean;

  constructor(message: string, { start, end }: Span, isUndecided = false) {
    super(message);
    this.start = start;
    this.end = end;
    this.isUndecided = isUndecided;
  }
}
