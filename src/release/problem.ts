import type { Problem } from "../model/release.ts";

const MAX_MESSAGE = 400;

/** A problem whose message is one line of bounded length, whatever names a hostile file gave to things. */
export function problem(reason: string, where: string, message: string): Problem {
  const line = message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return { reason, where, message: line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE - 3)}...` };
}
