import type { Random } from "../schema/random/random.ts";

export const TARGET = "5.2.0";
export const OTHER = "5.1.9";
/** Risks of any source. Not all are reasons. */
export const NAMES = ["A", "AdminAck-x", "B", "Calm", "ClusterOperatorUpgradeable-y", "SiteX", "Theirs"];
export const ALWAYS = [{ type: "Always" }];

/** A time of one day. */
export function at(hour: number, minute = 0): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  return `2026-03-01T${two(hour)}:${two(minute)}:00Z`;
}

export function image(digit: string): string {
  return `registry.example/release@sha256:${digit.repeat(64)}`;
}

export function drawSome<T>({ chance }: Random, from: readonly T[], probability: number): readonly T[] {
  return from.filter(() => chance(probability));
}
