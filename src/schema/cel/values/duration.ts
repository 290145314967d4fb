import type { DurationValue } from "./value.ts";

export const NANOS_PER_SECOND = 1_000_000_000n;
const GO_UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", NANOS_PER_SECOND],
  ["m", 60n * NANOS_PER_SECOND],
  ["h", 3_600n * NANOS_PER_SECOND],
]);
const GO_DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const MAX_NANOS = 2n ** 63n;

/** A text that Go's time.ParseDuration accepts. */
export function parseDuration(text: string): DurationValue | undefined {
  if (/^[+-]?0$/.test(text)) return { kind: "duration", nanos: 0n };
  const match = GO_DURATION.exec(text);
  if (!match) return undefined;
  let nanos = 0n;
  for (const [, number = "", unit = ""] of (match[2] ?? "").matchAll(/([\d.]+)([a-z\u00b5\u03bc]+)/g)) {
    nanos += parseNanos(number, GO_UNITS.get(unit) ?? 1n);
    if (nanos > MAX_NANOS) return undefined;
  }
  const isNegative = match[1] === "-";
  if (nanos === MAX_NANOS && !isNegative) return undefined;
  return { kind: "duration", nanos: isNegative ? -nanos : nanos };
}

function parseNanos(number: string, unit: bigint): bigint {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = fraction.slice(0, 18);
  const rest = digits === "" ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
  return BigInt(whole === "" ? "0" : whole) * unit + rest;
}

const DAY = 86_400n * NANOS_PER_SECOND;
/** The last name of each unit also stands for all that begin with it. */
const UNIT_WORDS: readonly (readonly [bigint, readonly string[], string])[] = [
  [1n, ["ns"], "nano"],
  [1_000n, ["us", "\u00b5s"], "micro"],
  [1_000_000n, ["ms"], "milli"],
  [NANOS_PER_SECOND, ["s"], "sec"],
  [60n * NANOS_PER_SECOND, ["m"], "min"],
  [3_600n * NANOS_PER_SECOND, ["h", "hr"], "hour"],
  [DAY, ["d"], "day"],
  [7n * DAY, ["w", "wk"], "week"],
];

/** A field of the format "duration" as the API server reads it: as Go does, or every number that is followed by a unit. */
export function parseDurationField(text: string): DurationValue | undefined {
  const plain = parseDuration(text);
  if (plain) return plain;
  let nanos: bigint | undefined;
  for (const [, digits = "", word = ""] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)) {
    if (BigInt(digits) >= MAX_NANOS) return undefined;
    const unit = UNIT_WORDS.find(([, names, stem]) => isUnit(word.toLowerCase(), names, stem));
    if (unit) nanos = BigInt.asIntN(64, (nanos ?? 0n) + BigInt(digits) * unit[0]);
  }
  return nanos === undefined ? undefined : { kind: "duration", nanos };
}

function isUnit(word: string, names: readonly string[], stem: string): boolean {
  return names.includes(word) || word.startsWith(stem);
}

/** Seconds as Go prints them: the shortest digits that give the same float, without an exponent. */
export function formatDuration({ nanos }: DurationValue): string {
  const seconds = Number(nanos / NANOS_PER_SECOND) + Number(nanos % NANOS_PER_SECOND) / 1e9;
  const text = String(seconds);
  return `${text.includes("e") ? seconds.toFixed(9).replace(/0+$/, "") : text}s`;
}
