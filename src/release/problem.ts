import type { ReleaseProblem } from "../model/release.ts";

const MAX_MESSAGE_LENGTH = 400;

/** A problem whose message is one line of bounded length, whatever names a hostile file gave to things. */
export function buildProblem(reason: string, where: string, message: string): ReleaseProblem {
  const line = message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return {
    reason,
    where,
    message: line.length <= MAX_MESSAGE_LENGTH ? line : `${line.slice(0, MAX_MESSAGE_LENGTH - 3)}...`,
  };
}
